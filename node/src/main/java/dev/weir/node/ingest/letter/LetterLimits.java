package dev.weir.node.ingest.letter;

import dev.weir.node.config.DeadLetterConfig;

/**
 * What dead letters may take.
 *
 * @param textBytesMax {@code dead-letters.text-bytes-max}: of one row's text; what is longer is cut off
 * @param bytesPerSecond {@code dead-letters.bytes-per-second}: of one tenant's letters on one node; {@link DeadLetterConfig#BURST_SECONDS} of it may come
 *     at once
 * @param bytesMax {@code dead-letters.bytes-max}: of one tenant's letters in all; beyond, the oldest go
 */
public record LetterLimits(int textBytesMax, long bytesPerSecond, long bytesMax) {
    public LetterLimits {
        check(
                "dead-letters.text-bytes-max",
                textBytesMax,
                DeadLetterConfig.TEXT_BYTES_MIN,
                DeadLetterConfig.TEXT_BYTES_MAX);
        check(
                "dead-letters.bytes-per-second",
                bytesPerSecond,
                DeadLetterConfig.BYTES_PER_SECOND_MIN,
                DeadLetterConfig.BYTES_PER_SECOND_MAX);
        check("dead-letters.bytes-max", bytesMax, DeadLetterConfig.BYTES_MAX_MIN, Long.MAX_VALUE);
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
