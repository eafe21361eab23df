package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.FileCache;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process dies at each file call in turn while its history goes to the store, in part and then altogether; each event is there once, at any time. */
class MoveHistoryCrashTest {
    private static final TableSchema CPU = Rows.schema(7, "t", "cpu", 1);
    private static final List<SlotRange> ALL = List.of(new SlotRange(0, SeriesHash.SLOTS));
    private static final int SNAPSHOT_EVERY = 4;

    @TempDir
    private Path directory;

    private final List<byte[]> log = new ArrayList<>();
    private RemoteStore store;
    private FileCache cache;
    private PartitionReplica expected;

    /** A log in which the history of a replica was written, flushed, moved, and a part of that trimmed; and that replica. */
    @BeforeEach
    void writeTheLog() throws Exception {
        store = new RemoteStore(directory.resolve("store"));
        cache = FileCache.open(directory.resolve("cache"), 1 << 20, store);
        expected = replica(new QuickFiles());
        expected.restore(directory.resolve("expected"));
        add(entry -> entry.add(new FenceSection(ALL, 1, Rows.GENERATION)));
        add(EntryBuilder::addMovesBegin);
        for (int i = 1; i <= 24; i++) {
            int row = i;
            add(entry ->
                    entry.add(Rows.request(row, Rows.block(CPU, Rows.row("h" + row % 3, row, "s", "text-" + row))), 0));
            if (i % 8 == 0) {
                flush();
                moveAll();
            }
        }
        long second = expected.opened().history().moved().segments().get(1).nextSeq();
        add(entry -> entry.addTrim(second));
        add(EntryBuilder::addTick);
        assertThat(expected.opened().history().moved().segments()).hasSizeGreaterThan(2);
        assertThat(expected.feed().oldestSeq()).isEqualTo(second);
    }

    @AfterEach
    void close() {
        expected.close();
        cache.close();
        store.close();
    }

    @Test
    void eachEventIsThereOnceAfterACrashAtAnyCall() throws Exception {
        List<ChangeEvent> events = events(expected);
        for (int calls = 0; ; calls++) {
            Path folder = directory.resolve("crash-" + calls);
            FailingFiles files = new FailingFiles(calls);
            live(files, folder);
            PartitionReplica back = replica(new QuickFiles());
            int from = (int) back.restore(folder).index();
            assertThat(events(back))
                    .as("at entry %d, crash at call %d", from, calls)
                    .hasSize(size(back));
            for (int i = from; i < log.size(); i++) {
                apply(back, i);
            }
            assertThat(events(back)).as("crash at call %d", calls).isEqualTo(events);
            assertThat(back.opened().segments().segments())
                    .isEqualTo(expected.opened().segments().segments());
            back.snapshot(new LogPosition(1, log.size()));
            back.snapshot(new LogPosition(1, log.size()));
            assertThat(new QuickFiles()
                            .list(back.opened().segmentFolder()).stream().filter(name -> name.endsWith(".seg")))
                    .as("files left behind, crash at call %d", calls)
                    .hasSameSizeAs(back.opened().segments().segments());
            back.close();
            if (!files.failed()) {
                assertThat(calls).isGreaterThan(50);
                return;
            }
        }
    }

    private static int size(PartitionReplica replica) {
        return (int) (replica.feed().nextSeq() - replica.feed().oldestSeq());
    }

    private void live(FailingFiles files, Path folder) {
        PartitionReplica replica = replica(files);
        try {
            replica.restore(folder);
            for (int i = 0; i < log.size(); i++) {
                apply(replica, i);
                if (i % SNAPSHOT_EVERY == 0) {
                    replica.snapshot(new LogPosition(1, i + 1L));
                }
            }
        } catch (UncheckedIOException e) {
            assertThat(files.failed()).as(String.valueOf(e)).isTrue();
        }
    }

    private void flush() throws IOException {
        TableCut cut = expected.opened().cut(CPU.tableId()).orElseThrow();
        long from = cut.files().flushedThrough();
        long through = cut.nextSeq() - 1;
        StoredFile file = new StoredFile(
                "file-" + log.size(), 1, 1, new byte[32], 0, 99, from + 1, through, 0, 0, ALL, false, through, 1);
        add(entry -> entry.add(new FlushSection(CPU.tableId(), from, through, List.of(file), 1)));
    }

    private void moveAll() throws Exception {
        OpenReplica open = expected.opened();
        MovePlanner planner = new MovePlanner(open);
        for (Optional<MovePlanner.Move> next = planner.plan(0, 0); next.isPresent(); next = planner.plan(0, 0)) {
            MovedSegment copy = new SegmentOutput(Rows.PARTITION, store, directory)
                    .write(open.segments(), next.get().segment(), next.get().fromSeq());
            add(entry -> entry.add(new MoveSection(copy, 1)));
        }
    }

    private void add(Consumer<EntryBuilder> section) {
        EntryBuilder entry = new EntryBuilder(expectedDefinitions());
        section.accept(entry);
        ByteBuffer built = entry.build();
        byte[] bytes = new byte[built.remaining()];
        built.get(bytes);
        log.add(bytes);
        apply(expected, log.size() - 1);
    }

    private DefinitionTable expectedDefinitions() {
        return expected.opened().definitions();
    }

    private void apply(PartitionReplica replica, int index) {
        replica.apply(new LogPosition(1, index + 1L), 1_000L * index, ByteBuffer.wrap(log.get(index)));
    }

    private PartitionReplica replica(SegmentFiles files) {
        return new PartitionReplica(
                Rows.PARTITION,
                Rows.GENERATION,
                new ReplicaSettings(new SegmentConfig(300), 100),
                new BufferBudget(1000, 1 << 30),
                (node, partition, generation) -> {
                    throw new IOException("no other node");
                },
                new CachedSegments(cache, Runnable::run),
                task -> {},
                files);
    }

    private static List<ChangeEvent> events(PartitionReplica replica) throws IOException {
        List<ChangeEvent> events = new ArrayList<>();
        for (long seq = replica.feed().oldestSeq(); seq < replica.feed().nextSeq(); ) {
            FeedPage page = replica.feed().read(seq, 150);
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
