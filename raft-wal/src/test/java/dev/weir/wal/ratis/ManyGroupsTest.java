package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many groups on one node must leave the heap to others. */
class ManyGroupsTest {
    private static final int GROUPS = 64;
    /** Of a 2 GiB heap; what waits in the log's caches included. */
    private static final long HEAP_BYTES_PER_GROUP = 6 << 20;

    @TempDir
    Path directory;

    @Test
    void sixtyFourGroupsStayWithinTheirShareOfTheHeap() {
        long before = usedHeap();
        try (Cluster cluster = new Cluster(directory, 1)) {
            RatisLogHost host = cluster.startHost("n1");
            LogMembers members = cluster.members(List.of("n1"));
            List<LogGroupId> groups = new ArrayList<>();
            List<CompletionStage<Void>> opening = new ArrayList<>();
            for (int i = 0; i < GROUPS; i++) {
                LogGroupId group = new LogGroupId(UUID.randomUUID());
                groups.add(group);
                opening.add(host.open(group, members, new JournalState("n1", JournalState.newFolders())));
            }
            opening.forEach(Cluster::get);
            await().atMost(SOON)
                    .until(() -> groups.stream()
                            .allMatch(group ->
                                    host.status(group).map(LogStatus::leads).orElse(false)));
            for (int round = 0; round < 10; round++) {
                List<CompletionStage<byte[]>> replies = new ArrayList<>();
                groups.forEach(group -> replies.add(host.append(group, entry(1, 256 << 10))));
                replies.forEach(Cluster::get);
            }
            long perGroup = (usedHeap() - before) / GROUPS;
            System.out.println("heap per group after 2.5 MiB of log each: " + (perGroup >> 10) + " KiB, threads "
                    + Thread.activeCount());
            assertThat(perGroup).isLessThan(HEAP_BYTES_PER_GROUP);
            groups.stream().map(host::close).toList().forEach(Cluster::get);
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
