package dev.weir.node.ingest.rows;

import java.nio.charset.StandardCharsets;

/**
 * The backslash of line protocol. In names and tag values it matters only directly before a delimiter (comma, space, and equals sign but in
 * measurements): of a run of backslashes there each pair is one backslash, and a single one left over makes the delimiter part of the name.
 * Anywhere else a backslash is itself. In quoted strings {@code \"} and {@code \\} are escapes, any other backslash is itself.
 */
final class Escapes {
    private Escapes() {}

    /** A tag key, tag value or field key; {@code end} is where its delimiter stands. */
    static String name(byte[] raw, int from, int end) {
        return text(raw, from, end, true);
    }

    static String measurement(byte[] raw, int from, int end) {
        return text(raw, from, end, false);
    }

    /** Whether the delimiter at {@code at} is one, not part of the name: whether an even number of backslashes stands before it. */
    static boolean delimits(byte[] raw, int from, int at) {
        int run = at;
        while (run > from && raw[run - 1] == '\\') {
            run--;
        }
        return (at - run) % 2 == 0;
    }

    /** Copies the inside of a quoted string without its escapes; returns the length written at {@code to}. */
    static int string(byte[] raw, int from, int end, byte[] target, int to) {
        int out = to;
        for (int i = from; i < end; i++) {
            byte c = raw[i];
            if (c == '\\' && i + 1 < end && (raw[i + 1] == '"' || raw[i + 1] == '\\')) {
                c = raw[++i];
            }
            target[out++] = c;
        }
        return out - to;
    }

    private static String text(byte[] raw, int from, int end, boolean equalsDelimits) {
        if (ByteScan.indexOf(raw, '\\', from, end) == end) {
            return new String(raw, from, end - from, StandardCharsets.UTF_8);
        }
        byte[] out = new byte[end - from];
        int length = 0;
        for (int i = from; i < end; ) {
            if (raw[i] != '\\') {
                out[length++] = raw[i++];
                continue;
            }
            int afterRun = i;
            while (afterRun < end && raw[afterRun] == '\\') {
                afterRun++;
            }
            int run = afterRun - i;
            boolean escapes = afterRun == end || isDelimiter(raw[afterRun], equalsDelimits);
            int backslashes = escapes ? run / 2 : run;
            for (int k = 0; k < backslashes; k++) {
                out[length++] = '\\';
            }
            i = afterRun;
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private static boolean isDelimiter(byte c, boolean equalsDelimits) {
        return c == ',' || c == ' ' || (c == '=' && equalsDelimits);
    }
}
