package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An exporter in the same process: each event once, in order; what a slow consumer misses is counted to the seq. */
class CdcBatchExporterTest {
    private final BufferAllocator allocator = new RootAllocator();
    private final MemoryCluster cluster = MemoryCluster.of(3);
    private final RandomChanges changes = new RandomChanges(11);

    /** Fails where an exporter left memory behind; and nobody listens any more. */
    @AfterEach
    void closeAllocator() {
        allocator.close();
        assertThat(cluster.listeners()).isZero();
    }

    private CdcBatchExporter open(ExportOptions options) throws RefusedException {
        return CdcBatchExporter.open(cluster, cluster.catalog(), allocator, options);
    }

    private void append(int batches) {
        for (int i = 0; i < batches; i++) {
            cluster.log(changes.below(3)).append(changes.batch());
        }
    }

    private Map<Integer, List<Long>> committed() {
        Map<Integer, List<Long>> seqs = new TreeMap<>();
        for (MemoryLog log : cluster.logs.values()) {
            seqs.put(
                    log.partition,
                    log.events().stream()
                            .filter(event -> event.tenant().equals("default"))
                            .map(ChangeEvent::seq)
                            .toList());
        }
        return seqs;
    }

    /** All that is there. */
    private static void drain(CdcBatchExporter exporter, Map<Integer, List<Long>> into) throws Exception {
        for (var batch = exporter.poll(Duration.ZERO); batch != null; batch = exporter.poll(Duration.ZERO)) {
            take(batch, into);
        }
    }

    private static void take(CdcBatchExporter.Batch batch, Map<Integer, List<Long>> into) {
        UInt8Vector seq = (UInt8Vector) batch.rows().getVector("seq");
        for (int i = 0; i < batch.rows().getRowCount(); i++) {
            into.computeIfAbsent(batch.partition(), any -> new ArrayList<>()).add(seq.get(i));
        }
    }

    @Test
    void yieldsEachEventOnceThroughMovesAndFailures() throws Exception {
        append(50);
        Map<Integer, List<Long>> seen = new TreeMap<>();
        try (CdcBatchExporter exporter =
                open(ExportOptions.of("default").with("from", "earliest").withRowsMax(10))) {
            drain(exporter, seen);
            for (int round = 0; round < 10; round++) {
                append(10);
                cluster.move(changes.below(3));
                cluster.feeds.get(changes.below(3)).failing = true;
                drain(exporter, seen);
                cluster.feeds.values().forEach(feed -> feed.failing = false);
                drain(exporter, seen);
            }
            assertThat(seen).isEqualTo(committed());
            assertThat(exporter.gapCount()).isZero();
            assertThat(exporter.takeGaps()).isEmpty();
        }
    }

    @Test
    void goesOnAtTheCursorOfABatch() throws Exception {
        append(60);
        ExportOptions options = ExportOptions.of("default")
                .with("measurement", "cpu")
                .withRowsMax(7)
                .withLayout(CdcLayout.FIXED);
        Map<Integer, List<Long>> all = new TreeMap<>();
        try (CdcBatchExporter exporter = open(options.with("from", "earliest"))) {
            drain(exporter, all);
        }
        Map<Integer, List<Long>> parts = new TreeMap<>();
        String from = "earliest";
        for (int i = 0; i < 1000 && !from.isEmpty(); i++) {
            try (CdcBatchExporter exporter = open(options.with("from", from))) {
                CdcBatchExporter.Batch batch = exporter.poll(Duration.ZERO);
                from = batch == null ? "" : batch.cursor();
                if (batch != null) {
                    take(batch, parts);
                }
            }
        }
        assertThat(all.values().stream().mapToInt(List::size).sum()).isGreaterThan(50);
        assertThat(parts).isEqualTo(all);
    }

    /** Delivered and gaps together are all seqs, each once; and the newest of each partition is delivered. */
    @Test
    void whatASlowConsumerMissesIsCountedExactly() throws Exception {
        Map<Integer, List<Long>> seen = new TreeMap<>();
        List<Gap> gaps = new ArrayList<>();
        try (CdcBatchExporter exporter = open(ExportOptions.of("default")
                .with("from", "earliest")
                .withRowsMax(5)
                .atMostOnce(40))) {
            for (int round = 0; round < 30; round++) {
                append(12);
                for (int taken = 0; taken < 3; taken++) {
                    CdcBatchExporter.Batch batch = exporter.poll(Duration.ZERO);
                    if (batch != null) {
                        take(batch, seen);
                    }
                }
                gaps.addAll(exporter.takeGaps());
            }
            drain(exporter, seen);
            gaps.addAll(exporter.takeGaps());
            assertThat(exporter.gapCount())
                    .isEqualTo(gaps.stream().mapToLong(Gap::count).sum())
                    .isGreaterThan(1000);
        }
        for (MemoryLog log : cluster.logs.values()) {
            TreeSet<Long> accounted = new TreeSet<>();
            long count = 0;
            for (Gap gap : gaps) {
                for (long seq = gap.first(); gap.partition() == log.partition && seq <= gap.last(); seq++) {
                    accounted.add(seq);
                    count++;
                }
            }
            List<Long> delivered = seen.get(log.partition);
            accounted.addAll(delivered);
            count += delivered.size();
            List<Long> ofOthers = log.events().stream()
                    .filter(event -> !event.tenant().equals("default"))
                    .map(ChangeEvent::seq)
                    .filter(accounted::add)
                    .toList();
            assertThat(delivered).isSorted();
            assertThat(accounted).hasSize((int) (count + ofOthers.size()));
            assertThat(accounted).hasSize((int) (log.nextSeq() - log.firstSeq));
        }
    }

    @Test
    void whatRetentionTookIsAnErrorOrAGap() throws Exception {
        append(40);
        try (CdcBatchExporter sure = open(ExportOptions.of("default").with("from", "earliest"));
                CdcBatchExporter loose = open(
                        ExportOptions.of("default").with("from", "earliest").atMostOnce(100_000))) {
            long before = cluster.log(1).nextSeq() - 1;
            cluster.log(1).trim(cluster.log(1).nextSeq());
            assertThatThrownBy(() -> drain(sure, new TreeMap<>()))
                    .isInstanceOfSatisfying(
                            ChangesLostException.class,
                            lost -> assertThat(lost.oldestCursor()).isNotEmpty())
                    .hasMessageContaining("partition 1");
            drain(loose, new TreeMap<>());
            assertThat(loose.gapCount()).isEqualTo(before);
            assertThat(loose.takeGaps()).containsExactly(new Gap(1, 1, before, Gap.Reason.RETENTION));
        }
    }

    @Test
    void waitsForWhatComesAndNoLonger() throws Exception {
        try (CdcBatchExporter exporter = open(ExportOptions.of("default"))) {
            assertThat(exporter.poll(Duration.ofMillis(20))).isNull();
            Thread writer = Thread.ofVirtual().start(() -> cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1L)));
            assertThat(exporter.poll(Duration.ofSeconds(20))).isNotNull();
            writer.join();
            cluster.log(0).append(MemoryBatch.point("cpu", "a", 2, 1L));
            assertThat(exporter.poll(Duration.ofSeconds(Long.MAX_VALUE))).isNotNull();
        }
    }

    /** Each time a step of the way; what is wanted comes in the end. */
    @Test
    void looksForRareEventsNoLongerThanItMay() throws Exception {
        append(1_500);
        cluster.log(0).append(MemoryBatch.point("rare", "a", 1, 1L));
        try (CdcBatchExporter exporter =
                open(ExportOptions.of("default").with("from", "earliest").with("measurement", "rare"))) {
            String before = exporter.cursor();
            assertThat(exporter.poll(Duration.ofNanos(1))).isNull();
            String after = exporter.cursor();
            assertThat(after).isNotEqualTo(before);
            assertThat(cluster.feeds.values().stream()
                            .mapToLong(feed -> feed.reads.get())
                            .sum())
                    .isEqualTo(1);
            assertThat(exporter.poll(Duration.ZERO)).isNotNull();
        }
    }

    /** Drops that follow each other are one gap. */
    @Test
    void gapsThatTouchAreOne() throws Exception {
        MemoryLog log = cluster.log(0);
        try (CdcBatchExporter exporter =
                open(ExportOptions.of("default").with("measurement", "none").atMostOnce(100))) {
            long first = log.nextSeq();
            for (int i = 0; i < 5; i++) {
                log.append(MemoryBatch.point("cpu", "a", 2 * i, 1L));
                log.append(MemoryBatch.point("cpu", "a", 2 * i + 1, 1L));
                log.trim(log.nextSeq());
                exporter.poll(Duration.ZERO);
            }
            assertThat(exporter.gapCount()).isEqualTo(10);
            assertThat(exporter.takeGaps()).containsExactly(new Gap(0, first, first + 9, Gap.Reason.RETENTION));
        }
    }

    @Test
    void refusesInWords() {
        assertThatThrownBy(() -> open(ExportOptions.of("default").with("from", "0:99")))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> open(ExportOptions.of("default").with("measurment", "cpu")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("measurment");
        assertThatThrownBy(() -> ExportOptions.of("default").withRowsMax(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rowsMax");
    }
}
