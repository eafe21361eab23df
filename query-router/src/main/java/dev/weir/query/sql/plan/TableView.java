package dev.weir.query.sql.plan;

import dev.weir.partition.model.FieldType;
import dev.weir.query.sql.image.BufferImage;
import dev.weir.query.sql.image.DeletedRange;
import dev.weir.query.sql.image.FileImage;
import dev.weir.query.sql.image.FileImage.SourceColumn;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.plan.VisibleColumns.Visible;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The SELECT that shows one table image as users know the table: {@code time} to the nanosecond, tags, fields.
 *
 * <pre>
 * plain sources      SELECT time, tags, fields FROM files | buffer          (nothing repeats: no merging)
 * repeating sources  SELECT time, tags, arg_max(field, seq) … GROUP BY hash, time, tags
 * deletes            WHERE NOT (seq < delete's AND time in range AND tags match), per part
 * </pre>
 */
public final class TableView {
    private static final String SEQ = "_weir_seq";
    private static final String HASH = "_weir_hash";
    private static final int MICRO = 1_000;

    private final TableImage image;
    private final TimeRange times;
    private final VisibleColumns visible;
    private final List<Visible> shown;
    private final Function<List<BufferImage>, String> relation;

    /**
     * @param times rows outside are not shown
     * @param shows whether a column is wanted
     * @param relation the name under which DuckDB knows buffers with the same columns
     */
    public TableView(
            TableImage image, TimeRange times, Predicate<Visible> shows, Function<List<BufferImage>, String> relation) {
        this.image = image;
        this.times = times;
        this.visible = VisibleColumns.of(image.schema());
        this.shown = visible.columns().stream().filter(shows).toList();
        this.relation = relation;
    }

    public String select() {
        List<String> plain = new ArrayList<>();
        List<String> repeating = new ArrayList<>();
        files().forEach((kind, files) ->
                (kind.mayRepeat ? repeating : plain).add(source(kind, readParquet(files), kind.mayRepeat)));
        buffers()
                .forEach((kind, buffers) -> (kind.mayRepeat ? repeating : plain)
                        .add(source(kind, relation.apply(buffers), kind.mayRepeat)));
        if (!repeating.isEmpty()) {
            plain.add(merged(repeating));
        }
        return plain.isEmpty() ? nothing() : String.join("\nUNION ALL\n", plain);
    }

    /** Sources that are read alike. */
    private record Kind(
            Map<Integer, SourceColumn> columns, List<DeletedRange> deletes, boolean mayRepeat, Stored stored) {}

    /** How a source keeps its times: as they are, or as microseconds and what is left. */
    private enum Stored {
        NANOS("s.\"time\""),
        MICROS("make_timestamp_ns(epoch_us(s.\"time\") * 1000)"),
        MICROS_AND_REST("make_timestamp_ns(epoch_us(s.\"time\") * 1000 + s._time_ns)");

        private final String time;

        Stored(String time) {
            this.time = time;
        }

        /** A time as the stored column has it, rounded down. */
        String literal(long nanos) {
            return this == NANOS ? nanoseconds(nanos) : "make_timestamptz(" + Math.floorDiv(nanos, MICRO) + ")";
        }
    }

    private Map<Kind, List<FileImage>> files() {
        Map<Kind, List<FileImage>> files = new LinkedHashMap<>();
        for (TablePart part : image.parts()) {
            for (FileImage file : part.files()) {
                if (!file.times().and(times).isEmpty()) {
                    Stored stored = file.wholeMicros() ? Stored.MICROS : Stored.MICROS_AND_REST;
                    Kind kind = new Kind(file.columns(), hitting(part, file.times()), file.mayRepeat(), stored);
                    files.computeIfAbsent(kind, none -> new ArrayList<>()).add(file);
                }
            }
        }
        return files;
    }

    private Map<Kind, List<BufferImage>> buffers() {
        Map<Kind, List<BufferImage>> buffers = new LinkedHashMap<>();
        for (TablePart part : image.parts()) {
            for (BufferImage buffer : part.buffers()) {
                if (!buffer.times().and(times).isEmpty()) {
                    Kind kind =
                            new Kind(buffer.columns(), hitting(part, buffer.times()), buffer.mayRepeat(), Stored.NANOS);
                    buffers.computeIfAbsent(kind, none -> new ArrayList<>()).add(buffer);
                }
            }
        }
        return buffers;
    }

    private List<DeletedRange> hitting(TablePart part, TimeRange source) {
        return part.deletes().stream()
                .filter(delete -> !delete.times().and(source).isEmpty()
                        && !delete.times().and(times).isEmpty())
                .toList();
    }

    private static String readParquet(List<FileImage> files) {
        return "read_parquet("
                + files.stream()
                        .map(file -> Quoted.text(file.path().toString()))
                        .collect(Collectors.joining(", ", "[", "]"))
                + ", hive_partitioning = false)";
    }

    private String source(Kind kind, String from, boolean withSeq) {
        boolean whole = withSeq || !kind.deletes.isEmpty();
        List<String> items = new ArrayList<>();
        items.add(kind.stored.time + " AS \"time\"");
        for (Visible column : whole ? visible.columns() : shown) {
            items.add(column(kind.columns.get(column.column().id()), column) + " AS " + Quoted.name(column.name()));
        }
        if (whole) {
            items.add("s._seq AS " + SEQ);
            items.add("s._series_hash AS " + HASH);
        }
        String select = "SELECT " + String.join(", ", items) + " FROM " + from + " s" + range(kind.stored);
        return kind.deletes.isEmpty() ? select : without(kind.deletes, select, withSeq);
    }

    private static String column(@Nullable SourceColumn source, Visible column) {
        String type = column.column().type().sqlName();
        if (source == null) {
            return "NULL::" + type;
        }
        String name = "s." + Quoted.name(source.name());
        return source.type() == column.column().type() ? name : "CAST(" + name + " AS " + type + ")";
    }

    /** On the stored columns, so that DuckDB skips row groups by their statistics. */
    private String range(Stored stored) {
        List<String> bounds = new ArrayList<>();
        long from = times.fromNanos();
        long to = times.toNanos();
        boolean rest = stored == Stored.MICROS_AND_REST;
        if (from != Long.MIN_VALUE) {
            boolean up = stored == Stored.MICROS && Math.floorMod(from, MICRO) != 0;
            bounds.add("s.\"time\" " + (up ? "> " : ">= ") + stored.literal(from));
            if (rest && Math.floorMod(from, MICRO) != 0) {
                bounds.add("(s.\"time\" > " + stored.literal(from) + " OR s._time_ns >= " + Math.floorMod(from, MICRO)
                        + ")");
            }
        }
        if (to != Long.MAX_VALUE) {
            bounds.add("s.\"time\" <= " + stored.literal(to));
            if (rest && Math.floorMod(to, MICRO) != MICRO - 1) {
                bounds.add(
                        "(s.\"time\" < " + stored.literal(to) + " OR s._time_ns <= " + Math.floorMod(to, MICRO) + ")");
            }
        }
        return bounds.isEmpty() ? "" : " WHERE " + String.join(" AND ", bounds);
    }

    private static String nanoseconds(long nanos) {
        return "make_timestamp_ns(" + nanos + ")";
    }

    private String without(List<DeletedRange> deletes, String select, boolean withSeq) {
        String hit = deletes.stream().map(this::hit).collect(Collectors.joining(" OR "));
        String items = withSeq ? "*" : String.join(", ", names("d", shown));
        return "SELECT " + items + " FROM (" + select + ") d WHERE NOT (" + hit + ")";
    }

    private String hit(DeletedRange delete) {
        List<String> conditions = new ArrayList<>();
        conditions.add(SEQ + " < " + delete.seq());
        if (delete.times().fromNanos() != Long.MIN_VALUE) {
            conditions.add("d.\"time\" >= " + nanoseconds(delete.times().fromNanos()));
        }
        if (delete.times().toNanos() != Long.MAX_VALUE) {
            conditions.add("d.\"time\" <= " + nanoseconds(delete.times().toNanos()));
        }
        delete.tags().forEach((tag, values) -> conditions.add(tagMatches(tag, values)));
        return "(" + String.join(" AND ", conditions) + ")";
    }

    /** A tag that the table does not have is missing in every row. */
    private String tagMatches(String tag, List<String> values) {
        String name = visible.columns().stream()
                .filter(column -> column.isTag() && column.column().name().equals(tag))
                .map(column -> "d." + Quoted.name(column.name()))
                .findFirst()
                .orElse("NULL::VARCHAR");
        return "coalesce(" + name + ", '') IN ("
                + values.stream().map(Quoted::text).collect(Collectors.joining(", ")) + ")";
    }

    private String merged(List<String> sources) {
        List<String> keys = new ArrayList<>(List.of("m.\"time\"", "m." + HASH));
        visible.tags().forEach(tag -> keys.add("m." + Quoted.name(tag)));
        List<String> items = new ArrayList<>(List.of("m.\"time\" AS \"time\""));
        for (Visible column : shown) {
            String name = Quoted.name(column.name());
            items.add((column.isTag() ? "m." + name : "arg_max(m." + name + ", m." + SEQ + ")") + " AS " + name);
        }
        return "SELECT " + String.join(", ", items) + " FROM (" + String.join("\nUNION ALL\n", sources)
                + ") m GROUP BY " + String.join(", ", keys);
    }

    private static List<String> names(String of, List<Visible> columns) {
        List<String> names = new ArrayList<>(List.of(of + ".\"time\""));
        columns.forEach(column -> names.add(of + "." + Quoted.name(column.name())));
        return names;
    }

    private String nothing() {
        List<String> items = new ArrayList<>(List.of("NULL::TIMESTAMP_NS AS \"time\""));
        for (Visible column : shown) {
            FieldType type = column.column().type();
            items.add("NULL::" + type.sqlName() + " AS " + Quoted.name(column.name()));
        }
        return "SELECT " + String.join(", ", items) + " WHERE false";
    }
}
