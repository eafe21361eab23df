package dev.weir.node.config;

/** What refused rows may take. */
public record DeadLetterConfig(long bytesMax, long textBytesMax, long bytesPerSecond) {
    public static final long BYTES_MAX_MIN = 64 << 10;
    public static final int TEXT_BYTES_MIN = 64;
    public static final int TEXT_BYTES_MAX = 1 << 20;
    public static final long BYTES_PER_SECOND_MIN = 1 << 10;
    /** What comes at once is one request to a partition at worst. */
    public static final long BYTES_PER_SECOND_MAX = 64 << 20;
    /** So much of {@code dead-letters.bytes-per-second} may come at once. */
    public static final int BURST_SECONDS = 4;
    /** So often {@code dead-letters.bytes-max} is looked after. */
    public static final int LOOK_SECONDS = 20;

    /** What a letter takes beside its text, at most. */
    private static final long BESIDE_TEXT_BYTES = 2 << 10;

    public DeadLetterConfig {
        check("dead-letters.bytes-max", bytesMax, BYTES_MAX_MIN, Long.MAX_VALUE);
        check("dead-letters.text-bytes-max", textBytesMax, TEXT_BYTES_MIN, TEXT_BYTES_MAX);
        check("dead-letters.bytes-per-second", bytesPerSecond, BYTES_PER_SECOND_MIN, BYTES_PER_SECOND_MAX);
        long letterBytesMax = textBytesMax + BESIDE_TEXT_BYTES;
        if (letterBytesMax > BURST_SECONDS * bytesPerSecond) {
            throw contradiction(
                    "dead-letters.bytes-per-second",
                    (letterBytesMax + BURST_SECONDS - 1) / BURST_SECONDS,
                    "so that a letter with dead-letters.text-bytes-max " + textBytesMax + " ever passes",
                    bytesPerSecond);
        }
        if (LOOK_SECONDS * bytesPerSecond > bytesMax) {
            throw contradiction(
                    "dead-letters.bytes-max",
                    LOOK_SECONDS * bytesPerSecond,
                    "what comes at dead-letters.bytes-per-second " + bytesPerSecond + " before the next look after "
                            + LOOK_SECONDS + " s",
                    bytesMax);
        }
    }

    private static void check(String key, long found, long min, long max) {
        if (found < min || found > max) {
            String expected = max == Long.MAX_VALUE ? "at least " + min : min + " to " + max;
            throw ConfigException.of(key, expected + " bytes", Long.toString(found));
        }
    }

    private static ConfigException contradiction(String key, long min, String why, long found) {
        return ConfigException.of(key, "at least " + min + ", " + why, Long.toString(found));
    }

    static DeadLetterConfig of(Settings settings) {
        return new DeadLetterConfig(
                settings.bytes("dead-letters.bytes-max"),
                settings.bytes("dead-letters.text-bytes-max"),
                settings.bytes("dead-letters.bytes-per-second"));
    }
}
