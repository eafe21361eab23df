package dev.weir.node.config;

/** What refused rows may take. */
public record DeadLetterConfig(long bytesMax, long textBytesMax, long bytesPerSecond) {
    /** What a letter takes beside its text, at most. */
    static final long BESIDE_TEXT_BYTES = 2 << 10;
    /** So much of {@code dead-letters.bytes-per-second} may come at once. */
    static final long BURST_SECONDS = 4;
    /** So often {@code dead-letters.bytes-max} is looked after. */
    static final long LOOK_SECONDS = 20;

    public DeadLetterConfig {
        if (bytesMax < 64 << 10) {
            throw ConfigException.of("dead-letters.bytes-max", "at least 64KiB", Long.toString(bytesMax));
        }
        if (textBytesMax < 64 || textBytesMax > 1 << 20) {
            throw ConfigException.of("dead-letters.text-bytes-max", "64 bytes to 1MiB", Long.toString(textBytesMax));
        }
        if (bytesPerSecond < 1024 || bytesPerSecond > 64 << 20) {
            throw ConfigException.of("dead-letters.bytes-per-second", "1KiB to 64MiB", Long.toString(bytesPerSecond));
        }
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
