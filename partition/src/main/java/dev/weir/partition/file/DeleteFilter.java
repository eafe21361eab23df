package dev.weir.partition.file;

import org.jspecify.annotations.Nullable;

/** Which rows a merge leaves out. */
public interface DeleteFilter {
    DeleteFilter NONE = (canonicalTags, hash) -> null;

    /**
     * Asked once a series, in file order.
     *
     * @param canonicalTags of the series, read only
     * @return what of it goes; null: nothing
     */
    @Nullable
    Rows ofSeries(byte[] canonicalTags, long hash);

    /** Which rows of one series go. */
    interface Rows {
        Rows ALL = (timeNanos, seq) -> true;

        boolean deletes(long timeNanos, long seq);
    }
}
