package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A replica of a simulated partition, with a crash that loses what was not synced. */
final class SimReplica {
    private final Path directory;
    private final ReplicaSource source;
    private final MovedSegments moved;
    private final Random random;
    private final BufferBudget budget = new BufferBudget(1 << 30, 1L << 40);
    private final QuickFiles files = new QuickFiles();
    private PartitionReplica replica;
    private long applied;

    SimReplica(Path directory, ReplicaSource source, Random random) {
        this(directory, source, MovedSegments.NONE, random);
    }

    SimReplica(Path directory, ReplicaSource source, MovedSegments moved, Random random) {
        this.directory = directory;
        this.source = source;
        this.moved = moved;
        this.random = random;
        start();
    }

    PartitionReplica replica() {
        return replica;
    }

    /** Index of the last entry applied. */
    long applied() {
        return applied;
    }

    byte[] apply(long index, long clock, byte[] entry) {
        assertThat(index).isEqualTo(applied + 1);
        applied = index;
        return replica.apply(new LogPosition(1, index), clock, ByteBuffer.wrap(entry));
    }

    void snapshot() {
        replica.snapshot(new LogPosition(1, applied));
    }

    /** The process ends; files keep what was synced, and any part of what was not. */
    void crash() throws IOException {
        replica.close();
        ReplicaManifest manifest = new ReplicaFolder(files, directory).readManifest();
        if (manifest != null) {
            Path data = directory.resolve(manifest.folder());
            lose(data.resolve(ReplicaFolder.DEFINITIONS), manifest.definitions().bytes());
            for (SegmentFile file : manifest.segments().files()) {
                lose(data.resolve(ReplicaFolder.SEGMENTS).resolve(file.name()), file.bytes());
            }
        }
        start();
    }

    void install(String from) throws Exception {
        LogPosition position = replica.install(from).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(replica.restore(directory)).isEqualTo(position);
        applied = position.index();
    }

    List<ChangeEvent> events() throws IOException {
        List<ChangeEvent> events = new ArrayList<>();
        long seq = replica.feed().oldestSeq();
        while (seq < replica.feed().nextSeq()) {
            FeedPage page = replica.feed().read(seq, 1 + random.nextInt(2000));
            for (ChangeBatch batch : page.batches()) {
                for (int row = 0; row < batch.count(); row++) {
                    events.add(batch.event(row));
                }
            }
            seq = page.nextSeq();
        }
        return events;
    }

    /** Name, length and checksum of each segment. */
    List<SegmentFile> segments() {
        return replica.opened().segments().segments();
    }

    BufferBudget budget() {
        return budget;
    }

    void close() {
        replica.close();
    }

    private void start() {
        replica = new PartitionReplica(
                Rows.PARTITION,
                Rows.GENERATION,
                new ReplicaSettings(new SegmentConfig(2000), 1000),
                budget,
                source,
                moved,
                Runnable::run,
                files);
        applied = replica.restore(directory).index();
    }

    private void lose(Path file, long synced) throws IOException {
        long size = Files.size(file);
        if (size > synced) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(synced + random.nextLong(size - synced + 1));
                if (random.nextBoolean()) {
                    channel.write(ByteBuffer.wrap(new byte[100]), channel.size());
                }
            }
        }
    }
}
