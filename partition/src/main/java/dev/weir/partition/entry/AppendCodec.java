package dev.weir.partition.entry;

import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.partition.write.TenantSeriesLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section of appended rows.
 *
 * <pre>
 * batch: text node, varint incarnation, varint counter
 * u8 flags: 1 unit, 2 limit of the tenant
 * if unit: text tenant, text key, blob digest, varint chunk
 * if limit of the tenant: varint total, varint here
 * varint epoch, varint generation, varint series max, varint blocks, each:
 *   text tenant, varint table id, varint schema version, u8 inline (0, 1); if 1: schema ({@link SchemaCodec})
 *   varint rows, varint series, per series id + 1, or 0 for one defined inline ({@link LongCodec})
 *   per inline series: u64 hash, blob canonical tags
 *   varint length, body ({@link BlockRows}) as it is in the row block
 * </pre>
 */
final class AppendCodec {
    private static final int BLOCK_BYTES_MIN = 12;
    private static final int UNIT = 1;
    private static final int TENANT_LIMIT = 2;

    private AppendCodec() {}

    static void write(
            ByteWriter out,
            AppendRequest request,
            int seriesMax,
            @Nullable TenantSeriesLimit tenantLimit,
            List<WireBlock> blocks,
            Definitions known,
            Scratch scratch) {
        writeBatch(out, request.batch());
        IdempotencyUnit unit = request.unit();
        out.u8((unit == null ? 0 : UNIT) | (tenantLimit == null ? 0 : TENANT_LIMIT));
        if (unit != null) {
            writeUnit(out, unit);
        }
        if (tenantLimit != null) {
            out.varint(tenantLimit.total());
            out.varint(tenantLimit.here());
        }
        out.varint(request.epoch());
        out.varint(request.generation());
        out.varint(seriesMax);
        out.varint(blocks.size());
        for (WireBlock block : blocks) {
            writeBlock(out, block, known, scratch);
        }
    }

    static AppendSection read(ByteReader in, int rowsMax) {
        BatchId batch = readBatch(in);
        int flags = in.u8("append flags");
        if (flags > (UNIT | TENANT_LIMIT)) {
            throw new FormatException("append flags: " + flags + ", expected 0 to " + (UNIT | TENANT_LIMIT));
        }
        IdempotencyUnit unit = (flags & UNIT) == 0 ? null : readUnit(in);
        TenantSeriesLimit tenantLimit = (flags & TENANT_LIMIT) == 0 ? null : readTenantLimit(in);
        long epoch = in.varint("epoch");
        int generation = in.count(0, Integer.MAX_VALUE, "generation");
        int seriesMax = in.count(0, Integer.MAX_VALUE, "series max");
        int count = in.countOf(BLOCK_BYTES_MIN, "blocks");
        List<BlockView> blocks = new ArrayList<>(count);
        int rowsLeft = rowsMax;
        for (int i = 0; i < count; i++) {
            BlockView block = readBlock(in, rowsLeft);
            rowsLeft -= block.rowCount();
            blocks.add(block);
        }
        return new AppendSection(batch, unit, epoch, generation, seriesMax, tenantLimit, blocks);
    }

    static void writeBatch(ByteWriter out, BatchId batch) {
        out.text(batch.node());
        out.varint(batch.incarnation());
        out.varint(batch.counter());
    }

    static BatchId readBatch(ByteReader in) {
        return new BatchId(in.text("batch node"), in.varint("batch incarnation"), in.varint("batch counter"));
    }

    private static void writeUnit(ByteWriter out, IdempotencyUnit unit) {
        out.text(unit.tenant());
        out.text(unit.key());
        out.blob(unit.bodyDigest(), 0, unit.bodyDigest().length);
        out.varint(unit.chunk());
    }

    private static TenantSeriesLimit readTenantLimit(ByteReader in) {
        return new TenantSeriesLimit(
                in.count(1, Integer.MAX_VALUE, "tenant series max"),
                in.count(0, Integer.MAX_VALUE, "tenant series max here"));
    }

    private static IdempotencyUnit readUnit(ByteReader in) {
        return new IdempotencyUnit(
                in.text("unit tenant"),
                in.text("unit key"),
                in.blob("unit digest"),
                in.count(0, Integer.MAX_VALUE, "unit chunk"));
    }

    private static void writeBlock(ByteWriter out, WireBlock block, Definitions known, Scratch scratch) {
        out.text(block.tenant());
        out.varint(block.tableId());
        out.varint(block.schemaVersion());
        if (known.schema(block.tableId(), block.schemaVersion()) == null) {
            out.u8(1);
            out.raw(block.bytes(), block.schemaFrom(), block.schemaLength());
        } else {
            out.u8(0);
        }
        out.varint(block.rows());
        out.varint(block.series());
        writeDictionary(out, block, known, scratch);
        int bodyLength = block.bodyEnd() - block.bodyFrom();
        out.blob(block.bytes(), block.bodyFrom(), bodyLength);
    }

    private static void writeDictionary(ByteWriter out, WireBlock block, Definitions known, Scratch scratch) {
        int series = block.series();
        long[] ids = scratch.longs(series);
        ByteReader in = new ByteReader(block.bytes(), block.dictionaryFrom(), block.bodyFrom());
        boolean inline = false;
        for (int i = 0; i < series; i++) {
            long hash = in.u64("series hash");
            int length = in.length("series tags");
            int at = in.skip(length, "series tags");
            ids[i] = known.seriesId(block.tableId(), hash, block.bytes(), at, length) + 1L;
            inline |= ids[i] == 0;
        }
        LongCodec.encode(out, ids, series, scratch.deltas(series), false);
        if (inline) {
            writeInline(out, block, ids);
        }
    }

    private static void writeInline(ByteWriter out, WireBlock block, long[] ids) {
        ByteReader in = new ByteReader(block.bytes(), block.dictionaryFrom(), block.bodyFrom());
        for (int i = 0; i < block.series(); i++) {
            int from = in.position();
            in.skip(8, "series hash");
            int length = in.length("series tags");
            int at = in.skip(length, "series tags");
            if (ids[i] == 0) {
                CanonicalTags.check(block.bytes(), at, length);
                out.raw(block.bytes(), from, in.position() - from);
            }
        }
    }

    private static BlockView readBlock(ByteReader in, int rowsMax) {
        String tenant = in.text("tenant");
        int tableId = in.count(0, Integer.MAX_VALUE, "table id");
        int version = in.count(0, Integer.MAX_VALUE, "schema version");
        TableSchema schema = SchemaCodec.flag(in, "inline schema") ? SchemaCodec.read(in) : null;
        if (schema != null && (schema.tableId() != tableId || schema.version() != version)) {
            throw new FormatException(
                    "inline schema of " + schema + " in a block of table " + tableId + ", version " + version);
        }
        int rows = in.count(1, Math.min(rowsMax, BlockLimits.ROWS_MAX), "rows");
        int series = in.count(1, rows, "series");
        BlockView.Dictionary dictionary = readDictionary(in, series);
        int bodyLength = in.length("block body");
        ByteReader body = in.slice(bodyLength, "block body");
        int bodyFrom = body.position();
        return new BlockView(
                new BlockView.Head(tenant, tableId, version, schema),
                dictionary,
                BlockRows.read(body, rows, series),
                in.array(),
                bodyFrom,
                bodyFrom + bodyLength);
    }

    private static BlockView.Dictionary readDictionary(ByteReader in, int series) {
        long[] coded = LongCodec.decode(in, series, "series ids");
        int[] ids = new int[series];
        int[] tagsFrom = new int[series];
        int[] tagsLength = new int[series];
        // The decoded ids' array serves for the hashes: each place is read before it is written.
        for (int i = 0; i < series; i++) {
            if (coded[i] < 0 || coded[i] > Integer.MAX_VALUE) {
                throw new FormatException("series id + 1: " + coded[i] + ", expected 0 to " + Integer.MAX_VALUE);
            }
            ids[i] = (int) coded[i] - 1;
            if (ids[i] < 0) {
                coded[i] = in.u64("series hash");
                tagsLength[i] = in.length("series tags");
                tagsFrom[i] = in.skip(tagsLength[i], "series tags");
                CanonicalTags.check(in.array(), tagsFrom[i], tagsLength[i]);
            } else {
                coded[i] = 0;
            }
        }
        return new BlockView.Dictionary(ids, coded, tagsFrom, tagsLength);
    }
}
