package dev.weir.partition.file;

import dev.weir.partition.store.LocalFile;

/**
 * A finished data file.
 *
 * @param rows at least 1
 * @param firstSeq smallest seq of a row
 * @param lastSeq largest seq of a row
 */
public record WrittenFile(
        LocalFile file, long rows, long minTimestampNanos, long maxTimestampNanos, long firstSeq, long lastSeq) {}
