package dev.weir.node.ingest.rows;

import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows that Weir itself writes, into a table whose name begins with {@code _}, which bodies of users can't name. */
public final class OwnRows implements RowReader {
    private final TableNames table;
    private final List<OwnRow> rows;
    /** Where each row begins, were they one text: what bounds the size of requests. */
    private final int[] places;

    private final Map<List<Tag>, SeriesHandle> series = new HashMap<>();
    private final Row row = new Row();
    private int at = -1;
    private int next;

    /**
     * A row.
     *
     * @param tags sorted
     */
    public record OwnRow(List<Tag> tags, long timestampNanos, List<OwnField> fields) {
        int bytes() {
            return 64
                    + fields.stream()
                            .mapToInt(field -> 16 + field.text().length)
                            .sum();
        }
    }

    /**
     * A field.
     *
     * @param bits of an INT64 or BOOL
     * @param text of a STRING, in UTF-8
     */
    public record OwnField(String name, FieldType type, long bits, byte[] text) {
        private static final byte[] NO_TEXT = {};

        public static OwnField of(String name, String text) {
            return new OwnField(name, FieldType.STRING, 0, text.getBytes(StandardCharsets.UTF_8));
        }

        public static OwnField of(String name, long number) {
            return new OwnField(name, FieldType.INT64, number, NO_TEXT);
        }

        public static OwnField of(String name, boolean flag) {
            return new OwnField(name, FieldType.BOOL, flag ? 1 : 0, NO_TEXT);
        }
    }

    public OwnRows(String table, List<OwnRow> rows, NameCaches caches, String tenant) {
        this.table = new TableNames(caches.tenant(tenant), table);
        this.rows = rows;
        this.places = new int[rows.size()];
        int place = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = place;
            place += rows.get(i).bytes();
        }
    }

    @Override
    public boolean next() {
        if (next >= rows.size()) {
            return false;
        }
        at = next++;
        OwnRow own = rows.get(at);
        row.series = series.computeIfAbsent(own.tags(), this::handle);
        row.timed = true;
        row.timestampNanos = own.timestampNanos();
        row.count = 0;
        for (OwnField field : own.fields()) {
            int i = row.add();
            row.names[i] = table.name(field.name());
            row.types[i] = field.type().code();
            row.bits[i] = field.bits();
            row.texts[i] = field.text();
            row.textFrom[i] = 0;
            row.textLength[i] = field.text().length;
        }
        return true;
    }

    private SeriesHandle handle(List<Tag> tags) {
        Name[] names = tags.stream().map(tag -> table.name(tag.key())).toArray(Name[]::new);
        return new SeriesHandle(new byte[0], 0, table, CanonicalTags.of(tags), names);
    }

    @Override
    public @Nullable RowFault fault() {
        return null;
    }

    @Override
    public @Nullable RowFault bodyFault() {
        return null;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public int line() {
        return at + 1;
    }

    @Override
    public int place() {
        return places[at];
    }

    @Override
    public int stop() {
        return places[at] + rows.get(at).bytes();
    }

    @Override
    public String measurement() {
        return table.table();
    }

    @Override
    public void seek(int place, int line) {
        next = Arrays.binarySearch(places, place);
    }

    @Override
    public String locate(int field, String message) {
        return message;
    }

    @Override
    public String locate(String message) {
        return message;
    }

    @Override
    public boolean loose() {
        return false;
    }

    @Override
    public int droppedFields() {
        return 0;
    }
}
