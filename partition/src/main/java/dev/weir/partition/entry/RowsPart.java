package dev.weir.partition.entry;

import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one block in a record. Parts are decoded when first asked for. Threads may race to decode: each result is immutable, so the
 * loser's work is only wasted.
 */
final class RowsPart {
    /** Which rows are updates: all, those of the mask, or none. */
    record Updates(boolean all, long @Nullable [] mask) {
        boolean of(int row) {
            return all || (mask != null && RowMask.get(mask, row));
        }
    }

    /** Decoded dictionary and rows. */
    private record Rows(int[] seriesIds, BlockRows rows, List<ColumnBody.Slice> columns) {}

    final TableSchema schema;
    final int rows;
    final int seriesCount;
    private final Definitions definitions;
    private final int @Nullable [] rowOf;
    private final Updates updates;
    private final byte[] bytes;
    private final int from;
    private final int end;
    private final @Nullable List<Tag>[] tags;
    private @Nullable Rows decoded;

    /** @param in stands at the series' ids and ends with the part */
    RowsPart(
            TableSchema schema,
            Definitions definitions,
            int rows,
            int seriesCount,
            int @Nullable [] rowOf,
            Updates updates,
            ByteReader in) {
        this.schema = schema;
        this.definitions = definitions;
        this.rows = rows;
        this.seriesCount = seriesCount;
        this.rowOf = rowOf;
        this.updates = updates;
        this.bytes = in.array();
        this.from = in.position();
        this.end = in.end();
        this.tags = newTags(seriesCount);
    }

    /** The block's row of an event. */
    int row(int event) {
        return rowOf == null ? event : rowOf[event];
    }

    boolean updated(int row) {
        return updates.of(row);
    }

    int series(int row) {
        return decoded().rows.series()[row];
    }

    long timestamp(int row) {
        return decoded().rows.timestamps()[row];
    }

    long hash(int series) {
        return definitions.hash(decoded().seriesIds[series]);
    }

    List<Tag> tags(int series) {
        List<Tag> known = tags[series];
        if (known == null) {
            known = definitions.tags(decoded().seriesIds[series]);
            tags[series] = known;
        }
        return known;
    }

    List<ColumnBody.Slice> columns() {
        return decoded().columns;
    }

    private Rows decoded() {
        Rows known = decoded;
        if (known == null) {
            known = decode();
            decoded = known;
        }
        return known;
    }

    private Rows decode() {
        ByteReader in = new ByteReader(bytes, from, end);
        int[] ids = seriesIds(in, seriesCount);
        BlockRows blockRows = BlockRows.read(in, rows, seriesCount);
        List<ColumnBody.Slice> columns = ColumnBody.slices(new ByteReader(bytes, blockRows.columnsFrom(), end));
        return new Rows(ids, blockRows, columns);
    }

    static int[] seriesIds(ByteReader in, int seriesCount) {
        long[] coded = LongCodec.decode(in, seriesCount, "series ids");
        int[] ids = new int[seriesCount];
        for (int i = 0; i < seriesCount; i++) {
            if (coded[i] < 0 || coded[i] > Integer.MAX_VALUE) {
                throw new FormatException("series id " + coded[i] + ", expected 0 to " + Integer.MAX_VALUE);
            }
            ids[i] = (int) coded[i];
        }
        return ids;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable List<Tag>[] newTags(int count) {
        return new List[count];
    }
}
