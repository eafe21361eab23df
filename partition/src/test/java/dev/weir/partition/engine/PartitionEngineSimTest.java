package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.check.AcknowledgedPresentCheck;
import dev.weir.partition.check.DenseSeqCheck;
import dev.weir.partition.check.FoldEqualsTableCheck;
import dev.weir.partition.check.PointKey;
import dev.weir.partition.entry.ApplyReply;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.SeriesRow;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three replicas fold one random log, each at its own pace, with crashes, snapshots, installations and trims between; what they answer, tell and
 * hold is compared with each other byte by byte and with {@link PartitionModel}. A failure names its seed.
 */
class PartitionEngineSimTest {
    private static final int REPLICAS = 3;
    private static final int ENTRIES = 120;
    private static final PartitionFence FENCE = new PartitionFence(List.of(new SlotRange(0, 3000)), 1, Rows.GENERATION);

    /** Of all seeds: one alone may have none. */
    private static final AtomicInteger QUARANTINES = new AtomicInteger();

    private static final AtomicInteger QUARANTINES_VOID = new AtomicInteger();
    private static final AtomicInteger MOVED = new AtomicInteger();
    private static final AtomicInteger READ_FROM_STORE = new AtomicInteger();
    private static final AtomicInteger TRIMMED_FROM_STORE = new AtomicInteger();

    /** Moves that came after a trim of what they moved. */
    private static final AtomicInteger OVERTAKEN = new AtomicInteger();

    @TempDir
    private Path directory;

    @AfterAll
    static void someQuarantinesHeldAndSomeCameTooLate() {
        assertThat(QUARANTINES).hasPositiveValue();
        assertThat(QUARANTINES_VOID).hasPositiveValue();
        assertThat(MOVED).hasPositiveValue();
        assertThat(READ_FROM_STORE).hasPositiveValue();
        assertThat(TRIMMED_FROM_STORE).hasPositiveValue();
        assertThat(OVERTAKEN).hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void replicasAgreeWithEachOtherAndWithTheModel(int group) throws Exception {
        for (int seed = group * 10; seed < group * 10 + 10; seed++) {
            try {
                new Simulation(directory.resolve("seed-" + seed), seed, null).run();
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** As above, while history is moved to a store: also by leaders that die on the way, twice, and under terms that are over. */
    @ParameterizedTest
    @ValueSource(ints = {10, 11, 12})
    void historyInTheStoreIsHistory(int group) throws Exception {
        for (int seed = group * 10; seed < group * 10 + 10; seed++) {
            Path folder = directory.resolve("seed-" + seed);
            try (RemoteStore store = new RemoteStore(folder.resolve("store"))) {
                new Simulation(folder, seed, store).run();
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Simulation {
        private final Random random;
        private final SimWorkload workload;
        private final PartitionModel model = new PartitionModel(FENCE);
        private final List<SimReplica> replicas = new ArrayList<>();
        private final List<byte[]> log = new ArrayList<>();
        private final List<Long> clocks = new ArrayList<>();
        private final List<List<AppendOutcome>> expected = new ArrayList<>();
        private final AcknowledgedPresentCheck acknowledged = new AcknowledgedPresentCheck();
        private final Map<AcknowledgedPresentCheck.Row, String> unitOfRow = new HashMap<>();
        private final List<AcknowledgedPresentCheck.Row> refused = new ArrayList<>();
        /** Of units that came again with more rows: whether such a row is stored depends on what was there. */
        private final Set<AcknowledgedPresentCheck.Row> partial = new HashSet<>();

        private long clock = 1000;
        private final @Nullable RemoteStore store;
        private final Path directory;
        private long purged;
        private long trimmed;

        /** Copies in the store that the log does not know of yet. */
        private final List<MovedSegment> pending = new ArrayList<>();

        /** @param store where history is moved; null: it is not */
        Simulation(Path directory, int seed, @Nullable RemoteStore store) throws IOException {
            this.directory = directory;
            this.store = store;
            random = new Random(seed);
            workload = new SimWorkload(random, () -> model.events().size() + 1L);
            for (int i = 0; i < REPLICAS; i++) {
                replicas.add(new SimReplica(directory.resolve("replica-" + i), this::transfer, moved(i), random));
            }
        }

        /** With room for a few segments, so that most are fetched again and again. */
        private MovedSegments moved(int replica) throws IOException {
            return store == null
                    ? MovedSegments.NONE
                    : new CachedSegments(
                            FileCache.open(directory.resolve("cache-" + replica), 10_000, store), Runnable::run);
        }

        void run() throws Exception {
            fence();
            while (log.size() < ENTRIES) {
                step();
            }
            for (SimReplica replica : replicas) {
                catchUp(replica, log.size());
                check(replica);
            }
            QUARANTINES.addAndGet(model.quarantines());
            QUARANTINES_VOID.addAndGet(model.quarantinesVoid());
            refused.stream().filter(row -> !partial.contains(row)).forEach(acknowledged::refused);
            streamed().forEach(acknowledged::event);
            assertThat(acknowledged.violations().first()).isEmpty();
            assertThat(replicas.get(1).segments()).isEqualTo(replicas.get(0).segments());
            assertThat(replicas.get(2).segments()).isEqualTo(replicas.get(0).segments());
            checkMoved();
            replicas.forEach(SimReplica::close);
        }

        private void step() throws Exception {
            SimReplica replica = replicas.get(random.nextInt(REPLICAS));
            int dice = random.nextInt(100);
            if (store != null && random.nextInt(6) == 0) {
                stepOfHistory(store, replica);
            } else if (dice < 55) {
                append(workload.entry());
            } else if (dice < 85) {
                catchUp(replica, replica.applied() + 1 + random.nextInt(8));
            } else if (dice < 90) {
                replica.snapshot();
            } else if (dice < 95) {
                replica.crash();
            } else if (dice < 96) {
                purge();
            } else if (dice < 97) {
                trim(replica);
            } else if (dice < 98) {
                flush(replica);
            } else {
                install(replica);
            }
        }

        private void stepOfHistory(RemoteStore to, SimReplica replica) throws Exception {
            int dice = random.nextInt(10);
            if (dice < 4) {
                flush(replica);
            } else if (dice < 7) {
                move(to, replica);
                if (random.nextInt(3) == 0) {
                    trim(replica);
                }
            } else if (dice < 9) {
                movePending();
                catchUp(replica, log.size());
                readAll(replica);
            } else {
                readAll(replica);
            }
        }

        /** A leader that has applied everything copies what it should not keep; most times the log learns of it, sooner or later. */
        private void move(RemoteStore to, SimReplica replica) throws Exception {
            catchUp(replica, log.size());
            OpenReplica open = replica.replica().opened();
            MovePlanner.Move next =
                    new MovePlanner(open).plan(random.nextInt(4_000), 0).orElse(null);
            if (next != null && next.begun()) {
                copied(new SegmentOutput(Rows.PARTITION, to, directory)
                        .write(open.segments(), next.segment(), next.fromSeq()));
            } else if (next != null) {
                append(List.of(new SimOp.MovesBegin()));
            }
        }

        private void copied(MovedSegment copy) {
            int fate = random.nextInt(10);
            if (fate > 3) {
                pending.add(copy);
            } else if (fate > 0) {
                moved(copy, fate == 1 ? 2 : 1);
            }
            if (fate == 2) {
                moved(copy, 1);
            }
        }

        /** The entry of a copy that took long: trims, flushes and other moves may be before it. */
        private void movePending() {
            if (!pending.isEmpty()) {
                MovedSegment copy = pending.remove(random.nextInt(pending.size()));
                OVERTAKEN.addAndGet(copy.firstSeq() < trimmed ? 1 : 0);
                moved(copy, 1);
            }
        }

        private void moved(MovedSegment copy, long term) {
            append(List.of(new SimOp.Move(copy, term)));
            workload.trimmed();
        }

        /** Whatever a replica has applied is read from its oldest event on, once. */
        private void readAll(SimReplica replica) throws IOException {
            int downloads = store == null ? 0 : store.downloads.get();
            List<ChangeEvent> events = replica.events();
            ReplicaFeed feed = replica.replica().feed();
            assertThat(events).isEqualTo(model.events().subList((int) feed.oldestSeq() - 1, (int) feed.nextSeq() - 1));
            READ_FROM_STORE.addAndGet(store == null ? 0 : store.downloads.get() - downloads);
        }

        private void checkMoved() {
            List<MovedHistory> moved = replicas.stream()
                    .map(replica -> replica.replica().opened().history().moved())
                    .toList();
            assertThat(moved)
                    .extracting(MovedHistory::through)
                    .containsOnly(moved.getFirst().through());
            assertThat(moved)
                    .extracting(each ->
                            each.segments().stream().map(MovedSegment::key).toList())
                    .containsOnly(moved.getFirst().segments().stream()
                            .map(MovedSegment::key)
                            .toList());
            MOVED.addAndGet(moved.getFirst().segments().size());
        }

        private void fence() {
            EntryBuilder entry = new EntryBuilder(new DefinitionTable());
            entry.add(new FenceSection(FENCE.slots(), FENCE.epoch(), FENCE.generation()));
            log(entry.build(), List.of());
        }

        /** A leader may be any replica, however far it has come. */
        private void append(List<SimOp> ops) {
            SimReplica leader = replicas.get(random.nextInt(REPLICAS));
            EntryBuilder entry = new EntryBuilder(leader.replica().opened().definitions());
            ops.forEach(op -> op.addTo(entry));
            log(entry.build(), ops);
        }

        private void log(ByteBuffer entry, List<SimOp> ops) {
            byte[] bytes = new byte[entry.remaining()];
            entry.get(bytes);
            clock += random.nextInt(5) - 1;
            log.add(bytes);
            clocks.add(clock);
            List<AppendOutcome> outcomes = model.apply(clock, ops);
            expected.add(outcomes);
            acknowledge(ops, outcomes);
        }

        private void acknowledge(List<SimOp> ops, List<AppendOutcome> outcomes) {
            int at = 0;
            for (SimOp op : ops) {
                if (op instanceof SimOp.Append append && outcomes.get(at) instanceof Applied applied) {
                    acknowledge(append, applied);
                }
                at += op.answers() ? 1 : 0;
            }
        }

        private void acknowledge(SimOp.Append append, Applied applied) {
            int index = 0;
            for (SimOp.Block block : append.blocks()) {
                for (Rows.Row row : block.rows()) {
                    int at = index++;
                    SeriesKey series = new SeriesKey(
                            block.schema().tenant(), block.schema().name(), SimOp.tags(row.host()));
                    AcknowledgedPresentCheck.Row sent =
                            new AcknowledgedPresentCheck.Row(new PointKey(series, row.time()), row.fields());
                    if (applied.voided().stream().anyMatch(no -> no.row() == at)) {
                        refused.add(sent);
                    } else if (workload.isPartial(append)) {
                        partial.add(sent);
                    } else {
                        acknowledged.acknowledged(sent);
                    }
                    if (append.unit() != null) {
                        unitOfRow.put(sent, append.unit().key());
                    }
                }
            }
        }

        /**
         * All events, but of rows that a unit had which came again with more rows only the first that inserts: where their points were deleted in between, that
         * inserted them once more. One that updates what is there twice is a fault.
         */
        private List<ChangeEvent> streamed() {
            Set<AcknowledgedPresentCheck.Row> once = new HashSet<>();
            return model.events().stream()
                    .filter(event -> {
                        PointKey point = new PointKey(
                                new SeriesKey(event.tenant(), event.measurement(), event.tags()),
                                event.timestampNanos());
                        AcknowledgedPresentCheck.Row row = new AcknowledgedPresentCheck.Row(point, event.fields());
                        String unit = unitOfRow.get(row);
                        boolean inserts = event.operation() == Operation.INSERT;
                        return unit == null || !workload.hasGrown(unit) || once.add(row) || !inserts;
                    })
                    .toList();
        }

        private void catchUp(SimReplica replica, long index) throws Exception {
            if (replica.applied() < purged) {
                install(replica);
            }
            while (replica.applied() < Math.min(index, log.size())) {
                int next = (int) replica.applied();
                byte[] reply = replica.apply(next + 1, clocks.get(next), log.get(next));
                List<AppendOutcome> outcomes = ApplyReply.decode(reply).outcomes();
                assertThat(outcomes.stream().map(SimWorkload::plain).toList())
                        .isEqualTo(expected.get(next).stream()
                                .map(SimWorkload::plain)
                                .toList());
            }
        }

        /** Entries that one replica's snapshot covers leave the log; who lacks them has to install. */
        private void purge() throws IOException {
            SimReplica keeper = replicas.get(random.nextInt(REPLICAS));
            if (keeper.applied() > purged) {
                keeper.snapshot();
                purged = keeper.applied();
            }
        }

        /** What a leader that has applied everything finds may go. */
        private void trim(SimReplica replica) throws Exception {
            catchUp(replica, log.size());
            OpenReplica open = replica.replica().opened();
            TrimPlanner planner = new TrimPlanner(open);
            long seq = store == null
                    ? planner.plan(0, Long.MAX_VALUE, List.of())
                    : planner.plan(random.nextInt(20_000), 0, List.of());
            TRIMMED_FROM_STORE.addAndGet((int) open.history().moved().segments().stream()
                    .filter(segment -> segment.nextSeq() <= seq)
                    .count());
            append(List.of(new SimOp.Trim(seq)));
            trimmed = Math.max(trimmed, seq);
            workload.trimmed();
        }

        /** A file takes what one table has buffered; of files only their names are here. */
        private void flush(SimReplica replica) throws Exception {
            catchUp(replica, log.size());
            TableSchema table =
                    workload.tables().get(random.nextInt(workload.tables().size()));
            TableCut cut = replica.replica().opened().cut(table.tableId()).orElse(null);
            if (cut != null) {
                long through = cut.nextSeq() - 1 - random.nextInt(3);
                StoredFile file = new StoredFile(
                        "file-" + log.size(),
                        1,
                        1,
                        new byte[32],
                        0,
                        SimWorkload.TIMES,
                        cut.files().flushedThrough() + 1,
                        Math.max(1, through),
                        0,
                        0,
                        FENCE.slots(),
                        false,
                        Math.max(1, through),
                        1);
                append(List.of(new SimOp.Flush(
                        table.tableId(), cut.files().flushedThrough(), Math.max(1, through), List.of(file))));
            }
        }

        private void install(SimReplica replica) throws Exception {
            SimReplica from = replicas.stream()
                    .filter(each -> each.applied() >= purged && each != replica)
                    .findAny()
                    .orElse(replica);
            if (from.applied() > replica.applied()) {
                from.snapshot();
                replica.install(Integer.toString(replicas.indexOf(from)));
            }
        }

        private ReplicaSource.Transfer transfer(String node, int partition, int generation) throws IOException {
            ReplicaFiles files = replicas.get(Integer.parseInt(node)).replica().files();
            ReplicaFiles.Opened opened = files.open();
            return new ReplicaSource.Transfer() {
                @Override
                public byte[] manifest() {
                    return opened.manifest();
                }

                @Override
                public int read(String file, long offset, ByteBuffer target) throws IOException {
                    return files.read(opened.id(), file, offset, target);
                }

                @Override
                public void close() throws IOException {
                    files.close(opened.id());
                }
            };
        }

        private void check(SimReplica replica) throws IOException {
            List<ChangeEvent> events = replica.events();
            long oldest = replica.replica().feed().oldestSeq();
            assertThat(events)
                    .isEqualTo(model.events()
                            .subList((int) oldest - 1, model.events().size()));
            DenseSeqCheck dense = new DenseSeqCheck();
            FoldEqualsTableCheck fold = new FoldEqualsTableCheck();
            events.forEach(dense::event);
            model.events().forEach(fold::event);
            assertThat(dense.violations().first()).isEmpty();
            for (TableSchema table : workload.tables()) {
                List<SeriesRow> latest = replica.replica()
                        .latest(
                                new LatestQuery(table.tenant(), table.name(), Map.of(), 1000),
                                new ModelRows(model.table()))
                        .rows();
                fold.latest(table.tenant(), table.name(), latest);
            }
            assertThat(fold.violations()).isEmpty();
            checkKeys(replica.replica().opened());
        }

        /** Each time of each series is a point here if it is one in the model. */
        private void checkKeys(OpenReplica open) {
            for (TableSchema table : workload.tables()) {
                TableDirectory.Table known = open.definitions().tables().table(table.tableId());
                for (int series : known == null ? new int[0] : known.allSeries()) {
                    SeriesKey key = new SeriesKey(
                            table.tenant(), table.name(), open.definitions().tags(series));
                    NavigableMap<Long, Map<String, Object>> points =
                            model.table().points().get(key);
                    for (long time = -1; time <= SimWorkload.TIMES; time++) {
                        assertThat(open.state().points().contains(series, time))
                                .as("%s at %d", key, time)
                                .isEqualTo(points != null && points.containsKey(time));
                    }
                }
            }
        }
    }
}
