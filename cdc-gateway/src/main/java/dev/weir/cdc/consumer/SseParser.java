package dev.weir.cdc.consumer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of a {@code text/event-stream} into frames, whatever the boundaries of chunks and whichever line ends (LF, CR LF, CR).
 *
 * <p>Not thread-safe: one parser for one connection. Memory is bounded by {@code lineBytesMax}.
 */
public final class SseParser {
    private static final int LINE_BYTES_MAX = 64 * 1024 * 1024;

    private final Consumer<SseFrame> frames;
    private byte[] line = new byte[4096];
    private int length;
    private boolean afterCr;
    private boolean first = true;

    private String event = "";
    private byte[] lastEventBytes = new byte[0];
    private String lastEvent = "";
    private @Nullable String id;
    private @Nullable String data;
    private @Nullable StringBuilder moreData;
    private long retryMs = -1;
    private long comments;

    public SseParser(Consumer<SseFrame> frames) {
        this.frames = frames;
    }

    /** The last {@code retry:} that was read, in ms; -1 where none was. */
    public long retryMs() {
        return retryMs;
    }

    /** Comment lines read so far. */
    public long comments() {
        return comments;
    }

    public void feed(byte[] bytes, int from, int count) {
        int at = from;
        int end = from + count;
        if (afterCr && at < end) {
            afterCr = false;
            if (bytes[at] == '\n') {
                at++;
            }
        }
        while (at < end) {
            int stop = lineEnd(bytes, at, end);
            if (stop == end) {
                append(bytes, at, stop - at);
                return;
            }
            if (length == 0) {
                line(bytes, at, stop);
            } else {
                append(bytes, at, stop - at);
                line(line, 0, length);
                length = 0;
            }
            at = stop + 1;
            if (bytes[stop] == '\r') {
                if (at == end) {
                    afterCr = true;
                } else if (bytes[at] == '\n') {
                    at++;
                }
            }
        }
    }

    private static int lineEnd(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end) {
            byte b = bytes[at];
            if (b <= '\r' && (b == '\n' || b == '\r')) {
                return at;
            }
            at++;
        }
        return end;
    }

    private void append(byte[] bytes, int from, int count) {
        if (length + count > line.length) {
            if (length + count > LINE_BYTES_MAX) {
                throw new IllegalStateException("a line of the stream is longer than " + LINE_BYTES_MAX + " bytes");
            }
            line = Arrays.copyOf(line, Math.max(length + count, line.length * 2));
        }
        System.arraycopy(bytes, from, line, length, count);
        length += count;
    }

    private void line(byte[] bytes, int start, int end) {
        int from = start;
        if (first) {
            first = false;
            boolean mark = end - start >= 3
                    && bytes[start] == (byte) 0xef
                    && bytes[start + 1] == (byte) 0xbb
                    && bytes[start + 2] == (byte) 0xbf;
            from = mark ? start + 3 : start;
        }
        if (from == end) {
            dispatch();
        } else if (bytes[from] == ':') {
            comments++;
        } else {
            field(bytes, from, end);
        }
    }

    private void field(byte[] bytes, int from, int end) {
        int colon = from;
        while (colon < end && bytes[colon] != ':') {
            colon++;
        }
        int value = Math.min(colon + 1, end);
        if (value < end && bytes[value] == ' ') {
            value++;
        }
        if (named(bytes, from, colon, "data")) {
            data(text(bytes, value, end));
        } else if (named(bytes, from, colon, "id")) {
            String found = text(bytes, value, end);
            id = found.indexOf('\0') >= 0 ? id : found;
        } else if (named(bytes, from, colon, "event")) {
            event = eventName(bytes, value, end);
        } else if (named(bytes, from, colon, "retry")) {
            retry(text(bytes, value, end));
        }
    }

    private static boolean named(byte[] bytes, int from, int to, String name) {
        if (to - from != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (bytes[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] bytes, int from, int end) {
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    private String eventName(byte[] bytes, int from, int end) {
        if (!Arrays.equals(bytes, from, end, lastEventBytes, 0, lastEventBytes.length)) {
            lastEventBytes = Arrays.copyOfRange(bytes, from, end);
            lastEvent = text(bytes, from, end);
        }
        return lastEvent;
    }

    private void data(String text) {
        if (data == null) {
            data = text;
            return;
        }
        if (moreData == null) {
            moreData = new StringBuilder(data);
        }
        moreData.append('\n').append(text);
    }

    private void retry(String text) {
        if (!text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            retryMs = Long.parseLong(text);
        }
    }

    private void dispatch() {
        if (data != null) {
            String all = moreData == null ? data : moreData.toString();
            frames.accept(new SseFrame(event.isEmpty() ? "message" : event, id, all));
        }
        event = "";
        id = null;
        data = null;
        moreData = null;
    }
}
