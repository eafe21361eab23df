package dev.weir.partition.file;

/**
 * What bounds the memory of writing a data file and the size of its parts.
 *
 * @param groupRows rows of a row group at most
 * @param groupBytes bytes of raw values of a row group at most, give or take a batch: what a writer holds in memory
 * @param pageRows rows of a page at most
 * @param zstdLevel 1 to 19
 * @param streamSplit doubles may be written as BYTE_STREAM_SPLIT where that is smallest; off, since Spark 3 does not read it without
 *     switching its vectorized reader off
 */
public record FileLimits(int groupRows, long groupBytes, int pageRows, int zstdLevel, boolean streamSplit) {
    public static final FileLimits DEFAULT = new FileLimits(122_880, 64L << 20, 20_480, 1, false);

    public FileLimits {
        if (groupRows < 1 || groupBytes < 1 << 16 || pageRows < 1 || zstdLevel < 1 || zstdLevel > 19) {
            throw new IllegalArgumentException(
                    "data file limits: expected rows of at least 1, 65536 bytes, level 1 to 19, found " + groupRows
                            + ", " + groupBytes + ", " + pageRows + ", " + zstdLevel);
        }
    }
}
