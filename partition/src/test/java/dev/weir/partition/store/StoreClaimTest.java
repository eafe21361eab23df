package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreClaimTest {
    @TempDir
    private Path directory;

    @Test
    void aStoreHoldsFilesOfOneCluster() throws Exception {
        try (ObjectStore store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")))) {
            assertThatCode(claim(store, "one")::require).doesNotThrowAnyException();
            assertThatCode(claim(store, "one")::require)
                    .as("another node of it")
                    .doesNotThrowAnyException();
            assertThatThrownBy(claim(store, "two")::require)
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> org.assertj.core.api.Assertions.assertThat(e.kind())
                                    .isEqualTo(StoreException.Kind.INVALID))
                    .hasMessageContaining("holds files of another cluster than two")
                    .hasMessageContaining("store.url needs");
        }
    }

    private StoreClaim claim(ObjectStore store, String clusterId) {
        return new StoreClaim(store, directory, () -> clusterId);
    }
}
