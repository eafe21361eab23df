package dev.weir.node.internal;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads what {@link WireWriter} wrote; checks every length against what is left. Not thread-safe. */
final class WireReader {
    private final ByteBuffer in;

    WireReader(Buffer message) {
        in = ByteBuffer.wrap(message.getBytes());
        int version = readByte();
        if (version != WireWriter.VERSION) {
            throw new WireFormatException(
                    "internal message of version " + version + ", expected " + WireWriter.VERSION);
        }
    }

    boolean hasMore() {
        return in.hasRemaining();
    }

    int readByte() {
        need(1);
        return in.get();
    }

    boolean readBool() {
        return readByte() != 0;
    }

    int readInt() {
        need(4);
        return in.getInt();
    }

    long readLong() {
        need(8);
        return in.getLong();
    }

    /** A count of things that take at least {@code bytesEach} bytes each. */
    int readCount(int bytesEach) {
        int count = readInt();
        if (count < 0 || (long) count * bytesEach > in.remaining()) {
            throw new WireFormatException("count " + count + ", but only " + in.remaining() + " bytes follow");
        }
        return count;
    }

    String readText() {
        byte[] bytes = readBytes();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    byte[] readBytes() {
        byte[] bytes = new byte[readCount(1)];
        in.get(bytes);
        return bytes;
    }

    /** Like {@link #readBytes}, without a copy. */
    ByteBuffer readSlice() {
        int length = readCount(1);
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }

    private void need(int bytes) {
        if (in.remaining() < bytes) {
            throw new WireFormatException("message ends " + (bytes - in.remaining()) + " bytes short");
        }
    }
}
