package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of Server-Sent Events as messages of a WebSocket, one for one; so whatever frames there are, both carriers have them.
 *
 * <pre>
 * event: point_written\nid: Ab;1:2\ndata: {…}\n\n   →   {"event":"point_written","id":"Ab;1:2","data":{…}}
 * event: lost\ndata: {…}\n\n                        →   {"event":"lost","data":{…}}
 * : ka\n\n                                          →   {@link #PING}
 * </pre>
 */
final class JsonMessages {
    /** Stands for a frame that only keeps the connection alive: not a message, but a ping. */
    static final String PING = "";
    /** Of what the messages look like; rises when a client would have to know. */
    static final int VERSION = 1;

    private static final byte[] EVENT = JsonBytes.ascii("event: ");
    private static final byte[] ID = JsonBytes.ascii("id: ");
    private static final byte[] DATA = JsonBytes.ascii("data: ");
    private static final byte[] COMMENT = JsonBytes.ascii(":");

    private JsonMessages() {}

    /**
     * The first message: what a browser can't read from the answer's headers, and how long to wait before coming back.
     *
     * @param cursor where the stream begins; null where it begins with history
     * @param generation of the subscription whose stream it is; null of none
     */
    static String opening(@Nullable String cursor, @Nullable String generation, long retryMs) {
        return "{\"event\":\"open\",\"data\":{\"version\":" + VERSION + ",\"cursor\":"
                + (cursor == null ? "null" : "\"" + cursor + "\"")
                + (generation == null ? "" : ",\"generation\":" + generation) + ",\"retry_ms\":" + retryMs + "}}";
    }

    /** @param frames whole ones */
    static List<String> of(Buffer frames) {
        return new Reader(frames.getBytes()).messages();
    }

    private static final class Reader {
        private final byte[] bytes;
        private final JsonBytes message = new JsonBytes(1024);
        private final List<String> messages = new ArrayList<>();
        private boolean comment;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        List<String> messages() {
            int start = 0;
            for (int at = 0; at < bytes.length; at++) {
                if (bytes[at] == '\n') {
                    line(start, at);
                    start = at + 1;
                }
            }
            return messages;
        }

        private void line(int from, int to) {
            if (from == to) {
                frame();
            } else if (begins(EVENT, from)) {
                text("event", from + EVENT.length, to);
            } else if (begins(ID, from)) {
                text("id", from + ID.length, to);
            } else if (begins(DATA, from)) {
                key("data");
                message.put(bytes, from + DATA.length, to - from - DATA.length);
            } else {
                comment |= begins(COMMENT, from);
            }
        }

        /** Neither names of events nor cursors have characters that JSON would escape. */
        private void text(String name, int from, int to) {
            key(name);
            message.put('"');
            message.put(bytes, from, to - from);
            message.put('"');
        }

        private void key(String name) {
            message.put(JsonBytes.ascii((message.length() == 0 ? "{\"" : ",\"") + name + "\":"));
        }

        private void frame() {
            if (message.length() > 0) {
                message.put('}');
                messages.add(new String(message.array(), 0, message.length(), StandardCharsets.UTF_8));
            } else if (comment) {
                messages.add(PING);
            }
            message.clear();
            comment = false;
        }

        private boolean begins(byte[] text, int at) {
            if (bytes.length - at < text.length) {
                return false;
            }
            for (int i = 0; i < text.length; i++) {
                if (bytes[at + i] != text[i]) {
                    return false;
                }
            }
            return true;
        }
    }
}
