package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.BatchId;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process dies at each file call in turn; what comes back is what the log says. */
class PartitionReplicaCrashTest {
    private static final TableSchema CPU = Rows.schema(7, "t", "cpu", 1);
    private static final TableSchema OLD = Rows.schema(6, "t", "old", 1);

    @TempDir
    private Path directory;

    private final List<byte[]> log = log();

    @Test
    void comesBackAfterACrashAtAnyCallOfApplyAndSnapshot() throws Exception {
        PartitionReplica expected = replica(new QuickFiles(), noSource());
        expected.restore(directory.resolve("expected"));
        applyFrom(expected, 0, false);
        for (int calls = 0; ; calls++) {
            Path folder = directory.resolve("crash-" + calls);
            FailingFiles files = new FailingFiles(calls);
            live(files, folder);
            PartitionReplica back = replica(new QuickFiles(), noSource());
            applyFrom(back, (int) back.restore(folder).index(), false);
            assertSame(back, expected, "crash at call " + calls);
            back.close();
            if (!files.failed()) {
                assertThat(calls).isGreaterThan(50);
                return;
            }
        }
    }

    @Test
    void comesBackAfterACrashAtAnyCallOfAnInstallation() throws Exception {
        PartitionReplica source = replica(new QuickFiles(), noSource());
        source.restore(directory.resolve("source"));
        applyFrom(source, 0, true);
        for (int calls = 0; ; calls++) {
            Path folder = directory.resolve("crash-" + calls);
            PartitionReplica behind = replica(new QuickFiles(), noSource());
            behind.restore(folder);
            for (int i = 0; i < 12; i++) {
                apply(behind, i);
            }
            behind.snapshot(new LogPosition(1, 12));
            behind.close();
            FailingFiles files = new FailingFiles(calls);
            try {
                PartitionReplica installing = replica(files, from(source));
                installing.restore(folder);
                installing.install("source").toCompletableFuture().join();
                installing.restore(folder);
            } catch (UncheckedIOException | CompletionException e) {
                assertThat(files.failed()).as(String.valueOf(e)).isTrue();
            }
            PartitionReplica back = replica(new QuickFiles(), from(source));
            assertThat(back.restore(folder).index()).isIn(12L, (long) log.size());
            back.install("source").toCompletableFuture().join();
            assertThat(back.restore(folder).index()).isEqualTo(log.size());
            assertSame(back, source, "crash at call " + calls);
            back.close();
            if (!files.failed()) {
                assertThat(calls).isGreaterThan(20);
                return;
            }
        }
    }

    private void live(FailingFiles files, Path folder) {
        PartitionReplica replica = replica(files, noSource());
        try {
            replica.restore(folder);
            applyFrom(replica, 0, true);
        } catch (UncheckedIOException e) {
            assertThat(files.failed()).as(String.valueOf(e)).isTrue();
        }
    }

    private void applyFrom(PartitionReplica replica, int from, boolean snapshots) {
        for (int i = from; i < log.size(); i++) {
            apply(replica, i);
            if (snapshots && (i % 7 == 6 || i == log.size() - 1)) {
                replica.snapshot(new LogPosition(1, i + 1L));
            }
        }
    }

    private void apply(PartitionReplica replica, int index) {
        replica.apply(new LogPosition(1, index + 1L), index, ByteBuffer.wrap(log.get(index)));
    }

    private static void assertSame(PartitionReplica found, PartitionReplica expected, String when) throws IOException {
        assertThat(found.opened().segments().segments())
                .as(when)
                .isEqualTo(expected.opened().segments().segments());
        assertThat(found.opened().definitions().seriesCount())
                .as(when)
                .isEqualTo(expected.opened().definitions().seriesCount());
        assertThat(found.stats().bufferedRows())
                .as(when)
                .isEqualTo(expected.stats().bufferedRows());
    }

    private static List<byte[]> log() {
        List<byte[]> entries = new ArrayList<>();
        EntryBuilder entry = new EntryBuilder(new DefinitionTable());
        entry.add(new FenceSection(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION));
        entries.add(bytes(entry));
        for (int i = 1; i < 30; i++) {
            if (i == 15) {
                entry.add(new DeleteSection(
                        new BatchId("front", 1, i), Rows.GENERATION, "t", OLD.tableId(), OLD.name(), null, "c"));
            } else if (i % 10 == 0) {
                entry.add(new DeleteSection(
                        new BatchId("front", 1, i),
                        Rows.GENERATION,
                        "t",
                        7,
                        "cpu",
                        List.of(new Tag("host", "h" + i / 2)),
                        "c"));
            } else if (i == 25) {
                entry.addTrim(15);
            } else {
                entry.add(
                        Rows.request(
                                i,
                                Rows.block(
                                        i < 10 ? OLD : CPU,
                                        Rows.row("h" + i / 2, i, "f", 1.0),
                                        Rows.row("h" + i, i, "s", "x" + i))),
                        0);
            }
            entries.add(bytes(entry));
        }
        return entries;
    }

    private static byte[] bytes(EntryBuilder entry) {
        ByteBuffer built = entry.build();
        byte[] bytes = new byte[built.remaining()];
        built.get(bytes);
        entry.reset();
        return bytes;
    }

    private static PartitionReplica replica(SegmentFiles files, ReplicaSource source) {
        return new PartitionReplica(
                Rows.PARTITION,
                Rows.GENERATION,
                new ReplicaSettings(new SegmentConfig(600), 1000),
                new BufferBudget(1000, 1 << 30),
                source,
                MovedSegments.NONE,
                task -> {},
                files);
    }

    private static ReplicaSource from(PartitionReplica replica) {
        return (node, partition, generation) -> {
            ReplicaFiles.Opened opened = replica.files().open();
            return new ReplicaSource.Transfer() {
                @Override
                public byte[] manifest() {
                    return opened.manifest();
                }

                @Override
                public int read(String file, long offset, ByteBuffer target) throws IOException {
                    return replica.files().read(opened.id(), file, offset, target);
                }

                @Override
                public void close() throws IOException {
                    replica.files().close(opened.id());
                }
            };
        };
    }

    private static ReplicaSource noSource() {
        return (node, partition, generation) -> {
            throw new IOException("no other node");
        };
    }
}
