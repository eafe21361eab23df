package dev.weir.partition.entry;

import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.LineageSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.TenantSeriesLimit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what one entry of a partition's log says. Called by the leader's writer; not thread-safe.
 *
 * <pre>
 * u8 version (1), then sections to the end, each: u8 kind, u32 length, body
 * </pre>
 *
 * Series and schemas that the log has defined go in by their ids, others with their definition; columns are copied as they are. A stale view
 * of the definitions is harmless: applying a definition that is there already finds its id.
 *
 * <p>A block is checked as far as applying it reads it, so that nothing that a replica could not apply gets into the log.
 */
public final class EntryBuilder {
    static final int VERSION = 1;

    private final Definitions definitions;
    private final ByteWriter out = new ByteWriter(64 << 10);
    private final Scratch scratch = new Scratch();
    private int sections;
    private int rows;

    public EntryBuilder(Definitions definitions) {
        this.definitions = definitions;
        reset();
    }

    /** Whether the entry's rows with those of the request stay within {@link BlockLimits#ENTRY_ROWS_MAX}. */
    public boolean hasRoomFor(AppendRequest request) {
        return request.rowCount() <= BlockLimits.ENTRY_ROWS_MAX - rows;
    }

    /** As {@link #add(AppendRequest, int, TenantSeriesLimit)}, without limit of the tenant. */
    public void add(AppendRequest request, int seriesMax) {
        add(request, seriesMax, null);
    }

    /**
     * Adds the rows of a request. After an exception the entry is as it was.
     *
     * @param seriesMax most series that a table may have in the partition, 0 without limit
     * @param tenantLimit of the tenant's series in the partition; null without limit
     * @throws FormatException a block is damaged
     * @throws IllegalArgumentException the entry has no room for so many rows
     */
    public void add(AppendRequest request, int seriesMax, @Nullable TenantSeriesLimit tenantLimit) {
        if (!hasRoomFor(request)) {
            throw new IllegalArgumentException("request of " + request.rowCount() + " rows, expected at most "
                    + (BlockLimits.ENTRY_ROWS_MAX - rows));
        }
        List<WireBlock> blocks = new ArrayList<>(request.blocks().size());
        for (RowBlock block : request.blocks()) {
            blocks.add(open(block));
        }
        int mark = out.size();
        try {
            int length = begin(SectionKind.APPEND);
            AppendCodec.write(out, request, seriesMax, tenantLimit, blocks, definitions, scratch);
            end(length);
        } catch (RuntimeException e) {
            out.truncate(mark);
            throw e;
        }
        rows += request.rowCount();
    }

    public void add(DeleteRequest request) {
        DeleteRequest.Range range = request.range();
        if (range != null) {
            add(new RangeDeleteSection(
                    request.batch(),
                    request.generation(),
                    request.tenant(),
                    request.tableId(),
                    request.measurement(),
                    range.tags().stream().sorted().toList(),
                    range.fromNanos(),
                    range.toNanos(),
                    cause(range),
                    request.changeId(),
                    range.asOfSeq()));
            return;
        }
        add(new DeleteSection(
                request.batch(),
                request.generation(),
                request.tenant(),
                request.tableId(),
                request.measurement(),
                request.tags() == null ? null : request.tags().stream().sorted().toList(),
                request.changeId()));
    }

    private static RangeDeleteCause cause(DeleteRequest.Range range) {
        if (range.asOfSeq() > 0) {
            return RangeDeleteCause.QUARANTINE;
        }
        return range.byRetention() ? RangeDeleteCause.RETENTION : RangeDeleteCause.STATEMENT;
    }

    public void add(DeleteSection delete) {
        int length = begin(SectionKind.DELETE);
        SectionCodec.write(out, delete);
        end(length);
    }

    public void add(RangeDeleteSection delete) {
        int length = begin(SectionKind.RANGE_DELETE);
        SectionCodec.write(out, delete);
        end(length);
    }

    /** The history of events before {@code seq} may go. */
    public void addTrim(long seq) {
        int length = begin(SectionKind.TRIM);
        out.varint(seq);
        end(length);
    }

    public void addTick() {
        end(begin(SectionKind.TICK));
    }

    public void add(ExpirySection expiry) {
        int length = begin(SectionKind.EXPIRY);
        out.zigzag(expiry.beforeNanos());
        out.varint(expiry.recordsMax());
        end(length);
    }

    public void add(FenceSection fence) {
        int length = begin(SectionKind.FENCE);
        SectionCodec.write(out, fence);
        end(length);
    }

    public void add(LineageSection lineage) {
        int length = begin(SectionKind.LINEAGE);
        SectionCodec.write(out, lineage);
        end(length);
    }

    public void add(FlushSection flush) {
        int length = begin(SectionKind.FLUSH);
        SectionCodec.write(out, flush);
        end(length);
    }

    public void add(CompactionSection compaction) {
        int length = begin(SectionKind.COMPACTION);
        SectionCodec.write(out, compaction);
        end(length);
    }

    public void add(MoveSection move) {
        int length = begin(SectionKind.MOVE);
        SectionCodec.write(out, move);
        end(length);
    }

    public void addMovesBegin() {
        end(begin(SectionKind.MOVES_BEGIN));
    }

    public boolean isEmpty() {
        return sections == 0;
    }

    public int sections() {
        return sections;
    }

    /** Rows of all appends added. */
    public int rows() {
        return rows;
    }

    /** Size of the entry as it is now. */
    public int bytes() {
        return out.size();
    }

    /** The entry, as a buffer of its own, read-only. The builder keeps what was added until {@link #reset}. */
    public ByteBuffer build() {
        if (isEmpty()) {
            throw new IllegalStateException("an entry needs a section");
        }
        return out.toBuffer();
    }

    public void reset() {
        out.reset();
        out.u8(VERSION);
        sections = 0;
        rows = 0;
    }

    private static WireBlock open(RowBlock block) {
        WireBlock wire = WireBlock.parse(block.bytes());
        if (wire.rows() != block.rowCount() || wire.tableId() != block.tableId()) {
            throw new FormatException("row block says " + wire.rows() + " rows of table " + wire.tableId()
                    + ", expected " + block.rowCount() + " of table " + block.tableId());
        }
        wire.checkBody();
        return wire;
    }

    private int begin(int kind) {
        out.u8(kind);
        return out.beginLength();
    }

    private void end(int begin) {
        out.endLength(begin);
        sections++;
    }
}
