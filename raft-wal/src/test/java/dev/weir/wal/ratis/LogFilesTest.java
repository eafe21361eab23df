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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages the end of one replica's log while it is down, in the ways of a crash; it must open and get the rest from the others. */
class LogFilesTest {
    private static final int ENTRY_BYTES = 1000;

    private interface Damage {
        void to(Path lastFile) throws IOException;
    }

    @TempDir
    Path directory;

    private static Map<String, Damage> damages() {
        Map<String, Damage> damages = new LinkedHashMap<>();
        damages.put("cut within an entry", file -> truncate(file, -3 * ENTRY_BYTES / 2));
        damages.put("garbage in an entry, and more behind", file -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                long size = channel.size();
                channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), size - 5 * ENTRY_BYTES / 2);
                channel.write(ByteBuffer.wrap(new byte[] {0, 0, 9, 9}), size + 100);
            }
        });
        damages.put("half a header", file -> truncate(file, 4 - file.toFile().length()));
        damages.put("empty", file -> truncate(file, -file.toFile().length()));
        return damages;
    }

    private static void truncate(Path file, long by) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() + by);
        }
    }

    @Test
    void tornEndsAreMendedAndCaughtUp() throws Exception {
        try (Cluster cluster = new Cluster(directory, 3).startAll()) {
            String victim = cluster.follower();
            long value = 0;
            for (Map.Entry<String, Damage> damage : damages().entrySet()) {
                for (int i = 0; i < 10; i++) {
                    cluster.write(++value, ENTRY_BYTES);
                }
                cluster.awaitApplied(victim, (int) value);
                cluster.states.get(victim).forgetful = true;
                cluster.stop(victim);
                damage.getValue().to(lastFile(cluster, victim));
                cluster.start(victim);
                cluster.write(++value, ENTRY_BYTES);
                List<JournalState.Line> expected =
                        cluster.states.get(cluster.leader()).lines();
                await(damage.getKey())
                        .atMost(SOON)
                        .untilAsserted(() ->
                                assertThat(cluster.states.get(victim).lines()).isEqualTo(expected));
            }
            assertThat(cluster.states.get(victim).installs).hasValue(0);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void mendsOnlyTheLastFileAndOnlyWhatIsTorn() throws Exception {
        Path whole = logOf(20);
        Path current = Files.createDirectories(directory.resolve("current"));

        Files.copy(whole, current.resolve("log_inprogress_0"));
        assertThat(LogFiles.mend(current, -1)).isEqualTo(1);
        assertThat(current.resolve("log_inprogress_0")).hasSameBinaryContentAs(whole);

        Path closed = current.resolve("log_0-20");
        Files.move(current.resolve("log_inprogress_0"), closed);
        truncate(closed, -3 * ENTRY_BYTES / 2);
        LogFiles.mend(current, -1);
        assertThat(names(current)).containsExactly("log_0-18");

        Files.createFile(current.resolve("log_inprogress_19"));
        LogFiles.mend(current, -1);
        assertThat(names(current)).containsExactly("log_0-18");

        LogFiles.mend(current, 18);
        assertThat(names(current)).containsExactly("log_0-18");
        LogFiles.mend(current, 19); // written on behind the snapshot, there would be a gap
        assertThat(names(current)).isEmpty();

        Files.copy(whole, current.resolve("log_inprogress_7"));
        LogFiles.mend(current, 6);
        assertThatThrownBy(() -> LogFiles.mend(current, 5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("begins at 7");
    }

    @Test
    void lostVoteIsReplacedByALaterTerm() throws Exception {
        Path current = Files.createDirectories(directory.resolve("current"));
        Path file = current.resolve("raft-meta");
        VoteFile.mend(current, 3, -1);
        assertThat(file).doesNotExist();
        Files.writeString(file, "#\nterm=4\nvotedFor=n2\n");
        VoteFile.mend(current, 3, 9);
        assertThat(file).content().contains("term=4", "n2");
        Files.writeString(file, "");
        VoteFile.mend(current, 3, 9);
        assertThat(file).content().contains("term=10");
        Files.writeString(file, "");
        VoteFile.mend(current, 3, -1);
        assertThat(file).content().contains("term=1003");
    }

    /** A log of one configuration and so many entries. */
    private Path logOf(int entries) throws IOException {
        Path kept = directory.resolve("kept");
        try (Cluster cluster = new Cluster(directory.resolve("one"), 1).startAll()) {
            for (int i = 0; i < entries; i++) {
                cluster.write(i, ENTRY_BYTES);
            }
            cluster.states.get("n1").forgetful = true;
            cluster.stop("n1");
            Files.copy(lastFile(cluster, "n1"), kept);
        }
        return kept;
    }

    private static Path lastFile(Cluster cluster, String node) throws IOException {
        try (var files = Files.list(cluster.directories.get(node).resolve(cluster.group + "/current"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .max(Comparator.comparingInt(LogFilesTest::firstIndex))
                    .orElseThrow();
        }
    }

    private static int firstIndex(Path file) {
        return Integer.parseInt(file.getFileName().toString().replaceAll("log_(inprogress_)?(\\d+).*", "$2"));
    }

    private static List<String> names(Path folder) {
        return List.of(folder.toFile().list());
    }
}
