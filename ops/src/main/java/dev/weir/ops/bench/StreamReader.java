package dev.weir.ops.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads a change stream over SSE and hands over the data line of each event, without parsing more than it must. The thread that calls
 * {@link #run} reads; another may {@link #close} it.
 */
final class StreamReader implements AutoCloseable {
    private final HttpURLConnection connection;
    private final Listener listener;

    /** Hears of each event that is a change; bytes are valid during the call only. */
    interface Listener {
        void event(byte[] line, int length);
    }

    StreamReader(URI node, String query, Optional<String> token, Listener listener) throws IOException {
        this.listener = listener;
        connection = (HttpURLConnection)
                URI.create(node + "/api/v1/cdc/stream?" + query).toURL().openConnection();
        connection.setRequestProperty("Accept", "text/event-stream");
        token.ifPresent(text -> connection.setRequestProperty("Authorization", "Bearer " + text));
    }

    /** Connects; when this returns the node has accepted the subscription. */
    void open() throws IOException {
        if (connection.getResponseCode() != 200) {
            InputStream error = connection.getErrorStream();
            String words = error == null ? "" : new String(error.readAllBytes(), StandardCharsets.UTF_8);
            throw new IOException("the stream answered " + connection.getResponseCode() + ", expected 200: " + words);
        }
    }

    /** Reads until the stream ends or is closed. */
    void run() throws IOException {
        byte[] chunk = new byte[1 << 16];
        byte[] line = new byte[1 << 12];
        int length = 0;
        boolean change = false;
        InputStream in = connection.getInputStream();
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
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
        for (int i = 0; i <= length - name.length; i++) {
            int k = 0;
            while (k < name.length && line[i + k] == name[k]) {
                k++;
            }
            if (k == name.length) {
                long value = 0;
                for (int at = i + k; at < length && line[at] >= '0' && line[at] <= '9'; at++) {
                    value = value * 10 + line[at] - '0';
                }
                return value;
            }
        }
        return -1;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
