package dev.weir.partition.entry;

import dev.weir.partition.model.TableSchema;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block of rows as an entry holds it. Dictionary, series of rows and timestamps are decoded; columns are not. Arrays are the view's own:
 * read, don't change. Stays valid when the entry's buffer is gone.
 */
public final class BlockView {
    private final String tenant;
    private final int tableId;
    private final int schemaVersion;
    private final @Nullable TableSchema inlineSchema;
    private final int[] seriesIds;
    private final long[] hashes;
    private final byte[] bytes;
    private final int[] tagsFrom;
    private final int[] tagsLength;
    private final BlockRows rows;
    private final int bodyFrom;
    private final int bodyEnd;

    BlockView(Head head, Dictionary dictionary, BlockRows rows, byte[] bytes, int bodyFrom, int bodyEnd) {
        this.tenant = head.tenant;
        this.tableId = head.tableId;
        this.schemaVersion = head.schemaVersion;
        this.inlineSchema = head.inlineSchema;
        this.seriesIds = dictionary.ids;
        this.hashes = dictionary.hashes;
        this.tagsFrom = dictionary.tagsFrom;
        this.tagsLength = dictionary.tagsLength;
        this.bytes = bytes;
        this.rows = rows;
        this.bodyFrom = bodyFrom;
        this.bodyEnd = bodyEnd;
    }

    record Head(
            String tenant,
            int tableId,
            int schemaVersion,
            @Nullable TableSchema inlineSchema) {}

    record Dictionary(int[] ids, long[] hashes, int[] tagsFrom, int[] tagsLength) {}

    public String tenant() {
        return tenant;
    }

    public int tableId() {
        return tableId;
    }

    public int schemaVersion() {
        return schemaVersion;
    }

    /** The definition of (table, version), where the leader did not know that the log has it. */
    public @Nullable TableSchema inlineSchema() {
        return inlineSchema;
    }

    public int rowCount() {
        return rows.timestamps().length;
    }

    public int seriesCount() {
        return seriesIds.length;
    }

    /** The partition-local id of a series of the dictionary, -1 where it is defined inline. */
    public int seriesId(int ref) {
        return seriesIds[ref];
    }

    /** Hash of a series that is defined inline. */
    public long inlineHash(int ref) {
        return hashes[ref];
    }

    /** The bytes that hold {@link #inlineTagsLength} canonical tags of a series that is defined inline from {@link #inlineTagsFrom} on. */
    public byte[] inlineBytes() {
        return bytes;
    }

    public int inlineTagsFrom(int ref) {
        return tagsFrom[ref];
    }

    public int inlineTagsLength(int ref) {
        return tagsLength[ref];
    }

    /** The definition of an inline series under the id that it gets. */
    public SeriesDefinition definition(int ref, int seriesId) {
        int from = tagsFrom[ref];
        byte[] tags = java.util.Arrays.copyOfRange(bytes, from, from + tagsLength[ref]);
        return new SeriesDefinition(seriesId, tableId, tags, hashes[ref]);
    }

    /** Per row: which series of the dictionary. */
    public int[] seriesRefs() {
        return rows.series();
    }

    public long[] timestamps() {
        return rows.timestamps();
    }

    /** The encoded columns; read-only. */
    public ByteBuffer columns() {
        return ByteBuffer.wrap(bytes, rows.columnsFrom(), bodyEnd - rows.columnsFrom())
                .slice()
                .asReadOnlyBuffer();
    }

    /** Copies refs, timestamps and columns as they stand. */
    void writeBody(ByteWriter out) {
        out.raw(bytes, bodyFrom, bodyEnd - bodyFrom);
    }
}
