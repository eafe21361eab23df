package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.StoreClaim;
import dev.weir.partition.store.StoreException;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is moved to the store is read from there as if it had never left; nothing goes from the disk before the log says that it is in the store. */
final class MoveHistoryTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));
    private static final TableSchema CPU = Rows.schema(7, "t", "cpu", 1);
    private static final PartitionFence ALL =
            new PartitionFence(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION);
    private static final String PREFIX = SegmentOutput.prefix(Rows.PARTITION);
    private static final int WRITES = 40;

    @TempDir
    private Path directory;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final BufferBudget budget = new BufferBudget(10_000, 1 << 30);
    private final AtomicLong clock = new AtomicLong(1_000);
    private RemoteStore store;
    private FileCache cache;
    private PartitionReplica replica;
    private MemoryLogHost host;
    private PartitionWriter writer;
    private PartitionFlusher flusher;
    private List<ChangeEvent> written;

    @BeforeEach
    void open() throws Exception {
        store = new RemoteStore(directory.resolve("store"));
        cache = FileCache.open(directory.resolve("cache"), 1 << 20, store);
        replica = new PartitionReplica(
                Rows.PARTITION,
                Rows.GENERATION,
                new ReplicaSettings(new SegmentConfig(400), 300),
                budget,
                (node, partition, generation) -> {
                    throw new IOException("no other node");
                },
                new CachedSegments(cache, executor),
                executor);
        host = new MemoryLogHost(directory.resolve("log"), () -> clock.addAndGet(1_000));
        host.open(GROUP, LogMembers.joining(), replica).toCompletableFuture().get(10, TimeUnit.SECONDS);
        writer = new PartitionWriter(host, GROUP, replica, budget, WriterConfig.DEFAULT, () -> ALL, executor);
        Path temporary = Files.createDirectories(directory.resolve("unfinished"));
        flusher = new PartitionFlusher(
                replica,
                writer,
                new FilePlace(cache, new StoreClaim(store, temporary, () -> "c"), temporary, Publications.NONE),
                new FilePolicy(FlushPolicy.DEFAULT, Duration.ofNanos(1)),
                schema -> CPU,
                () -> 1_000);
        for (int i = 0; i < WRITES; i++) {
            write(i);
        }
        written = events(1);
    }

    @AfterEach
    void close() {
        writer.close();
        host.close();
        executor.close();
        cache.close();
        store.close();
    }

    @Test
    void theOldestSegmentsAreReadFromTheStoreAsIfTheyWereHere() throws Exception {
        flusher.flushAll();
        long all = replica.feed().bytesFrom(1);
        long young = written.getLast().committedAtNanos() + 1;
        List<Long> sought = seek();

        assertThat(flusher.moveDue(800, 0)).isGreaterThan(3);

        assertThat(here()).isBetween(1L, 800L);
        assertThat(moved().segments()).hasSizeGreaterThan(3);
        assertThat(store.keys(PREFIX))
                .isEqualTo(moved().segments().stream().map(MovedSegment::key).toList());
        assertThat(replica.feed().oldestSeq()).isEqualTo(1);
        assertThat(replica.stats().oldestSeq()).isEqualTo(1);
        assertThat(events(1)).isEqualTo(written);
        assertThat(events(17)).isEqualTo(written.subList(16, written.size()));
        assertThat(replica.feed().bytesFrom(1)).isEqualTo(all);
        assertThat(seek()).isEqualTo(sought);
        assertThat(replica.feed().seekTime(young)).isEqualTo(replica.feed().nextSeq());
        assertThat(flusher.moveDue(800, 0)).as("all is done").isZero();
        assertThat(flusher.historyStats().moves()).isEqualTo(moved().segments().size());
    }

    @Test
    void whatIsMovedIsTheSegmentByteByByte() throws Exception {
        flusher.flushAll();
        SegmentFile first = replica.opened().segments().segments().getFirst();
        byte[] bytes = Files.readAllBytes(replica.opened().segmentFolder().resolve(first.name()));

        flusher.moveDue(800, 0);

        MovedSegment moved = moved().segments().getFirst();
        assertThat(directory.resolve("store").resolve(moved.key())).hasBinaryContent(bytes);
        assertThat(moved.nextSeq()).isEqualTo(first.nextSeq());
        assertThat(moved.lastCommittedAtNanos()).isEqualTo(first.lastCommittedAtNanos());
    }

    @Test
    void rowsThatNoFileHoldsStayHere() throws Exception {
        assertThat(flusher.moveDue(0, 0)).isZero();
        assertThat(moved().isEmpty()).isTrue();
    }

    @Test
    void whatIsAboutToGoAltogetherIsNotMovedBefore() throws Exception {
        flusher.flushAll();
        long second = replica.opened().segments().segments().get(1).nextSeq();
        assertThat(flusher.moveDue(0, second)).isZero();
        writer.trim(second).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(flusher.moveDue(0, second)).isPositive();
        assertThat(replica.feed().oldestSeq()).isEqualTo(second);
        assertThat(events(second)).isEqualTo(written.subList((int) second - 1, written.size()));
    }

    /** Nobody remembered it, once, and history before it came back with a hole behind. */
    @Test
    void aTrimWhileTheFirstCopyIsStoredMakesItVoid() throws Exception {
        flusher.flushAll();
        long second = replica.opened().segments().segments().get(1).nextSeq();
        store.beforePut = () -> trim(second);
        assertThat(flusher.moveDue(0, 0)).isZero();
        store.beforePut = () -> {};

        assertThat(flusher.historyStats().voidMoves()).isEqualTo(1);
        assertThat(replica.feed().oldestSeq()).isEqualTo(second);
        assertThat(flusher.moveDue(0, 0)).isPositive();
        assertThat(replica.feed().oldestSeq()).isEqualTo(second);
        assertThat(events(second)).isEqualTo(written.subList((int) second - 1, written.size()));
        sweepTwice();
        assertThat(store.keys(PREFIX))
                .isEqualTo(moved().segments().stream().map(MovedSegment::key).toList());
    }

    @Test
    void aRestartRemembersATrimOfBeforeTheFirstMove() throws Exception {
        flusher.flushAll();
        MovedSegment copy = copyOfTheOldest();
        long second = replica.opened().segments().segments().get(1).nextSeq();
        trim(second);
        host.snapshot(GROUP).toCompletableFuture().get(10, TimeUnit.SECONDS);
        replica.close();
        replica.restore(directory.resolve("log").resolve(GROUP.toString()));

        append(new MoveSection(copy, 1));

        assertThat(moved().isEmpty()).isTrue();
        assertThat(replica.feed().oldestSeq()).isEqualTo(second);
    }

    @Test
    void nothingRemembersTrimsWhereNothingIsMoved() throws Exception {
        flusher.flushAll();
        assertThat(flusher.moveDue(Long.MAX_VALUE, 0)).isZero();
        trim(replica.opened().segments().segments().getFirst().nextSeq());
        assertThat(moved()).as("the manifest is as before").isEqualTo(MovedHistory.NONE);
    }

    @Test
    void nothingLeavesTheDiskWhileTheStoreIsAway() throws Exception {
        flusher.flushAll();
        long before = here();
        store.away = true;
        assertThatThrownBy(() -> flusher.moveDue(0, 0)).isInstanceOf(StoreException.class);
        write(WRITES);
        assertThat(here()).isGreaterThan(before);
        assertThat(flusher.historyStats().moveFailures()).isEqualTo(1);

        store.away = false;
        assertThat(flusher.moveDue(0, 0)).isPositive();
        assertThat(events(1)).hasSize(WRITES + 2);
    }

    @Test
    void aReaderIsToldToComeAgainWhileTheStoreIsAway() throws Exception {
        flusher.flushAll();
        flusher.moveDue(0, 0);
        store.away = true;
        assertThat(replica.feed().oldestSeq()).isEqualTo(1);
        assertThatThrownBy(() -> events(1))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(SeqTrimmedException.class)
                .hasMessageContaining("away");
        long here = replica.opened().segments().oldestSeq();
        assertThat(events(here)).as("what is here").isEqualTo(written.subList((int) here - 1, written.size()));

        store.away = false;
        assertThat(events(1)).isEqualTo(written);
    }

    @Test
    void whoAsksHowOldAnEventIsFetchesNothing() throws Exception {
        flusher.flushAll();
        flusher.moveDue(800, 0);
        MovedSegment first = moved().segments().getFirst();
        store.away = true;

        assertThat(replica.feed().kept(first.nextSeq() - 1))
                .isEqualTo(new PartitionFeed.Kept(replica.feed().nextSeq(), first.firstCommittedAtNanos()));
        ChangeEvent last = written.getLast();
        assertThat(replica.feed().kept(last.seq()).committedAtNanos()).isEqualTo(last.committedAtNanos());
        assertThat(store.downloads).hasValue(0);
        trim(first.nextSeq());
        assertThatThrownBy(() -> replica.feed().kept(1)).isInstanceOf(SeqTrimmedException.class);
    }

    @Test
    void aCopyWhoseAnswerWasLostBelongsToNobodyAndGoes() throws Exception {
        flusher.flushAll();
        store.losesAnswers = true;
        assertThatThrownBy(() -> flusher.moveDue(0, 0)).isInstanceOf(StoreException.class);
        store.losesAnswers = false;
        assertThat(store.keys(PREFIX)).hasSize(1);
        flusher.moveDue(0, 0);
        sweepTwice();
        assertThat(store.keys(PREFIX))
                .isEqualTo(moved().segments().stream().map(MovedSegment::key).toList());
        assertThat(events(1)).isEqualTo(written);
    }

    @Test
    void aMoveWhoseOutcomeIsNotKnownIsKeptForItsTermAndThenGoes() throws Exception {
        flusher.flushAll();
        beginMoves();
        // An entry that frees space is taken all the same: that it was, nobody learns.
        host.losesAnswers = true;
        assertThatThrownBy(() -> flusher.moveDue(0, 0)).isInstanceOf(UncommittedException.class);
        host.losesAnswers = false;
        sweepTwice();
        assertThat(store.keys(PREFIX)).hasSize(1);
        assertThat(events(1)).isEqualTo(written);

        lead(2);
        flusher.moveDue(0, 0);
        sweepTwice();
        assertThat(store.keys(PREFIX))
                .isEqualTo(moved().segments().stream().map(MovedSegment::key).toList());
        assertThat(events(1)).isEqualTo(written);
    }

    @Test
    void aMoveOfAnEarlierTermIsVoid() throws Exception {
        flusher.flushAll();
        MoveSection late = new MoveSection(copyOfTheOldest(), 1);
        lead(2);
        append(late);
        assertThat(moved().isEmpty()).isTrue();
        assertThat(flusher.historyStats().voidMoves()).isEqualTo(1);
        assertThat(here()).isEqualTo(replica.feed().bytesFrom(1));
    }

    @Test
    void theSameSegmentIsNotMovedTwice() throws Exception {
        flusher.flushAll();
        MovedSegment one = copyOfTheOldest();
        MovedSegment other = copyOfTheOldest();
        assertThat(one.key()).isNotEqualTo(other.key());
        append(new MoveSection(one, 1));
        append(new MoveSection(other, 1));
        assertThat(moved().segments())
                .singleElement()
                .extracting(MovedSegment::key)
                .isEqualTo(one.key());
        sweepTwice();
        assertThat(store.keys(PREFIX)).containsExactly(one.key());
        assertThat(events(1)).isEqualTo(written);
    }

    @Test
    void goesOnWhereAnotherLeaderThatCutsOtherwiseEnded() throws Exception {
        flusher.flushAll();
        SegmentFile first = replica.opened().segments().segments().getFirst();
        long middle = replica.feed().read(1, 1).nextSeq();
        assertThat(middle).isLessThan(first.nextSeq());
        long all = replica.feed().bytesFrom(1);
        MovedSegment copy = copy(1, middle);
        append(new MoveSection(copy, 1));
        long once = all + copy.bytes() - first.bytes() * (middle - 1) / (first.nextSeq() - 1);
        assertThat(replica.feed().bytesFrom(1))
                .as("what was moved and is here still counts once")
                .isCloseTo(once, within(1L));
        assertThat(new TrimPlanner(replica.opened()).plan(once + 1, 0, List.of()))
                .as("nothing is beyond the retention")
                .isZero();
        assertThat(replica.opened().segments().oldestSeq())
                .as("a segment goes whole or not")
                .isEqualTo(1);

        flusher.moveDue(0, 0);

        assertThat(moved().segments().get(1).firstSeq()).isEqualTo(middle);
        assertThat(moved().segments().get(1).nextSeq()).isEqualTo(first.nextSeq());
        assertThat(events(1)).isEqualTo(written);
    }

    @Test
    void aTrimTakesWhatWasMovedAndThenItsObjects() throws Exception {
        flusher.flushAll();
        flusher.moveDue(800, 0);
        MovedSegment second = moved().segments().get(1);

        writer.trim(second.nextSeq()).toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThat(replica.feed().oldestSeq()).isEqualTo(second.nextSeq());
        assertThatThrownBy(() -> replica.feed().read(second.nextSeq() - 1, 100))
                .isInstanceOfSatisfying(
                        SeqTrimmedException.class,
                        gone -> assertThat(gone.oldestSeq()).isEqualTo(second.nextSeq()));
        assertThat(events(second.nextSeq())).isEqualTo(written.subList((int) second.nextSeq() - 1, written.size()));
        sweepTwice();
        assertThat(store.keys(PREFIX))
                .doesNotContain(second.key())
                .isEqualTo(moved().segments().stream().map(MovedSegment::key).toList());
    }

    @Test
    void aTrimBeyondAllThatWasMovedLeavesNothingInTheStore() throws Exception {
        flusher.flushAll();
        flusher.moveDue(800, 0);
        SegmentFile first = replica.opened().segments().segments().getFirst();
        writer.trim(first.nextSeq()).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(moved().isEmpty()).isTrue();
        assertThat(replica.feed().oldestSeq()).isEqualTo(first.nextSeq());
        sweepTwice();
        assertThat(store.keys(PREFIX)).isEmpty();

        flusher.moveDue(0, 0);
        assertThat(replica.feed().oldestSeq()).as("no way back").isEqualTo(first.nextSeq());
        assertThat(events(first.nextSeq())).isEqualTo(written.subList((int) first.nextSeq() - 1, written.size()));
    }

    @Test
    void retentionCountsTheWholeHistory() throws Exception {
        flusher.flushAll();
        TrimPlanner planner = new TrimPlanner(replica.opened());
        long all = replica.feed().bytesFrom(1);
        List<Long> before = plans(planner, all);
        flusher.moveDue(800, 0);
        assertThat(plans(planner, all)).isEqualTo(before).contains(0L).hasSizeGreaterThan(5);

        List<MovedSegment> moved = moved().segments();
        long needed = moved.get(1).firstSeq();
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of(new LogHold(needed, all))))
                .as("what is held stays in the store")
                .isEqualTo(needed);
        assertThat(planner.plan(all, moved.get(2).firstCommittedAtNanos(), List.of()))
                .isEqualTo(moved.get(2).firstSeq());
    }

    @Test
    void aRestartKeepsWhatWasMoved() throws Exception {
        flusher.flushAll();
        flusher.moveDue(800, 0);
        List<String> keys = moved().segments().stream().map(MovedSegment::key).toList();
        host.snapshot(GROUP).toCompletableFuture().get(10, TimeUnit.SECONDS);
        host.snapshot(GROUP).toCompletableFuture().get(10, TimeUnit.SECONDS);
        long files = segmentFiles();

        replica.close();
        replica.restore(directory.resolve("log").resolve(GROUP.toString()));

        assertThat(files).isEqualTo(replica.opened().segments().segments().size());
        assertThat(moved().segments()).extracting(MovedSegment::key).isEqualTo(keys);
        assertThat(replica.feed().oldestSeq()).isEqualTo(1);
        assertThat(events(1)).isEqualTo(written);
    }

    private void write(int time) throws Exception {
        writer.append(Rows.request(time + 1, Rows.block(CPU, Rows.row("a", time, "f", 1.0 * time))))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    /** Of each event that was written, and of the moment after it. */
    private List<Long> seek() throws IOException {
        List<Long> found = new ArrayList<>();
        for (ChangeEvent event : written) {
            found.add(replica.feed().seekTime(event.committedAtNanos()));
            found.add(replica.feed().seekTime(event.committedAtNanos() + 1));
        }
        return found;
    }

    private static List<Long> plans(TrimPlanner planner, long all) throws IOException {
        List<Long> found = new ArrayList<>();
        for (long bytes = 0; bytes < all; bytes += 100) {
            found.add(planner.plan(bytes, 0, List.of()));
        }
        found.add(planner.plan(all, 0, List.of()));
        return found.stream().distinct().toList();
    }

    private MovedSegment copyOfTheOldest() throws Exception {
        SegmentFile oldest = replica.opened().segments().segments().getFirst();
        return copy(oldest.firstSeq(), oldest.nextSeq());
    }

    private MovedSegment copy(long firstSeq, long nextSeq) throws Exception {
        beginMoves();
        SegmentFile part = new SegmentFile("", firstSeq, nextSeq, 0, 0, 0, 0, true);
        return new SegmentOutput(Rows.PARTITION, store, directory)
                .write(replica.opened().segments(), part, firstSeq);
    }

    private void beginMoves() throws Exception {
        writer.beginMoves().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void trim(long seq) {
        try {
            writer.trim(seq).toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void append(MoveSection section) throws Exception {
        EntryBuilder entry = new EntryBuilder(replica.opened().definitions());
        entry.add(section);
        host.append(GROUP, entry.build()).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void lead(long term) {
        host.term = term;
        replica.leadership(true, "self", term);
    }

    /** Once to see, once to remove. */
    private void sweepTwice() throws Exception {
        assertThat(flusher.sweep()).isEmpty();
        assertThat(flusher.sweep()).isEmpty();
    }

    private MovedHistory moved() {
        return replica.opened().history().moved();
    }

    private long here() {
        return replica.stats().segmentBytes();
    }

    private long segmentFiles() throws IOException {
        try (var names = Files.list(replica.opened().segmentFolder())) {
            return names.filter(name -> name.toString().endsWith(".seg")).count();
        }
    }

    private List<ChangeEvent> events(long from) throws IOException {
        List<ChangeEvent> events = new ArrayList<>();
        for (long seq = from; seq < replica.feed().nextSeq(); ) {
            FeedPage page = replica.feed().read(seq, 200);
            for (ChangeBatch batch : page.batches()) {
                for (int row = 0; row < batch.count(); row++) {
                    events.add(batch.event(row));
                }
            }
            seq = page.nextSeq();
        }
        return events;
    }
}
