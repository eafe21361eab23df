package dev.weir.wal.payload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** One file of records (length, checksum, log index, payload), with the offset of each record in memory. */
final class DataFile {
    private static final int HEADER_BYTES = 16;
    private static final int READ_BYTES = 1 << 20;

    private final FileChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(1 << 20);
    private long[] indexes = new long[1024];
    private long[] offsets = new long[1024];
    private int count;
    private long end;

    DataFile(Path path) throws IOException {
        channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        long size = channel.size();
        while (end + HEADER_BYTES <= size) {
            channel.read(header.clear(), end);
            add(header.getLong(8), end);
            end += HEADER_BYTES + header.getInt(0);
        }
    }

    synchronized void append(long index, ByteString payload) throws IOException {
        CRC32C crc = new CRC32C();
        out.clear();
        out.putInt(payload.size()).putInt(0).putLong(index);
        payload.copyTo(out);
        crc.update(out.duplicate().flip().position(HEADER_BYTES));
        out.putInt(4, (int) crc.getValue()).flip();
        int bytes = out.remaining();
        channel.write(out, end);
        add(index, end);
        end += bytes;
    }

    void force() throws IOException {
        channel.force(false);
    }

    byte[] read(long index) throws IOException {
        long offset;
        synchronized (this) {
            int at = Arrays.binarySearch(indexes, 0, count, index);
            offset = offsets[at < 0 ? -at - 2 : at];
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        channel.read(header, offset);
        ByteBuffer payload = ByteBuffer.allocate(header.getInt(0));
        channel.read(payload, offset + HEADER_BYTES);
        check(payload.flip(), header.getInt(4));
        return payload.array();
    }

    long readAll() throws IOException {
        long bytes = 0;
        long offset = 0;
        while (offset < end) {
            ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(READ_BYTES, end - offset));
            channel.read(chunk, offset);
            chunk.flip();
            int at = 0;
            while (at + HEADER_BYTES <= chunk.limit() && at + HEADER_BYTES + chunk.getInt(at) <= chunk.limit()) {
                int length = chunk.getInt(at);
                check(chunk.slice(at + HEADER_BYTES, length), chunk.getInt(at + 4));
                bytes += length;
                at += HEADER_BYTES + length;
            }
            offset += at;
        }
        return bytes;
    }

    void close() throws IOException {
        channel.close();
    }

    private void add(long index, long offset) {
        if (count == indexes.length) {
            indexes = Arrays.copyOf(indexes, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        indexes[count] = index;
        offsets[count] = offset;
        count++;
    }

    private static void check(ByteBuffer payload, int expected) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        if ((int) crc.getValue() != expected) {
            throw new IOException("checksum: expected " + expected + ", found " + (int) crc.getValue());
        }
    }
}
