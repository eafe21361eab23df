package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages the end of one replica's log while it is down, in the ways of a crash; it must open and get the rest from the others. */
class LogFilesTest {
    private static final long LAST = 40;

    @TempDir
    Path directory;

    private Cluster cluster;
    private String victim;

    @BeforeEach
    void stopOneWithoutSnapshot() {
        cluster = new Cluster(directory, 3).startAll();
        victim = cluster.follower();
        for (long i = 1; i <= LAST; i++) {
            cluster.write(i, 1000);
        }
        cluster.awaitApplied(victim, (int) LAST);
        cluster.stop(victim);
    }

    private void comesBackWhole() throws IOException {
        Files.deleteIfExists(cluster.directories.get(victim).resolve(cluster.group + "/state/snapshot"));
        try (Cluster whole = cluster) {
            cluster.start(victim);
            cluster.write(LAST + 1);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(cluster.states.get(victim).values())
                            .containsExactlyElementsOf(
                                    LongStream.rangeClosed(1, LAST + 1).boxed().toList()));
            assertThat(cluster.faults).isEmpty();
        }
    }

    private Path lastFile() throws IOException {
        try (var files = Files.list(cluster.directories.get(victim).resolve(cluster.group + "/current"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .max(java.util.Comparator.comparing(Path::toString))
                    .orElseThrow();
        }
    }

    @Test
    void cutWithinAnEntry() throws Exception {
        Path file = lastFile();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1500);
        }
        comesBackWhole();
    }

    @Test
    void garbageInTheLastEntriesAndBehind() throws Exception {
        Path file = lastFile();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long size = channel.size();
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), size - 2500);
            channel.write(ByteBuffer.wrap(new byte[] {0, 0, 9, 9}), size + 100);
        }
        comesBackWhole();
    }

    @Test
    void emptyFile() throws Exception {
        try (FileChannel channel = FileChannel.open(lastFile(), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        comesBackWhole();
    }

    @Test
    void closedFileThatIsShorterThanItsName() throws Exception {
        Path file = lastFile();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1500);
        }
        Files.move(file, file.resolveSibling("log_0-" + LAST));
        comesBackWhole();
    }

    @Test
    void logThatEndsBeforeTheSnapshotIsDropped() throws Exception {
        Path state = cluster.directories.get(victim).resolve(cluster.group + "/state/snapshot");
        Path ahead = directory.resolve("ahead");
        Files.copy(state, ahead);
        try (FileChannel channel = FileChannel.open(lastFile(), StandardOpenOption.WRITE)) {
            channel.truncate(3000);
        }
        try (Cluster whole = cluster) {
            cluster.start(victim);
            cluster.write(LAST + 1);
            cluster.awaitApplied(victim, (int) LAST + 1);
            assertThat(cluster.states.get(victim).values().getLast()).isEqualTo(LAST + 1);
        }
    }

    @Test
    void logThatBeginsBehindTheSnapshotIsRefused() throws Exception {
        try (Cluster whole = cluster) {
            Path current = Files.createDirectories(directory.resolve("current"));
            Path file = lastFile();
            Files.copy(file, current.resolve("log_inprogress_7"));
            assertThatThrownBy(() -> LogFiles.mend(current, 5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("begins at 7");
            LogFiles.mend(current, 6);
            assertThat(List.of(current.toFile().list())).containsExactly("log_inprogress_7");
        }
    }
}
