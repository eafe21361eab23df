package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A batch in the shape of TSBS cpu-only: 1,000 hosts with 10 tags, 10 fields, one row a host and step. For measuring. */
record CpuRows(int partition, long firstSeq, int count, List<List<Tag>> hosts, List<FieldColumn> fields)
        implements ChangeBatch {
    private static final long START = 1_790_000_000_000_000_000L;
    private static final String[] TAGS = {
        "arch",
        "datacenter",
        "hostname",
        "os",
        "rack",
        "region",
        "service",
        "service_environment",
        "service_version",
        "team"
    };
    private static final String[] FIELDS = {
        "usage_guest",
        "usage_guest_nice",
        "usage_idle",
        "usage_iowait",
        "usage_irq",
        "usage_nice",
        "usage_softirq",
        "usage_steal",
        "usage_system",
        "usage_user"
    };

    static CpuRows of(int partition, long firstSeq, int count, long seed) {
        Random random = new Random(seed);
        List<List<Tag>> hosts = new ArrayList<>();
        for (int host = 0; host < 1000; host++) {
            List<Tag> tags = new ArrayList<>();
            for (String tag : TAGS) {
                tags.add(new Tag(tag, tag.equals("hostname") ? "host_" + host : tag + "-" + random.nextInt(20)));
            }
            hosts.add(tags);
        }
        List<FieldColumn> fields = new ArrayList<>();
        for (int i = 0; i < FIELDS.length; i++) {
            double[] values = new double[count];
            for (int row = 0; row < count; row++) {
                values[row] = i % 2 == 0 ? random.nextInt(101) : random.nextInt(1_000_000) / 10_000.0;
            }
            fields.add(new Real(i, FIELDS[i], values));
        }
        return new CpuRows(partition, firstSeq, count, hosts, fields);
    }

    CpuRows at(int newPartition, long seq) {
        return new CpuRows(newPartition, seq, count, hosts, fields);
    }

    private record Real(int columnId, String name, double[] values) implements FieldColumn {
        @Override
        public FieldType type() {
            return FieldType.FLOAT64;
        }

        @Override
        public boolean present(int row) {
            return true;
        }

        @Override
        public double doubleAt(int row) {
            return values[row];
        }

        @Override
        public long longAt(int row) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean boolAt(int row) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String stringAt(int row) {
            throw new UnsupportedOperationException();
        }
    }

    @Override
    public long committedAtNanos() {
        return START + firstSeq * 1000;
    }

    @Override
    public EventType type() {
        return EventType.POINT_WRITTEN;
    }

    @Override
    public String tenant() {
        return "default";
    }

    @Override
    public String measurement() {
        return "cpu";
    }

    @Override
    public int schemaVersion() {
        return 1;
    }

    @Override
    public TableSchema schema() {
        return new TableSchema(1, "default", "cpu", 1, false, List.of());
    }

    @Override
    public Operation operation(int row) {
        return Operation.INSERT;
    }

    @Override
    public long timestampNanos(int row) {
        return START + (firstSeq + row) / 1000 * 10_000_000_000L;
    }

    @Override
    public int series(int row) {
        return (int) ((firstSeq + row) % 1000);
    }

    @Override
    public int seriesCount() {
        return hosts.size();
    }

    @Override
    public List<Tag> seriesTags(int series) {
        return hosts.get(series);
    }

    @Override
    public long seriesHash(int series) {
        return new SeriesKey("default", "cpu", hosts.get(series)).hash();
    }

    @Override
    public String detailJson() {
        return "{}";
    }

    @Override
    public ChangeEvent event(int row) {
        Map<String, Object> values = new LinkedHashMap<>();
        fields.forEach(field -> values.put(field.name(), field.doubleAt(row)));
        return new ChangeEvent(
                partition,
                firstSeq + row,
                type(),
                operation(row),
                tenant(),
                measurement(),
                timestampNanos(row),
                hosts.get(series(row)),
                values,
                1,
                committedAtNanos(),
                0,
                "{}");
    }
}
