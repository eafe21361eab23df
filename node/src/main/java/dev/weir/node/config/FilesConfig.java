package dev.weir.node.config;

import dev.weir.partition.engine.FilePolicy;
import dev.weir.partition.engine.FlushPolicy;
import dev.weir.partition.engine.RetentionPolicy;
import dev.weir.partition.store.RetryConfig;
import dev.weir.partition.store.S3Config;
import dev.weir.partition.store.S3Credentials;
import dev.weir.partition.store.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where tables' files live, when they are made, and when rows and files go.
 *
 * @param publishInterval between looks at published tables
 * @param cacheBytesMax of files kept on this node's disk
 */
public record FilesConfig(
        StoreConfig store, FilePolicy policy, RetentionPolicy retention, Duration publishInterval, long cacheBytesMax) {
    private static final Duration FIRST_DELAY = Duration.ofMillis(100);
    private static final Duration PUBLISH_INTERVAL_MIN = Duration.ofSeconds(1);

    static FilesConfig of(Settings settings) {
        try {
            return new FilesConfig(
                    store(settings),
                    new FilePolicy(flush(settings), settings.duration("store.orphan-age")),
                    new RetentionPolicy(settings.duration("retention.interval")),
                    publishInterval(settings),
                    settings.bytes("cache.bytes-max"));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static Duration publishInterval(Settings settings) {
        Duration interval = settings.duration("publish.interval");
        if (interval.compareTo(PUBLISH_INTERVAL_MIN) < 0) {
            throw new IllegalArgumentException("publish.interval: expected at least " + PUBLISH_INTERVAL_MIN.toSeconds()
                    + " s, found " + interval.toMillis() + " ms");
        }
        return interval;
    }

    private static StoreConfig store(Settings settings) {
        RetryConfig retry = new RetryConfig(
                settings.duration("store.retry-budget"),
                FIRST_DELAY,
                settings.duration("store.retry-delay-max"),
                settings.duration("store.request-timeout"));
        S3Config s3 = new S3Config(
                settings.optional("store.s3.endpoint").map(text -> uri("store.s3.endpoint", text)),
                settings.text("store.s3.region"),
                settings.isOn("store.s3.path-style"),
                credentials(settings),
                Math.toIntExact(settings.bytes("store.s3.part-bytes")));
        Path folder = Path.of(settings.text("data.dir")).resolve("store");
        URI url = settings.optional("store.url")
                .map(text -> uri("store.url", text))
                .orElseGet(() -> StoreConfig.folder(folder).url());
        return new StoreConfig(url, s3, retry);
    }

    private static URI uri(String key, String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw ConfigException.of(key, "a URL", text);
        }
    }

    private static Optional<S3Credentials> credentials(Settings settings) {
        Optional<String> accessKey = settings.optional("store.s3.access-key");
        Optional<Path> secretFile = settings.path("store.s3.secret-key-file");
        if (accessKey.isEmpty() && secretFile.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new S3Credentials(
                    accessKey.orElse(""),
                    secretFile.isEmpty()
                            ? ""
                            : Files.readString(secretFile.get()).strip()));
        } catch (IOException e) {
            throw new ConfigException("store.s3.secret-key-file: " + e.getMessage());
        }
    }

    private static FlushPolicy flush(Settings settings) {
        return new FlushPolicy(
                settings.duration("flush.age"),
                settings.count("flush.rows"),
                settings.bytes("flush.bytes"),
                settings.duration("flush.min-interval"));
    }
}
