package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.node.ingest.HealthCheck;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreChecksTest {
    @TempDir
    private Path directory;

    @Test
    void aStoreThatCannotBeUsedIsNamed() throws Exception {
        Path folder = directory.resolve("store");
        try (ObjectStore store = ObjectStore.open(StoreConfig.folder(folder))) {
            Files.move(folder, directory.resolve("gone"));
            Files.writeString(folder, "not a folder");
            check(store, folder);
        }
    }

    private static void check(ObjectStore store, Path folder) {
        try (StoreTrial trial = StoreTrial.start(store)) {
            await().atMost(Duration.ofSeconds(20)).until(() -> trial.failure() != null);
            assertThat(StoreChecks.of(trial, store.metrics())).singleElement().satisfies(check -> {
                assertThat(check.name()).isEqualTo("store_probe");
                assertThat(check.message()).contains("has not shown yet that it can be used", folder.toString());
            });
            assertThat(trial.passed()).isFalse();
        }
    }

    @Test
    void aStoreThatPassesIsNotNamed() throws Exception {
        try (ObjectStore store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")));
                StoreTrial trial = StoreTrial.start(store)) {
            await().atMost(Duration.ofSeconds(20)).until(trial::passed);
            assertThat(StoreChecks.of(trial, store.metrics())).isEmpty();
        }
    }

    @Test
    void clocksThatDifferByMoreThanFiveSecondsAreNamed() {
        assertThat(skew(5_000)).isEmpty();
        assertThat(skew(-5_000)).isEmpty();
        assertThat(skew(1_200_000)).singleElement().satisfies(check -> {
            assertThat(check.name()).isEqualTo("store_clock");
            assertThat(check.message())
                    .startsWith("clock skew: the object store's clock is 1200 s ahead of this node's");
        });
        assertThat(skew(-6_000))
                .singleElement()
                .satisfies(check -> assertThat(check.message()).contains("6 s behind"));
    }

    private static List<HealthCheck> skew(long ms) {
        List<HealthCheck> checks = new ArrayList<>();
        StoreChecks.addSkew(checks, ms);
        return checks;
    }
}
