package dev.weir.partition.engine;

/**
 * Which points lie in flushed files, as far as one partition's log has come. Asked by apply where a row is not newer than its series' newest
 * point and not in the buffer, so an answer must come from local memory or disk, never from the object store, and must be the same on every
 * replica.
 *
 * <p>Threading: the apply thread alone.
 */
public interface FlushedPoints {
    /** Of a partition without files. */
    FlushedPoints NONE = new FlushedPoints() {
        @Override
        public boolean contains(int seriesId, long timestampNanos) {
            return false;
        }

        @Override
        public void deleteRange(int seriesId, long fromNanos, long toNanos, long seq) {}

        @Override
        public void dropTable(int tableId, long seq) {}
    };

    /** A flushed row of that series and timestamp is still part of the table: no later delete covers it. */
    boolean contains(int seriesId, long timestampNanos);

    /**
     * Rows of the series between two times (both inclusive) were deleted by the event {@code seq}; a deleted series is the range of all
     * times.
     */
    void deleteRange(int seriesId, long fromNanos, long toNanos, long seq);

    /** The table was dropped by the event {@code seq}. */
    void dropTable(int tableId, long seq);
}
