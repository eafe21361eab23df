package dev.weir.node.internal;

import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.IdempotencyUnit;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages by which a front door hands rows and deletes to a partition's leader, and the outcomes that come back. */
final class WriteMessages {
    private static final int APPLIED = 1;
    private static final int REFUSED = 2;
    private static final int UNKNOWN = 3;

    private WriteMessages() {}

    static Buffer encode(AppendRequest request) {
        int size = 256;
        for (RowBlock block : request.blocks()) {
            size += block.bytes().remaining() + 64;
        }
        WireWriter out = new WireWriter(size);
        out.putInt(request.partition()).putInt(request.generation()).putLong(request.epoch());
        put(out, request.batch());
        IdempotencyUnit unit = request.unit();
        out.putBool(unit != null);
        if (unit != null) {
            out.putText(unit.tenant())
                    .putText(unit.key())
                    .putBytes(unit.bodyDigest())
                    .putInt(unit.chunk());
        }
        out.putInt(request.blocks().size());
        for (RowBlock block : request.blocks()) {
            out.putText(block.tenant())
                    .putInt(block.tableId())
                    .putInt(block.schemaVersion())
                    .putInt(block.rowCount())
                    .putBytes(block.bytes());
        }
        return out.buffer();
    }

    static AppendRequest decodeAppend(Buffer message) {
        WireReader in = new WireReader(message);
        int partition = in.readInt();
        int generation = in.readInt();
        long epoch = in.readLong();
        BatchId batch = readBatch(in);
        IdempotencyUnit unit =
                in.readBool() ? new IdempotencyUnit(in.readText(), in.readText(), in.readBytes(), in.readInt()) : null;
        int count = in.readCount(20);
        List<RowBlock> blocks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            blocks.add(new RowBlock(in.readText(), in.readInt(), in.readInt(), in.readInt(), in.readSlice()));
        }
        return new AppendRequest(partition, generation, epoch, batch, unit, blocks);
    }

    static Buffer encode(DeleteRequest request) {
        WireWriter out = new WireWriter(256);
        out.putInt(request.partition()).putInt(request.generation());
        put(out, request.batch());
        out.putText(request.tenant()).putInt(request.tableId()).putText(request.measurement());
        putTags(out, request.tags());
        DeleteRequest.Range range = request.range();
        out.putBool(range != null);
        if (range != null) {
            putTags(out, range.tags());
            out.putLong(range.fromNanos())
                    .putLong(range.toNanos())
                    .putBool(range.byRetention())
                    .putLong(range.asOfSeq());
        }
        out.putText(request.changeId());
        return out.buffer();
    }

    static DeleteRequest decodeDelete(Buffer message) {
        WireReader in = new WireReader(message);
        return new DeleteRequest(
                in.readInt(),
                in.readInt(),
                readBatch(in),
                in.readText(),
                in.readInt(),
                in.readText(),
                readTags(in),
                in.readBool() ? readRange(in) : null,
                in.readText());
    }

    private static DeleteRequest.Range readRange(WireReader in) {
        List<Tag> tags = readTags(in);
        return new DeleteRequest.Range(
                tags == null ? List.of() : tags, in.readLong(), in.readLong(), in.readBool(), in.readLong());
    }

    static Buffer encode(AppendOutcome outcome) {
        WireWriter out = new WireWriter(64);
        switch (outcome) {
            case AppendOutcome.Applied applied -> {
                out.putByte(APPLIED)
                        .putLong(applied.nextSeq())
                        .putInt(applied.inserted())
                        .putInt(applied.updated())
                        .putInt(applied.voided().size());
                for (AppendOutcome.VoidedRow row : applied.voided()) {
                    out.putInt(row.row())
                            .putText(row.cause().name())
                            .putText(row.code().name())
                            .putText(row.message());
                }
            }
            case AppendOutcome.Refused refused ->
                out.putByte(REFUSED)
                        .putText(refused.refusal().code().name())
                        .putText(refused.refusal().message())
                        .putLong(refused.refusal().retryAfterMs());
            case AppendOutcome.Unknown unknown -> out.putByte(UNKNOWN).putText(unknown.message());
        }
        return out.buffer();
    }

    static AppendOutcome decodeOutcome(Buffer message) {
        WireReader in = new WireReader(message);
        int kind = in.readByte();
        return switch (kind) {
            case APPLIED -> {
                long nextSeq = in.readLong();
                int inserted = in.readInt();
                int updated = in.readInt();
                int count = in.readCount(16);
                List<AppendOutcome.VoidedRow> voided = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    voided.add(new AppendOutcome.VoidedRow(
                            in.readInt(),
                            AppendOutcome.VoidCause.valueOf(in.readText()),
                            ErrorCode.valueOf(in.readText()),
                            in.readText()));
                }
                yield new AppendOutcome.Applied(nextSeq, inserted, updated, voided);
            }
            case REFUSED ->
                new AppendOutcome.Refused(new Refusal(ErrorCode.valueOf(in.readText()), in.readText(), in.readLong()));
            case UNKNOWN -> new AppendOutcome.Unknown(in.readText());
            default -> throw new WireFormatException("outcome of kind " + kind + ", expected 1 to 3");
        };
    }

    private static void put(WireWriter out, BatchId batch) {
        out.putText(batch.node()).putLong(batch.incarnation()).putLong(batch.counter());
    }

    private static BatchId readBatch(WireReader in) {
        return new BatchId(in.readText(), in.readLong(), in.readLong());
    }

    static void putTags(WireWriter out, @Nullable List<Tag> tags) {
        out.putBool(tags != null);
        if (tags == null) {
            return;
        }
        out.putInt(tags.size());
        for (Tag tag : tags) {
            out.putText(tag.key()).putText(tag.value());
        }
    }

    static @Nullable List<Tag> readTags(WireReader in) {
        if (!in.readBool()) {
            return null;
        }
        int count = in.readCount(8);
        List<Tag> tags = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tags.add(new Tag(in.readText(), in.readText()));
        }
        return List.copyOf(tags);
    }
}
