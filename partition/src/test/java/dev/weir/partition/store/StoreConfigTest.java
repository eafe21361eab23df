package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StoreConfigTest {
    @Test
    void takesFoldersAndBuckets() {
        for (String url : List.of(
                "file:/var/lib/weir", "file:///var/lib/weir", "s3://bucket", "s3://bucket/a/b/", "s3://my_bucket")) {
            new StoreConfig(URI.create(url), S3Config.DEFAULT, RetryConfig.DEFAULT);
        }
        assertThat(StoreConfig.folder(Path.of("/tmp/a b/ж")).url().getPath()).isEqualTo("/tmp/a b/ж");
    }

    @Test
    void refusesOtherUrlsNamingTheKey() {
        for (String url : List.of(
                "file:relative", "http://host/x", "s3:bucket", "s3://key:secret@bucket", "s3://bucket?x=1", "/var")) {
            assertThatThrownBy(() -> new StoreConfig(URI.create(url), S3Config.DEFAULT, RetryConfig.DEFAULT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("store.url: expected");
        }
    }

    @Test
    void refusesLimitsOutOfRange() {
        assertThatThrownBy(
                        () -> new S3Config(Optional.of(URI.create("minio:9000")), "r", true, Optional.empty(), 5 << 20))
                .hasMessageContaining("store.s3.endpoint");
        assertThatThrownBy(() -> new S3Config(Optional.empty(), "r", true, Optional.empty(), 1 << 20))
                .hasMessageContaining("store.s3.part-bytes");
        assertThatThrownBy(() -> new S3Config(Optional.empty(), " ", true, Optional.empty(), 5 << 20))
                .hasMessageContaining("store.s3.region");
        assertThatThrownBy(() -> new RetryConfig(
                        Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .hasMessageContaining("first delay <= longest");
    }

    @Test
    void neverShowsTheSecret() {
        S3Config config =
                new S3Config(Optional.empty(), "r", true, Optional.of(new S3Credentials("key", "hush")), 5 << 20);
        assertThat(new StoreConfig(URI.create("s3://b"), config, RetryConfig.DEFAULT).toString())
                .contains("key")
                .doesNotContain("hush");
    }
}
