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
            int stop = at;
            while (stop < end && bytes[stop] != '\n' && bytes[stop] != '\r') {
                stop++;
            }
            append(bytes, at, stop - at);
            if (stop == end) {
                return;
            }
            endLine();
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

    private void endLine() {
        int from = 0;
        if (first) {
            first = false;
            boolean mark = length >= 3 && line[0] == (byte) 0xef && line[1] == (byte) 0xbb && line[2] == (byte) 0xbf;
            from = mark ? 3 : 0;
        }
        if (from == length) {
            dispatch();
        } else if (line[from] == ':') {
            comments++;
        } else {
            field(from);
        }
        length = 0;
    }

    private void field(int from) {
        int colon = from;
        while (colon < length && line[colon] != ':') {
            colon++;
        }
        int value = Math.min(colon + 1, length);
        if (value < length && line[value] == ' ') {
            value++;
        }
        if (named(from, colon, "data")) {
            data(text(value));
        } else if (named(from, colon, "id")) {
            String found = text(value);
            id = found.indexOf('\0') >= 0 ? id : found;
        } else if (named(from, colon, "event")) {
            event = eventName(value);
        } else if (named(from, colon, "retry")) {
            retry(text(value));
        }
    }

    private boolean named(int from, int to, String name) {
        if (to - from != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (line[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String text(int from) {
        return new String(line, from, length - from, StandardCharsets.UTF_8);
    }

    private String eventName(int from) {
        if (!Arrays.equals(line, from, length, lastEventBytes, 0, lastEventBytes.length)) {
            lastEventBytes = Arrays.copyOfRange(line, from, length);
            lastEvent = text(from);
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
