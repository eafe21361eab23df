package dev.weir.node.ingest.letter;

import org.jspecify.annotations.Nullable;

/**
 * A row on its way into the table.
 *
 * @param code why: an error code, or {@link LetterTable#QUARANTINED}
 * @param line as the answer to the write names it
 * @param measurement null where the row's text does not tell
 * @param truncated the text is not the row as it came
 */
public record Letter(
        String code, int line, @Nullable String measurement, String message, String text, boolean truncated) {
    /** What a letter takes beside its texts, about. */
    private static final int BYTES_BESIDE = 256;

    /** What it counts against limits: characters and some more. */
    public int bytes() {
        return BYTES_BESIDE + text.length() + message.length();
    }
}
