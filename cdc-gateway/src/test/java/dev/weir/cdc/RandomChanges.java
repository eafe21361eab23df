package dev.weir.cdc;

import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Batches as a busy cluster of two tenants would have them, all from one seed. */
final class RandomChanges {
    private static final String[] TEXTS = {
        "", "plain", "with \"quotes\" and \\", "line\nend\r\n", "ünï ☃ 𝄞", "\u0001tab\t"
    };
    private final Random random;

    RandomChanges(long seed) {
        this.random = new Random(seed);
    }

    int below(int limit) {
        return random.nextInt(limit);
    }

    MemoryBatch batch() {
        return batch(1 + random.nextInt(20));
    }

    MemoryBatch batch(int rowCount) {
        String tenant = random.nextInt(8) == 0 ? "other" : "default";
        String measurement = List.of("cpu", "mem", "disk io").get(random.nextInt(3));
        List<List<Tag>> series = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            series.add(List.of(new Tag("host", "h" + i), new Tag("zone", TEXTS[1 + i % 5])));
        }
        series.add(List.of());
        return switch (random.nextInt(12)) {
            case 0 ->
                MemoryBatch.of(
                        EventType.SERIES_DELETED,
                        tenant,
                        measurement,
                        "{}",
                        series,
                        List.of(new MemoryBatch.Row(random.nextInt(series.size()), 0, Operation.DELETE, Map.of())));
            case 1 ->
                MemoryBatch.of(
                        EventType.MEASUREMENT_DROPPED,
                        tenant,
                        measurement,
                        "{\"change_id\":\"c-1\"}",
                        List.of(),
                        List.of(new MemoryBatch.Row(-1, 0, Operation.DELETE, Map.of())));
            case 2 ->
                MemoryBatch.of(
                        EventType.SCHEMA_CHANGED,
                        tenant,
                        measurement,
                        "{\"columns\":[{\"name\":\"v\"}]}",
                        List.of(),
                        List.of(new MemoryBatch.Row(-1, 0, Operation.NONE, Map.of())));
            default -> MemoryBatch.points(tenant, measurement, series, rows(series.size(), rowCount));
        };
    }

    private List<MemoryBatch.Row> rows(int seriesCount, int count) {
        List<MemoryBatch.Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, Object> fields = new LinkedHashMap<>();
            if (random.nextInt(4) > 0) {
                fields.put("f", random.nextBoolean() ? random.nextGaussian() * 1e9 : (double) random.nextInt(100));
            }
            if (random.nextInt(4) > 0) {
                fields.put("i", random.nextBoolean() ? random.nextLong() : (long) random.nextInt(1000));
            }
            fields.put("u", new BigInteger(64, random));
            fields.put("b", random.nextBoolean());
            fields.put("s", TEXTS[random.nextInt(TEXTS.length)]);
            rows.add(new MemoryBatch.Row(
                    random.nextInt(seriesCount),
                    random.nextInt(10) == 0 ? -1L - random.nextInt(1000) : random.nextLong() & Long.MAX_VALUE,
                    random.nextBoolean() ? Operation.INSERT : Operation.UPDATE,
                    fields));
        }
        return rows;
    }
}
