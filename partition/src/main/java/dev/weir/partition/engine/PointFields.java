package dev.weir.partition.engine;

import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.RecordReader;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of points back from the events that wrote them and merges them by field, last seq wins. Reads each record once, in order of
 * seq. Used by one thread; blocks on the disk.
 */
final class PointFields {
    private final int partition;
    private final SegmentLog log;
    private final Definitions definitions;
    private final List<Wanted> wanted = new ArrayList<>();
    private final @Nullable Map<Integer, Object>[] values;

    private record Wanted(long seq, int point) {}

    /** @param points one more than the highest that will be added */
    PointFields(int partition, SegmentLog log, Definitions definitions, int points) {
        this.values = maps(points);
        this.partition = partition;
        this.log = log;
        this.definitions = definitions;
    }

    /** Asks for a point that these events wrote. */
    void add(int point, long[] seqs) {
        for (long seq : seqs) {
            wanted.add(new Wanted(seq, point));
        }
    }

    /** What an earlier source has of a point; what is added later wins, field by field. Before {@link #read}. */
    void base(int point, Map<Integer, Object> fields) {
        Map<Integer, Object> merged = values[point];
        if (merged == null) {
            values[point] = new LinkedHashMap<>(fields);
        } else {
            merged.putAll(fields);
        }
    }

    void read() throws IOException {
        wanted.sort(Comparator.comparingLong(Wanted::seq));
        int at = 0;
        while (at < wanted.size()) {
            SegmentRecord record = record(wanted.get(at).seq);
            int end = at;
            while (end < wanted.size() && wanted.get(end).seq < record.nextSeq()) {
                end++;
            }
            merge(record, wanted.subList(at, end));
            at = end;
        }
    }

    private SegmentRecord record(long seq) throws IOException {
        List<SegmentRecord> found = log.read(seq, 1);
        if (found.isEmpty()) {
            throw new IOException("partition " + partition + ": the log here has no record of seq " + seq
                    + ": its replica is being closed");
        }
        return found.getFirst();
    }

    /** The merged fields of a point by name, in order of column ids, in the types of the table's newest schema. */
    Map<String, Object> of(int point, @Nullable TableSchema schema) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Map<Integer, Object> found = values[point];
        if (schema != null && found != null) {
            for (Column column : schema.columns()) {
                Object value = column.role() == ColumnRole.FIELD ? found.get(column.id()) : null;
                if (value != null) {
                    boolean widened = column.type() == FieldType.FLOAT64 && value instanceof Long;
                    fields.put(column.name(), widened ? (Object) ((Long) value).doubleValue() : value);
                }
            }
        }
        return fields;
    }

    private void merge(SegmentRecord record, List<Wanted> here) {
        List<ChangeBatch> batches = RecordReader.read(partition, record, record.firstSeq(), definitions);
        int batch = 0;
        for (Wanted each : here) {
            while (each.seq
                    >= batches.get(batch).firstSeq() + batches.get(batch).count()) {
                batch++;
            }
            ChangeBatch rows = batches.get(batch);
            int row = (int) (each.seq - rows.firstSeq());
            Map<Integer, Object> merged = values[each.point];
            if (merged == null) {
                merged = new LinkedHashMap<>();
                values[each.point] = merged;
            }
            for (FieldColumn field : rows.fields()) {
                if (field.present(row)) {
                    merged.put(field.columnId(), field.value(row));
                }
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable Map<Integer, Object>[] maps(int count) {
        @Nullable Map[] made = new Map[count];
        Arrays.fill(made, null);
        return made;
    }
}
