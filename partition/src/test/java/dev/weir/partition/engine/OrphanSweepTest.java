package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

        sweep.sweep(List.of(CPU), naming(named), 0);
        sweep.sweep(List.of(CPU), naming(named), GRACE - 1);
        assertThat(store.stat(nobodys)).isPresent();
        assertThat(sweep.waiting()).extracting(Orphan::key).containsExactly(nobodys);

        sweep.sweep(List.of(CPU), naming(named), GRACE);
        assertThat(sweep.waiting()).isEmpty();
        assertThat(store.stat(nobodys)).isEmpty();
        assertThat(store.stat(named)).isPresent();
        assertThat(sweep.removed()).isEqualTo(1);
    }

    @Test
    void theGraceBeginsAnewWhereAFileWasNamedInBetween() throws Exception {
        String file = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        sweep.sweep(List.of(CPU), naming(), 0);
        sweep.sweep(List.of(CPU), naming(file), GRACE / 2);
        sweep.sweep(List.of(CPU), naming(), GRACE);
        assertThat(store.stat(file)).isPresent();
    }

    @Test
    void leavesFilesOfOtherPartitionsAloneWhateverTablesAreCalled() throws Exception {
        String other = put(CPU + "date=2026-01-01/p33-1-9-aa.parquet");
        String table = put("t/p3-1-9/date=2026-01-01/p4-1-9-aa.parquet");
        String foreign = put("t/mem-7/date=2026-01-01/p3-1-9-aa.parquet");

        for (long now : List.of(0L, GRACE, 2 * GRACE)) {
            sweep.sweep(List.of(CPU, "t/p3-1-9/"), naming(), now);
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
        Owned published = naming().publishing(CPU);
        sweep.sweep(List.of(CPU), published, 0);
        sweep.sweep(List.of(CPU), published, GRACE);
        assertThat(sweep.waiting()).isEmpty();

        sweep.sweep(List.of(CPU), naming(), GRACE);
        assertThat(store.stat(log)).as("for a grace").isPresent();
        sweep.sweep(List.of(CPU), naming(), 2 * GRACE);
        assertThat(store.stat(log)).isEmpty();
    }

    @Test
    void aFileThatReadersOfAPublishedTableKnowStays() throws Exception {
        String replaced = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        Owned published = naming().publishing(CPU, replaced);
        sweep.sweep(List.of(CPU), published, 0);
        sweep.sweep(List.of(CPU), published, GRACE);
        assertThat(store.stat(replaced)).isPresent();
    }

    @Test
    void whatALeaseHoldsStaysUntilTheLeaseEnds() throws Exception {
        String replaced = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        String other = put(CPU + "date=2026-01-01/p3-1-9-bb.parquet");
        sweep.sweep(List.of(CPU), naming().holding(replaced), 0);
        sweep.sweep(List.of(CPU), naming().holding(replaced), 2 * GRACE);
        assertThat(store.stat(other)).isEmpty();
        assertThat(store.stat(replaced)).isPresent();
        assertThat(sweep.waiting())
                .singleElement()
                .satisfies(orphan -> assertThat(orphan.mayGo()).isFalse());

        sweep.sweep(List.of(CPU), naming(), 2 * GRACE);
        assertThat(store.stat(replaced)).isEmpty();
    }

    @Test
    void anUnreadableLogKeepsItsTableAloneFromBeingSwept() throws Exception {
        String unread = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        String other = put("t/mem-2/date=2026-01-01/p3-1-9-aa.parquet");
        List<String> prefixes = List.of(CPU, "t/mem-2/");
        sweep.sweep(prefixes, naming(), 0);

        List<String> failures = sweep.sweep(prefixes, naming().unreadable(CPU), GRACE);

        assertThat(failures).singleElement().asString().contains(CPU, "no log");
        assertThat(store.stat(other)).isEmpty();
        assertThat(store.stat(unread)).isPresent();
        assertThat(sweep.waiting()).singleElement().satisfies(orphan -> {
            assertThat(orphan.key()).isEqualTo(unread);
            assertThat(orphan.mayGo()).isFalse();
        });
        assertThat(sweep.sweep(prefixes, naming(), GRACE)).isEmpty();
        assertThat(store.stat(unread)).as("its grace went on").isEmpty();
    }

    @Test
    void whoCannotShowThatHeLeadsRemovesNothing() throws Exception {
        String file = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        sweep.sweep(List.of(CPU), naming(), 0);
        Owned deposed = new Owned(Set.of(), Optional.empty(), Map.of(), Set.of(), Set.of());
        assertThatThrownBy(() -> sweep.sweep(List.of(CPU), deposed, GRACE)).hasMessage("deposed");
        assertThat(store.stat(file)).isPresent();
    }

    @Test
    void whatWasCommittedAfterTheListingStays() throws Exception {
        String file = put(CPU + "date=2026-01-01/p3-1-9-aa.parquet");
        sweep.sweep(List.of(CPU), naming(), 0);
        sweep.sweep(List.of(CPU), new Owned(Set.of(), Optional.of(Set.of(file)), Map.of(), Set.of(), Set.of()), GRACE);
        assertThat(store.stat(file)).isPresent();
    }

    @Test
    void anObjectPutAgainUnderItsKeyIsAnotherOne() throws Exception {
        String log = put(CPU + "_delta_log/00000000000000000000.json");
        sweep.sweep(List.of(CPU), naming(), 0);
        store.delete(log);
        put(log);
        Files.setLastModifiedTime(
                directory.resolve("store").resolve(log), java.nio.file.attribute.FileTime.fromMillis(1_000));
        sweep.sweep(List.of(CPU), naming(), GRACE);
        assertThat(store.stat(log)).isPresent();
    }

    private static Owned naming(String... keys) {
        return new Owned(Set.of(keys), Optional.of(Set.of(keys)), Map.of(), Set.of(), Set.of());
    }

    /**
     * @param confirmedKeys empty: this replica leads no more
     * @param publishedKeys tables, and the keys that they name
     */
    private record Owned(
            Set<String> known,
            Optional<Set<String>> confirmedKeys,
            Map<String, Set<String>> publishedKeys,
            Set<String> broken,
            Set<String> held)
            implements OrphanSweep.Owners {
        Owned publishing(String prefix, String... keys) {
            return new Owned(known, confirmedKeys, Map.of(prefix, Set.of(keys)), broken, held);
        }

        Owned unreadable(String prefix) {
            return new Owned(known, confirmedKeys, publishedKeys, Set.of(prefix), held);
        }

        Owned holding(String... keys) {
            return new Owned(known, confirmedKeys, publishedKeys, broken, Set.of(keys));
        }

        @Override
        public boolean isHeld(String key) {
            return held.contains(key);
        }

        @Override
        public Set<String> confirmed() throws IOException {
            return confirmedKeys.orElseThrow(() -> new IOException("deposed"));
        }

        @Override
        public Optional<Set<String>> published(String prefix) throws IOException {
            if (broken.contains(prefix)) {
                throw new IOException("no log");
            }
            return Optional.ofNullable(publishedKeys.get(prefix));
        }
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
