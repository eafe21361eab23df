package dev.weir.node.config;

/** What refused rows may take. */
public record DeadLetterConfig(long bytesMax, long textBytesMax, long bytesPerSecond) {
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
    }

    static DeadLetterConfig of(Settings settings) {
        return new DeadLetterConfig(
                settings.bytes("dead-letters.bytes-max"),
                settings.bytes("dead-letters.text-bytes-max"),
                settings.bytes("dead-letters.bytes-per-second"));
    }
}
