package dev.weir.partition.engine;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DeleteFilter;
import dev.weir.partition.file.FieldVector;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the fields of points from the data files of one table: of points that were flushed, so that the log need not have them. Each file that may hold one
 * is read once. Used by one thread; blocks on disk and store.
 */
final class FlushedFields {
    private final FileSet files;
    private final FileRows rows;
    private final DeleteRules deletes;
    private final List<Wanted> wanted = new ArrayList<>();

    private record Wanted(int point, List<Tag> series, long time) {}

    /** Told of each point that a file has, in order of flush. */
    interface Target {
        /** @param fields by column id */
        void found(int point, Map<Integer, Object> fields);
    }

    FlushedFields(FileSet files, FileRows rows) {
        this.files = files;
        this.rows = rows;
        this.deletes = new DeleteRules(files.deletes(), Long.MAX_VALUE);
    }

    void add(int point, List<Tag> series, long time) {
        wanted.add(new Wanted(point, series, time));
    }

    void read(TableSchema schema, Target target) throws IOException {
        for (StoredFile file : wanted.isEmpty() ? List.<StoredFile>of() : files.files()) {
            Map<List<Tag>, Wanted> here = new HashMap<>();
            for (Wanted each : wanted) {
                if (each.time >= file.minTimestampNanos() && each.time <= file.maxTimestampNanos()) {
                    here.put(each.series, each);
                }
            }
            if (!here.isEmpty()) {
                try (RowSource source = rows.open(file, schema, List.copyOf(here.keySet()))) {
                    read(source, here, target);
                }
            }
        }
    }

    private void read(RowSource source, Map<List<Tag>, Wanted> here, Target target) throws IOException {
        for (RowBatch batch = source.next(); batch != null; batch = source.next()) {
            for (int run = 0; run < batch.runs(); run++) {
                byte[] tags = batch.runTags(run);
                Wanted sought = here.get(CanonicalTags.decode(tags, 0, tags.length));
                if (sought != null) {
                    read(batch, run, sought, target);
                }
            }
        }
    }

    private void read(RowBatch batch, int run, Wanted sought, Target target) {
        DeleteFilter.Rows deleted = deletes.ofSeries(batch.runTags(run), batch.runHash(run));
        for (int row = batch.runStart(run); row < batch.runEnd(run); row++) {
            boolean found = batch.times()[row] == sought.time;
            if (found && (deleted == null || !deleted.deletes(sought.time, batch.seqs()[row]))) {
                target.found(sought.point, fields(batch, row));
            }
        }
    }

    private static Map<Integer, Object> fields(RowBatch batch, int row) {
        Map<Integer, Object> fields = new HashMap<>();
        for (int i = 0; i < batch.fieldColumns().size(); i++) {
            FieldVector field = batch.field(i);
            if (!field.isNull(row)) {
                fields.put(batch.fieldColumns().get(i).id(), value(field, row));
            }
        }
        return fields;
    }

    private static Object value(FieldVector field, int row) {
        return switch (field.type()) {
            case FLOAT64 -> field.getDouble(row);
            case INT64 -> field.getLong(row);
            case UINT64 -> new BigInteger(Long.toUnsignedString(field.getLong(row)));
            case BOOL -> field.getLong(row) == 1;
            case STRING -> new String(field.text(), field.textFrom(row), field.textLength(row), StandardCharsets.UTF_8);
        };
    }
}
