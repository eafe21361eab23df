package dev.weir.ops.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a change stream over SSE and hands over the data line of each event, without parsing more than it must. The thread that calls
 * {@link #run} reads; another may {@link #close} it.
 */
final class StreamReader implements SubscriptionReader {
    private final Socket socket;
    private final InputStream body;
    private final Listener listener;
    /** Written by the thread that reads alone. */
    private final AtomicLong bytes = new AtomicLong();

    /** Hears of each event that is a change; bytes are valid during the call only. */
    interface Listener {
        void event(byte[] line, int length);
    }

    private StreamReader(Socket socket, InputStream body, Listener listener) {
        this.socket = socket;
        this.body = body;
        this.listener = listener;
    }

    /** Connects; when this returns the node has accepted the subscription. */
    static StreamReader open(URI node, String query, Optional<String> token, Listener listener) throws IOException {
        OpenedStream opened = OpenedStream.open(node, query, "text/event-stream", token);
        return new StreamReader(opened.socket(), opened.body(), listener);
    }

    @Override
    public void run() throws IOException {
        byte[] chunk = new byte[OpenedStream.RECEIVE_BYTES];
        byte[] line = new byte[1 << 12];
        int length = 0;
        boolean change = false;
        for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
            bytes.lazySet(bytes.get() + read);
            for (int i = 0; i < read; i++) {
                byte b = chunk[i];
                if (b != '\n') {
                    if (length == line.length) {
                        line = java.util.Arrays.copyOf(line, line.length * 2);
                    }
                    line[length++] = b;
                    continue;
                }
                if (startsWith(line, length, "event:")) {
                    change = isChange(line, length);
                } else if (change && startsWith(line, length, "data:")) {
                    listener.event(line, length);
                }
                length = 0;
            }
        }
    }

    /** Control frames are named checkpoint, gap, resolved, lost; a change is named after its type. */
    private static boolean isChange(byte[] line, int length) {
        int at = "event:".length();
        while (at < length && line[at] == ' ') {
            at++;
        }
        return at < length && (line[at] == 'p' || line[at] == 's' || line[at] == 'm');
    }

    private static boolean startsWith(byte[] line, int length, String prefix) {
        if (length < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (line[i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The integer after {@code "name":} in a line, -1 where there is none. */
    static long number(byte[] line, int length, byte[] name) {
        int at = behind(line, 0, length, name);
        return at < 0 ? -1 : numberAt(line, at, length);
    }

    /** Where a text ends that begins at that place or later; -1 where it does not occur. */
    static int behind(byte[] bytes, int from, int length, byte[] text) {
        for (int i = from; i <= length - text.length; i++) {
            int k = 0;
            while (k < text.length && bytes[i + k] == text[k]) {
                k++;
            }
            if (k == text.length) {
                return i + k;
            }
        }
        return -1;
    }

    static long numberAt(byte[] bytes, int from, int length) {
        long value = 0;
        for (int at = from; at < length && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
            value = value * 10 + bytes[at] - '0';
        }
        return value;
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
