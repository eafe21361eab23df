package dev.weir.partition.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class MergeRowsTest {
    private static final int SEEDS = 5 * Integer.getInteger("weir.sim.seeds", 20);

    @Test
    void mergesAsAMapWould() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RandomTable table = new RandomTable(random);
            TableSchema schema = table.schema(1);
            List<PointRow> all = table.rows(schema, 1 + random.nextInt(400), 0, 1, true);
            long deletedThrough = random.nextBoolean() ? random.nextInt(200) : -1;
            DeleteFilter filter = filter(random.nextInt(3), deletedThrough);
            List<RowSource> sources = deal(schema, all, random);
            try (MergeRows merge = new MergeRows(schema, sources, filter)) {
                List<PointRow> found = RowLists.of(merge);
                List<PointRow> expected = model(all, filter);
                assertThat(found).as("seed %d", seed).isEqualTo(expected);
                MergeCounts counts = merge.counts();
                assertThat(counts.in()).isEqualTo(all.size());
                assertThat(counts.out()).isEqualTo(expected.size());
                assertThat(counts.in()).isEqualTo(counts.out() + counts.merged() + counts.deleted());
            }
        }
    }

    @Test
    void nothingInNothingOut() throws IOException {
        TableSchema schema = new RandomTable(new SplittableRandom(1)).schema(1);
        assertThat(RowLists.of(new MergeRows(schema, List.of(), DeleteFilter.NONE)))
                .isEmpty();
        assertThat(RowLists.of(new MergeRows(schema, List.of(new ListSource(schema, List.of(), 4)), DeleteFilter.NONE)))
                .isEmpty();
    }

    private static DeleteFilter filter(int kind, long through) {
        return switch (kind) {
            case 0 -> DeleteFilter.NONE;
            case 1 -> (tags, hash) -> (time, seq) -> seq <= through && time % 3 == 0;
            default -> (tags, hash) -> hash % 2 == 0 ? DeleteFilter.Rows.ALL : null;
        };
    }

    private static List<RowSource> deal(TableSchema schema, List<PointRow> all, SplittableRandom random) {
        int count = 1 + random.nextInt(5);
        List<List<PointRow>> hands = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hands.add(new ArrayList<>());
        }
        int stretch = 1 + random.nextInt(100);
        for (int i = 0; i < all.size(); i++) {
            hands.get(i / stretch % count).add(all.get(i));
        }
        List<RowSource> sources = new ArrayList<>();
        hands.forEach(hand -> sources.add(new ListSource(schema, hand, 1 + random.nextInt(20))));
        return sources;
    }

    private record Point(SeriesKey series, long time) {}

    private static List<PointRow> model(List<PointRow> all, DeleteFilter filter) {
        Map<Point, PointRow> merged = new HashMap<>();
        TreeMap<Long, PointRow> bySeq = new TreeMap<>();
        all.forEach(row -> bySeq.put(row.seq(), row));
        for (PointRow row : bySeq.values()) {
            DeleteFilter.Rows rows = filter.ofSeries(row.tags(), row.series().hash());
            if (rows == null || !rows.deletes(row.time(), row.seq())) {
                merged.merge(new Point(row.series(), row.time()), row, MergeRowsTest::over);
            }
        }
        return merged.values().stream().sorted(PointRow.ORDER).toList();
    }

    private static PointRow over(PointRow older, PointRow newer) {
        Map<Integer, Object> fields = new HashMap<>(older.fields());
        fields.putAll(newer.fields());
        return new PointRow(newer.series(), newer.time(), newer.seq(), fields);
    }
}
