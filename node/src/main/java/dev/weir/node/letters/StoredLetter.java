package dev.weir.node.letters;

import dev.weir.node.ingest.letter.LetterKey;
import dev.weir.node.ingest.letter.LetterReplay;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code _dead_letters}.
 *
 * @param measurement null where the text does not tell
 * @param truncated the text is not the whole row
 */
public record StoredLetter(
        long timeNanos,
        String code,
        String node,
        String id,
        @Nullable String measurement,
        String message,
        String text,
        boolean truncated,
        String format,
        String parameters,
        long line) {
    static final String COLUMNS =
            "epoch_ns(time), code, node, id, measurement, message, text, truncated, format, parameters, line";

    /** @param cells as {@link #COLUMNS} asks for them */
    static StoredLetter of(@Nullable Object[] cells) {
        return new StoredLetter(
                number(cells[0]),
                text(cells[1]),
                text(cells[2]),
                text(cells[3]),
                (String) cells[4],
                text(cells[5]),
                text(cells[6]),
                Boolean.TRUE.equals(cells[7]),
                text(cells[8]),
                text(cells[9]),
                number(cells[10]));
    }

    LetterKey key() {
        return new LetterKey(timeNanos, node, code);
    }

    LetterReplay.Kept kept() {
        return new LetterReplay.Kept(text, format, parameters);
    }

    private static String text(@Nullable Object cell) {
        return cell == null ? "" : (String) cell;
    }

    private static long number(@Nullable Object cell) {
        return ((Number) Objects.requireNonNull(cell)).longValue();
    }
}
