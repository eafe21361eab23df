package dev.weir.node.ingest.letter;

/**
 * What dead letters may take.
 *
 * @param textBytesMax {@code dead-letters.text-bytes-max}: of one row's text; what is longer is cut off
 * @param bytesPerSecond {@code dead-letters.bytes-per-second}: of one tenant's letters on one node; {@link #BURST_SECONDS} of it may come at once
 * @param bytesMax {@code dead-letters.bytes-max}: of one tenant's letters in all; beyond, the oldest go
 */
public record LetterLimits(int textBytesMax, long bytesPerSecond, long bytesMax) {
    static final int BURST_SECONDS = 4;
    private static final int TEXT_BYTES_MIN = 64;
    private static final int TEXT_BYTES_MAX = 1 << 20;
    /** What comes at once is one request to a partition at worst. */
    private static final long BYTES_PER_SECOND_MAX = 64 << 20;

    public LetterLimits {
        check("dead-letters.text-bytes-max", textBytesMax, TEXT_BYTES_MIN, TEXT_BYTES_MAX);
        check("dead-letters.bytes-per-second", bytesPerSecond, 1024, BYTES_PER_SECOND_MAX);
        check("dead-letters.bytes-max", bytesMax, 64 << 10, Long.MAX_VALUE);
    }

    public static LetterLimits defaults() {
        return new LetterLimits(32 << 10, 1 << 20, 256L << 20);
    }

    private static void check(String key, long found, long min, long max) {
        if (found < min || found > max) {
            throw new IllegalArgumentException(key + ": expected " + min + " to " + max + " bytes, found " + found);
        }
    }
}
