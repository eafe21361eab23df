package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanSweepTest {
    private static final String CPU = "t/cpu-1/";
    private static final long GRACE = 3_600_000_000_000L;

    @TempDir
    private Path directory;

    private ObjectStore store;
    private OrphanSweep sweep;

    @BeforeEach
    void open() throws Exception {
        store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")));
        sweep = new OrphanSweep(3, store, Duration.ofNanos(GRACE));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void removesWhatNobodyNamesAfterTheGrace() throws Exception {
        String named = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        String nobodys = put(CPU + "date=2026-01-01/p3-1-9-bb.parquet");

        sweep.sweep(List.of(CPU), Set.of(), Set.of(named), 0);
        sweep.sweep(List.of(CPU), Set.of(), Set.of(named), GRACE - 1);
        assertThat(store.stat(nobodys)).isPresent();
        assertThat(sweep.waiting()).isEqualTo(1);

        sweep.sweep(List.of(CPU), Set.of(), Set.of(named), GRACE);
        assertThat(store.stat(nobodys)).isEmpty();
        assertThat(store.stat(named)).isPresent();
        assertThat(sweep.removed()).isEqualTo(1);
    }

    @Test
    void theGraceBeginsAnewWhereAFileWasNamedInBetween() throws Exception {
        String file = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        sweep.sweep(List.of(CPU), Set.of(), Set.of(), 0);
        sweep.sweep(List.of(CPU), Set.of(), Set.of(file), GRACE / 2);
        sweep.sweep(List.of(CPU), Set.of(), Set.of(), GRACE);
        assertThat(store.stat(file)).isPresent();
    }

    @Test
    void leavesFilesOfOtherPartitionsAloneWhateverTablesAreCalled() throws Exception {
        String other = put(CPU + "date=2026-01-01/p33-1-9-aa.parquet");
        String table = put("t/p3-1-9/date=2026-01-01/p4-1-9-aa.parquet");
        String foreign = put("t/mem-7/date=2026-01-01/p3-1-9-aa.parquet");

        for (long now : List.of(0L, GRACE, 2 * GRACE)) {
            sweep.sweep(List.of(CPU, "t/p3-1-9/"), Set.of(), Set.of(), now);
        }

        assertThat(store.stat(other)).isPresent();
        assertThat(store.stat(table)).isPresent();
        assertThat(store.stat(foreign))
                .as("of a table that this partition does not know")
                .isPresent();
    }

    @Test
    void theLogOfATableGoesWhenItIsPublishedNoMore() throws Exception {
        String log = put(CPU + "_delta_log/00000000000000000000.json");
        sweep.sweep(List.of(CPU), Set.of(CPU), Set.of(), 0);
        sweep.sweep(List.of(CPU), Set.of(CPU), Set.of(), GRACE);
        assertThat(sweep.waiting()).isZero();

        sweep.sweep(List.of(CPU), Set.of(), Set.of(), GRACE);
        assertThat(store.stat(log)).as("for a grace").isPresent();
        sweep.sweep(List.of(CPU), Set.of(), Set.of(), 2 * GRACE);
        assertThat(store.stat(log)).isEmpty();
    }

    private String put(String key) throws Exception {
        byte[] bytes = key.getBytes();
        Path file = Files.write(directory.resolve("file"), bytes);
        store.put(
                key,
                new LocalFile(
                        file, bytes.length, MessageDigest.getInstance("SHA-256").digest(bytes)));
        Files.delete(file);
        return key;
    }
}
