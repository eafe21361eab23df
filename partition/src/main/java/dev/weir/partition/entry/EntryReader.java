package dev.weir.partition.entry;

import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.entry.Section.MovesBeginSection;
import dev.weir.partition.entry.Section.TickSection;
import dev.weir.partition.entry.Section.TrimSection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads an entry that {@link EntryBuilder} built. Called by apply on every replica: columns stay opaque bytes. */
public final class EntryReader {
    private EntryReader() {}

    /**
     * All sections, in order. Nothing of them depends on what was defined before.
     *
     * @param entry read to its limit, its position unchanged; blocks may share its bytes, so they are valid as long as these are
     * @throws FormatException the bytes are no entry, or hold what this version does not know; then none of it may be applied
     */
    public static List<Section> read(ByteBuffer entry) {
        ByteReader in = ByteReader.of(entry);
        int version = in.u8("entry version");
        if (version != EntryBuilder.VERSION) {
            throw new FormatException("entry version " + version + ", expected " + EntryBuilder.VERSION);
        }
        List<Section> sections = new ArrayList<>(4);
        int rowsLeft = BlockLimits.ENTRY_ROWS_MAX;
        while (!in.atEnd()) {
            int kind = in.u8("section kind");
            int length = in.u32("section length");
            ByteReader body = in.slice(length, "section of kind " + kind);
            Section section = read(kind, body, rowsLeft);
            body.expectEnd("section of kind " + kind);
            if (section instanceof AppendSection append) {
                rowsLeft -= append.rowCount();
            }
            sections.add(section);
        }
        if (sections.isEmpty()) {
            throw new FormatException("entry without a section");
        }
        return sections;
    }

    private static Section read(int kind, ByteReader body, int rowsLeft) {
        return switch (kind) {
            case SectionKind.APPEND -> AppendCodec.read(body, rowsLeft);
            case SectionKind.DELETE -> SectionCodec.readDelete(body);
            case SectionKind.RANGE_DELETE -> SectionCodec.readRangeDelete(body);
            case SectionKind.TRIM -> new TrimSection(body.varint("trim seq"));
            case SectionKind.TICK -> new TickSection();
            case SectionKind.EXPIRY -> SectionCodec.readExpiry(body);
            case SectionKind.FENCE -> SectionCodec.readFence(body);
            case SectionKind.LINEAGE -> SectionCodec.readLineage(body);
            case SectionKind.FLUSH -> SectionCodec.readFlush(body);
            case SectionKind.COMPACTION -> SectionCodec.readCompaction(body);
            case SectionKind.MOVE -> SectionCodec.readMove(body);
            case SectionKind.MOVES_BEGIN -> new MovesBeginSection();
            default ->
                throw new FormatException("section kind " + kind + ", expected 1 to " + SectionKind.MOVES_BEGIN
                        + "; the entry was written by a newer version");
        };
    }
}
