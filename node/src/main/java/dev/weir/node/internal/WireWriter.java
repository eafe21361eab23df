package dev.weir.node.internal;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes one internal message: big-endian numbers, 4-byte lengths. Begins with the version of internal messages. Not thread-safe. */
final class WireWriter {
    static final int VERSION = 1;

    private final Buffer out;

    WireWriter(int sizeHint) {
        out = Buffer.buffer(sizeHint);
        out.appendByte((byte) VERSION);
    }

    WireWriter putByte(int value) {
        out.appendByte((byte) value);
        return this;
    }

    WireWriter putBool(boolean value) {
        return putByte(value ? 1 : 0);
    }

    WireWriter putInt(int value) {
        out.appendInt(value);
        return this;
    }

    WireWriter putLong(long value) {
        out.appendLong(value);
        return this;
    }

    WireWriter putText(String text) {
        return putBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    WireWriter putBytes(byte[] bytes) {
        out.appendInt(bytes.length);
        out.appendBytes(bytes);
        return this;
    }

    WireWriter putBytes(ByteBuffer bytes) {
        ByteBuffer view = bytes.duplicate();
        out.appendInt(view.remaining());
        if (view.hasArray()) {
            out.appendBytes(view.array(), view.arrayOffset() + view.position(), view.remaining());
        } else {
            byte[] copy = new byte[view.remaining()];
            view.get(copy);
            out.appendBytes(copy);
        }
        return this;
    }

    Buffer buffer() {
        return out;
    }
}
