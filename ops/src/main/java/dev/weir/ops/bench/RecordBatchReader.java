package dev.weir.ops.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a change stream as Arrow record batches and counts their rows: heads of messages are looked into, bodies only where they are asked for.
 *
 * <pre>
 * ff ff ff ff | length of the head | head: a flatbuffer, Message {version, header type, header, body length} | body
 * </pre>
 *
 * A head of no bytes is the end of a stream; the next one follows it, or the answer ends.
 */
final class RecordBatchReader implements SubscriptionReader {
    private static final int HEAD_MAX = 16 << 20;
    private static final int BODY_MAX = 64 << 20;
    private static final int MESSAGE_HEADER_TYPE = 1;
    private static final int MESSAGE_HEADER = 2;
    private static final int MESSAGE_BODY_LENGTH = 3;
    private static final int BATCH_LENGTH = 0;
    private static final byte RECORD_BATCH = 3;

    private final Socket socket;
    private final PushbackInputStream body;
    private final Listener listener;
    private final byte[] skipped = new byte[OpenedStream.RECEIVE_BYTES];
    /** Written by the thread that reads alone. */
    private final AtomicLong bytes = new AtomicLong();

    /** Hears of each batch that has rows, once it has come whole. */
    interface Listener {
        void batch(long rows);

        /** Null where bodies are passed over. */
        default @Nullable Consumer<byte[]> bodies() {
            return null;
        }
    }

    private RecordBatchReader(Socket socket, InputStream body, Listener listener) {
        this.socket = socket;
        this.body = new PushbackInputStream(body, 1);
        this.listener = listener;
    }

    /** Connects; when this returns the node has accepted the subscription. */
    static RecordBatchReader open(URI node, String query, Optional<String> token, Listener listener)
            throws IOException {
        OpenedStream opened = OpenedStream.open(node, query, "application/vnd.apache.arrow.stream", token);
        return new RecordBatchReader(opened.socket(), opened.body(), listener);
    }

    @Override
    public void run() throws IOException {
        while (true) {
            ByteBuffer prefix = read(8);
            int mark = prefix.getInt();
            int length = prefix.getInt();
            if (mark != -1 || length < 0 || length > HEAD_MAX) {
                throw new IOException("expected a message of at most " + HEAD_MAX + " bytes behind ffffffff, found "
                        + Integer.toHexString(mark) + " and " + length);
            }
            if (length == 0) {
                if (ended()) {
                    return;
                }
                continue;
            }
            ByteBuffer head = read(length);
            int message = head.getInt(0);
            int type = field(head, message, MESSAGE_HEADER_TYPE);
            long rows = type != 0 && head.get(type) == RECORD_BATCH ? rows(head, message) : 0;
            int bodyLength = field(head, message, MESSAGE_BODY_LENGTH);
            long bytesOfBody = bodyLength == 0 ? 0 : head.getLong(bodyLength);
            Consumer<byte[]> bodies = listener.bodies();
            if (rows > 0 && bodies != null) {
                bodies.accept(body(bytesOfBody));
            } else {
                skip(bytesOfBody);
            }
            if (rows > 0) {
                listener.batch(rows);
            }
        }
    }

    /** Behind the mark of a stream: another may follow, with another schema. */
    private boolean ended() throws IOException {
        int next = body.read();
        if (next >= 0) {
            body.unread(next);
        }
        return next < 0;
    }

    private static long rows(ByteBuffer head, int message) {
        int at = field(head, message, MESSAGE_HEADER);
        int batch = at + head.getInt(at);
        int length = field(head, batch, BATCH_LENGTH);
        return length == 0 ? 0 : head.getLong(length);
    }

    /** Where a field of a table lies in a flatbuffer; 0 where it is left out, since it has its default. */
    private static int field(ByteBuffer head, int table, int field) {
        int layout = table - head.getInt(table);
        int slot = 4 + 2 * field;
        int offset = slot < head.getShort(layout) ? head.getShort(layout + slot) : 0;
        return offset == 0 ? 0 : table + offset;
    }

    private byte[] body(long length) throws IOException {
        if (length > BODY_MAX) {
            throw new IOException("expected a batch of at most " + BODY_MAX + " bytes, found " + length);
        }
        return read((int) length).array();
    }

    private ByteBuffer read(int count) throws IOException {
        byte[] all = body.readNBytes(count);
        if (all.length < count) {
            throw new EOFException("the stream ended within a message");
        }
        bytes.lazySet(bytes.get() + count);
        return ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void skip(long count) throws IOException {
        long left = count;
        while (left > 0) {
            int read = body.read(skipped, 0, (int) Math.min(left, skipped.length));
            if (read < 0) {
                throw new EOFException("the stream ended within a batch");
            }
            left -= read;
        }
        bytes.lazySet(bytes.get() + count);
    }

    @Override
    public long bytes() {
        return bytes.get();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
