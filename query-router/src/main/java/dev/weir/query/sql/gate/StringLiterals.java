package dev.weir.query.sql.gate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A statement's string literals, and its text without what they say.
 *
 * @param shape the text, each literal as {@code ''}
 */
record StringLiterals(String shape, List<StringLiteral> literals) {
    /**
     * One of them.
     *
     * @param from byte of the text where its first quote stands
     * @param bytes of it, quotes included
     */
    record StringLiteral(int from, int bytes, String value) {}

    /** Empty where quotes may mean something else: in comments, after a letter ({@code E''}), between dollars. */
    static Optional<StringLiterals> of(String text) {
        return Optional.ofNullable(new Scan(text.getBytes(StandardCharsets.UTF_8)).all());
    }

    /** What statements share that differ in their literals alone: DuckDB takes equal expressions together, so those are equal in all of them. */
    String key() {
        List<Integer> first = firstEqual();
        return IntStream.range(0, first.size()).allMatch(i -> first.get(i) == i) ? shape : shape + '\0' + first;
    }

    /** Of each the place of the first that says the same. */
    List<Integer> firstEqual() {
        Map<String, Integer> places = new HashMap<>();
        List<Integer> first = new ArrayList<>();
        for (StringLiteral each : literals) {
            int place = first.size();
            first.add(places.computeIfAbsent(each.value(), value -> place));
        }
        return first;
    }

    /** The text with other values in their places. */
    String with(List<String> values) {
        byte[] bytes = shape.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int done = 0;
        int removed = 0;
        for (int i = 0; i < literals.size(); i++) {
            StringLiteral literal = literals.get(i);
            int at = literal.from() - removed;
            text.write(bytes, done, at - done);
            text.writeBytes(quoted(values.get(i)).getBytes(StandardCharsets.UTF_8));
            done = at + 2;
            removed += literal.bytes() - 2;
        }
        text.write(bytes, done, bytes.length - done);
        return text.toString(StandardCharsets.UTF_8);
    }

    static String quoted(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static final class Scan {
        private final byte[] bytes;
        private final ByteArrayOutputStream shape = new ByteArrayOutputStream();
        private final List<StringLiteral> literals = new ArrayList<>();
        private int at;

        Scan(byte[] bytes) {
            this.bytes = bytes;
        }

        @Nullable
        StringLiterals all() {
            while (at < bytes.length) {
                boolean isPlain = switch (bytes[at]) {
                    case '\'' -> literal();
                    case '"' -> name();
                    case '$', '`' -> false;
                    case '-' -> !follows('-') && take();
                    case '/' -> !follows('*') && take();
                    default -> take();
                };
                if (!isPlain) {
                    return null;
                }
            }
            return new StringLiterals(shape.toString(StandardCharsets.UTF_8), List.copyOf(literals));
        }

        private boolean follows(char next) {
            return at + 1 < bytes.length && bytes[at + 1] == next;
        }

        private boolean take() {
            shape.write(bytes[at]);
            at++;
            return true;
        }

        private boolean literal() {
            int from = at;
            if (from > 0 && belongsToNext(bytes[from - 1])) {
                return false;
            }
            int end = end();
            if (end < 0) {
                return false;
            }
            String value = new String(bytes, from + 1, end - from - 2, StandardCharsets.UTF_8).replace("''", "'");
            if (value.chars().anyMatch(each -> each < ' ')) {
                return false;
            }
            literals.add(new StringLiteral(from, end - from, value));
            shape.write('\'');
            shape.write('\'');
            at = end;
            return true;
        }

        private boolean name() {
            int end = end();
            if (end < 0) {
                return false;
            }
            shape.write(bytes, at, end - at);
            at = end;
            return true;
        }

        /** Behind the quote that closes what begins here; below 0 where none does. */
        private int end() {
            byte quote = bytes[at];
            for (int i = at + 1; i < bytes.length; i++) {
                if (bytes[i] == quote) {
                    if (i + 1 == bytes.length || bytes[i + 1] != quote) {
                        return i + 1;
                    }
                    i++;
                }
            }
            return -1;
        }

        private static boolean belongsToNext(byte before) {
            return before < 0 || before == '_' || before == '&' || before == '\'' || Character.isLetterOrDigit(before);
        }
    }
}
