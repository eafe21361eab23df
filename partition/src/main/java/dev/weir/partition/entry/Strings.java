package dev.weir.partition.entry;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A decoded column of strings. Made into {@link String} when asked; those of a dictionary once. Safe for threads: races only repeat work. */
final class Strings {
    /** Texts one after the other, with the end of each. */
    record Texts(byte[] bytes, int[] ends) {
        String get(int index) {
            int from = index == 0 ? 0 : ends[index - 1];
            return new String(bytes, from, ends[index] - from, StandardCharsets.UTF_8);
        }
    }

    private final Texts texts;
    private final int @Nullable [] entryOf;
    private final @Nullable String[] made;

    /** @param entryOf which text each value is; null when each has its own */
    Strings(Texts texts, int @Nullable [] entryOf) {
        this.texts = texts;
        this.entryOf = entryOf;
        this.made = new @Nullable String[entryOf == null ? 0 : texts.ends().length];
    }

    String get(int value) {
        if (entryOf == null) {
            return texts.get(value);
        }
        int entry = entryOf[value];
        String text = made[entry];
        if (text == null) {
            text = texts.get(entry);
            made[entry] = text;
        }
        return text;
    }
}
