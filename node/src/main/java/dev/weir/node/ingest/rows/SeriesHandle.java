package dev.weir.node.ingest.rows;

import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;

/** A series as a body wrote it, parsed once. Immutable but for a note of the schema that its tags were last held against. */
public final class SeriesHandle {
    final byte[] raw;
    final long rawHash;
    private final TableNames table;
    private final byte[] canonicalTags;
    private final long hash;
    private final int slot;
    private final Name[] tags;
    private TableSchema agreesWith = NONE;

    private static final TableSchema NONE = new TableSchema(0, "", "", 0, false, java.util.List.of());

    SeriesHandle(byte[] raw, long rawHash, TableNames table, byte[] canonicalTags, Name[] tags) {
        this.raw = raw;
        this.rawHash = rawHash;
        this.table = table;
        this.canonicalTags = canonicalTags;
        this.tags = tags;
        this.hash = table.seriesHash(canonicalTags, canonicalTags.length);
        this.slot = SeriesHash.slot(hash);
    }

    public TableNames table() {
        return table;
    }

    /** The tag part of {@link dev.weir.partition.model.SeriesKey}'s canonical encoding. Not to be changed. */
    public byte[] canonicalTags() {
        return canonicalTags;
    }

    public long hash() {
        return hash;
    }

    public int slot() {
        return slot;
    }

    public int tagCount() {
        return tags.length;
    }

    public Name tag(int index) {
        return tags[index];
    }

    /** Whether {@link #agree} was told that all tags are tags of this schema. */
    @SuppressWarnings("ReferenceEquality") // an equal copy only costs another check
    public boolean agreesWith(TableSchema schema) {
        return agreesWith == schema;
    }

    public void agree(TableSchema schema) {
        agreesWith = schema;
    }
}
