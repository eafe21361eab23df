package dev.weir.node.ingest.rows;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Pieces of a body, made safe for messages and logs: shortened, control characters and broken bytes escaped. */
final class Snippet {
    private static final int LINE_CHARS_MAX = 80;
    private static final int TOKEN_CHARS_MAX = 40;

    private Snippet() {}

    static String ofLine(byte[] bytes, int from, int end) {
        return of(bytes, from, end, LINE_CHARS_MAX);
    }

    static String ofToken(byte[] bytes, int from, int end) {
        return of(bytes, from, end, TOKEN_CHARS_MAX);
    }

    /** Escapes and shortens a name that came from a user. */
    static String of(String text) {
        return of(text, TOKEN_CHARS_MAX);
    }

    /** Escapes and shortens a sentence that may quote a user. */
    static String ofText(String text) {
        return of(text, 2 * LINE_CHARS_MAX);
    }

    private static String of(String text, int charsMax) {
        StringBuilder out = new StringBuilder();
        int chars = Math.min(text.length(), charsMax);
        for (int i = 0; i < chars; i++) {
            append(out, text.charAt(i));
        }
        return text.length() > chars ? out.append('…').toString() : out.toString();
    }

    private static String of(byte[] bytes, int from, int end, int charsMax) {
        int length = Math.min(end - from, charsMax * 4);
        int cut = from + length;
        while (cut < end && cut > from && (bytes[cut] & 0xc0) == 0x80) {
            cut--;
        }
        StringBuilder out = new StringBuilder();
        String text = decode(bytes, from, cut);
        if (text != null) {
            int chars = Math.min(text.length(), charsMax);
            for (int i = 0; i < chars; i++) {
                append(out, text.charAt(i));
            }
            return chars < text.length() || cut < end ? out.append('…').toString() : out.toString();
        }
        int shown = Math.min(end, from + charsMax);
        for (int i = from; i < shown; i++) {
            append(out, bytes[i] < 0 ? '\uffff' : (char) bytes[i], bytes[i]);
        }
        return shown < end ? out.append('…').toString() : out.toString();
    }

    private static @Nullable String decode(byte[] bytes, int from, int end) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, end - from))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static void append(StringBuilder out, char c) {
        append(out, c, (byte) c);
    }

    private static void append(StringBuilder out, char c, byte raw) {
        if (c == '\n') {
            out.append("\\n");
        } else if (c == '\r') {
            out.append("\\r");
        } else if (c == '\t') {
            out.append("\\t");
        } else if (c == '\uffff' || c < ' ' || c == 0x7f) {
            out.append(String.format("\\x%02x", raw & 0xff));
        } else if (Character.isISOControl(c) || Character.isSurrogate(c) || Character.getType(c) == Character.FORMAT) {
            out.append(String.format("\\u%04x", (int) c));
        } else {
            out.append(c);
        }
    }
}
