package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.file.DataFileReader;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.store.ObjectStore;
import dev.weir.wal.segment.SeqTrimmedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Cuts that were taken now and then, with the table as it was: whatever became of it since, they are read again and must be that. */
final class KeptCuts {
    private static final int KEPT_MAX = 6;

    private final List<Kept> kept = new ArrayList<>();
    private final Random random;
    private int read;

    private record Kept(byte[] cut, Map<SeriesKey, Map<Long, Map<String, Object>>> points) {}

    KeptCuts(Random random) {
        this.random = random;
    }

    /** How many were read from files, and beyond them the log. */
    int read() {
        return read;
    }

    void take(PartitionReplica replica, PartitionModel model, String tenant) {
        PartitionCut cut = replica.cut(tenant, name -> true, schema -> schema);
        Map<SeriesKey, Map<Long, Map<String, Object>>> points = new HashMap<>();
        model.table().points().forEach((key, byTime) -> {
            if (key.tenant().equals(tenant) && !byTime.isEmpty()) {
                Map<Long, Map<String, Object>> copy = new HashMap<>();
                byTime.forEach((time, fields) -> copy.put(time, Map.copyOf(fields)));
                points.put(key, copy);
            }
        });
        kept.add(new Kept(PartitionCutCodec.encode(cut), points));
        if (kept.size() > KEPT_MAX) {
            kept.remove(random.nextInt(kept.size()));
        }
    }

    /** Reads one of them. */
    void check(PartitionReplica replica, PartitionModel model, ObjectStore store) throws Exception {
        Kept one = kept.get(random.nextInt(kept.size()));
        PartitionCut cut = PartitionCutCodec.decode("cut", one.cut);
        PartitionFeed feed = replica.feed();
        Map<SeriesKey, Map<Long, Map<String, Object>>> found = new HashMap<>();
        for (PartitionCut.Table table : cut.tables()) {
            FileRows files = (file, as, series) ->
                    DataFileReader.open(store.localPath(file.key()).orElseThrow(), as, series);
            if (table.throughSeq() < cut.cutSeq() && table.throughSeq() < feed.oldestSeq()) {
                assertThatThrownBy(() -> new CutRows(cut, table, files, feed)).isInstanceOf(SeqTrimmedException.class);
                return;
            }
            read(new CutRows(cut, table, files, feed), model, found);
        }
        assertThat(found).isEqualTo(one.points);
        read++;
    }

    private static void read(CutRows rows, PartitionModel model, Map<SeriesKey, Map<Long, Map<String, Object>>> found)
            throws Exception {
        for (long day : rows.days()) {
            try (CutRows.Day ofDay = rows.open(day)) {
                long row = 0;
                for (SurvivingRows batch = ofDay.next(); batch != null; batch = ofDay.next()) {
                    assertThat(batch.firstRow()).isEqualTo(row);
                    row += batch.count();
                    for (int i = 0; i < batch.count(); i++) {
                        take(batch, i, model, found);
                    }
                }
            }
        }
    }

    private static void take(
            SurvivingRows batch, int row, PartitionModel model, Map<SeriesKey, Map<Long, Map<String, Object>>> found) {
        SeriesKey key = new SeriesKey(batch.tenant(), batch.measurement(), batch.seriesTags(batch.series(row)));
        Map<String, Object> fields = new HashMap<>();
        for (FieldColumn field : batch.fields()) {
            if (field.present(row)) {
                fields.put(field.name(), value(field, row));
            }
        }
        Object before = found.computeIfAbsent(key, id -> new HashMap<>()).put(batch.timestampNanos(row), fields);
        assertThat(before).as("%s at %d once", key, batch.timestampNanos(row)).isNull();
        ChangeEvent last = model.events().get((int) batch.seq(row) - 1);
        assertThat(last.seq()).isEqualTo(batch.seq(row));
        assertThat(last.timestampNanos()).isEqualTo(batch.timestampNanos(row));
        assertThat(last.tags()).isEqualTo(key.tags());
        assertThat(batch.committedAtNanos(row)).isGreaterThanOrEqualTo(last.committedAtNanos());
    }

    private static Object value(FieldColumn field, int row) {
        return field.type() == FieldType.UINT64
                ? (Object) field.longAt(row)
                : switch (field.type()) {
                    case FLOAT64 -> field.doubleAt(row);
                    case INT64, UINT64 -> field.longAt(row);
                    case BOOL -> field.boolAt(row);
                    case STRING -> field.stringAt(row);
                };
    }
}
