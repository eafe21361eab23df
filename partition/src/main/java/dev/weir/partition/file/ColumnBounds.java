package dev.weir.partition.file;

import org.jspecify.annotations.Nullable;

/**
 * What a file's statistics say of a column.
 *
 * @param nulls rows without a value
 * @param min no value is smaller: an Integer, Long, Double, Boolean or the bytes of a text, as the file stores it; null where it is not known
 * @param max as {@code min}; null where {@code min} is
 */
public record ColumnBounds(
        long nulls, @Nullable Object min, @Nullable Object max) {}
