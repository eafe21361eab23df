package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What batches hold at most, and what becomes of the memory in which they are made. */
class ArrowEncoderTest {
    private static final int BATCH_BYTES = 64 * 1024;

    private static ArrowForm form(StreamLayout layout, boolean zstd) {
        StreamFilter filter =
                new StreamFilter("default", new TreeSet<>(), new TreeSet<>(), new TreeMap<>(), new TreeSet<>());
        return new ArrowForm(new RunKey(filter, false), layout, zstd, 65_536);
    }

    /** The first row has all fields, each other one of them. */
    private static FeedPage sparse(int fields, int rows) {
        List<MemoryBatch.Row> all = new ArrayList<>();
        Map<String, Object> first = new TreeMap<>();
        for (int i = 0; i < fields; i++) {
            first.put("f" + i, (double) i);
        }
        all.add(new MemoryBatch.Row(0, 1, Operation.INSERT, first));
        for (int i = 1; i < rows; i++) {
            all.add(new MemoryBatch.Row(0, 1 + i, Operation.INSERT, Map.of("f" + i % fields, 0.5)));
        }
        MemoryBatch batch = MemoryBatch.points("default", "wide", List.of(List.of(new Tag("host", "a"))), all)
                .placed(0, 1, 1);
        return new FeedPage(List.of(batch), 1 + rows, 1 + rows);
    }

    @ParameterizedTest
    @EnumSource(StreamLayout.class)
    void aBatchHasBoundedBytesWhateverItsRowsLack(StreamLayout layout) {
        int rows = 2_000;
        try (BufferAllocator allocator = new RootAllocator()) {
            ArrowPage page =
                    new ArrowEncoder(form(layout, false), BATCH_BYTES, allocator).encode(0, 1, sparse(500, rows));
            assertThat(page.batches())
                    .isNotEmpty()
                    .allSatisfy(batch -> assertThat(batch.body().bytes().length
                                    + batch.dictionaries().stream()
                                            .mapToInt(bytes -> bytes.length)
                                            .sum())
                            .isLessThan(2 * BATCH_BYTES));
            assertThat(page.weight()).isLessThan(2L * CdcConfig.ARROW_PAGE_BATCHES * BATCH_BYTES);
        }
    }

    /** Each detail stands in the batch's dictionary alone. */
    @Test
    void textsThatDifferCount() {
        List<ChangeBatch> changes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            changes.add(MemoryBatch.of(
                            EventType.RANGE_DELETED,
                            "default",
                            "cpu",
                            "{\"predicate\":\"" + Integer.toString(i).repeat(5_000) + "\"}",
                            List.of(),
                            List.of(new MemoryBatch.Row(-1, 0, Operation.DELETE, Map.of())))
                    .placed(0, 1 + i, 1 + i));
        }
        try (BufferAllocator allocator = new RootAllocator()) {
            ArrowPage page = new ArrowEncoder(form(StreamLayout.TYPED, false), BATCH_BYTES, allocator)
                    .encode(0, 1, new FeedPage(changes, 101, 101));
            assertThat(page.batches()).hasSizeGreaterThan(5);
        }
    }

    /** At whatever buffer it fails: the columns have theirs back, or the next batch finds less memory. */
    @Test
    void nothingStaysBehindWhereCompressingFails() {
        int rows = 20_000;
        int failed = 0;
        for (long spare = 0; spare < 1_200_000; spare += 60_000) {
            try (BufferAllocator root = new RootAllocator();
                    BufferAllocator small = root.newChildAllocator("small", 0, spare);
                    UInt8Vector easy = new UInt8Vector("easy", root);
                    UInt8Vector hard = new UInt8Vector("hard", root)) {
                Random random = new Random(5);
                for (int i = 0; i < rows; i++) {
                    easy.setSafe(i, i);
                    hard.setSafe(i, random.nextLong());
                }
                easy.setValueCount(rows);
                hard.setValueCount(rows);
                try {
                    assertThat(IpcBody.of(List.of(easy, hard), rows, true, small)
                                    .rows())
                            .isEqualTo(rows);
                } catch (OutOfMemoryException e) {
                    failed++;
                }
            }
        }
        assertThat(failed).isBetween(2, 18);
    }

    @Test
    void saysWhatToDoWhereMemoryIsShort() {
        try (BufferAllocator allocator = new RootAllocator(16 * 1024)) {
            assertThatThrownBy(() -> new ArrowEncoder(form(StreamLayout.TYPED, true), BATCH_BYTES, allocator)
                            .encode(3, 1, sparse(50, 500)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("max_rows")
                    .hasMessageContaining("cdc.arrow-batch-bytes");
        }
    }
}
