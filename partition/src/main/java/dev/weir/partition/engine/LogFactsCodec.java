package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.IdempotencyUnit;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link LogFacts} in a manifest, big-endian, texts as {@link DataOutput#writeUTF}.
 *
 * <pre>
 * i64 first seq, i64 next seq, i64 resolved at, i64 last committed at
 * u8 fence? : i64 epoch, i32 generation, i32 ranges, each i32 from, i32 to
 * i32 drops, each i32 table, i64 seq
 * i32 front doors, each text node, i64 incarnation, i64 evicted through, i32 batches, each i64 counter, i64 time, outcome
 * i32 keys, each text tenant, text key, i32 bytes, digest, i64 first seen, i32 chunks, each i32 chunk, outcome
 * {@link FileSetCodec}
 * </pre>
 *
 * <p>Outcomes are those of {@link OutcomeCodec}.
 */
final class LogFactsCodec {
    private LogFactsCodec() {}

    static void write(DataOutput out, LogFacts facts) throws IOException {
        out.writeLong(facts.firstSeq());
        out.writeLong(facts.nextSeq());
        out.writeLong(facts.resolvedAtNanos());
        out.writeLong(facts.lastCommittedAtNanos());
        writeFence(out, facts.fence());
        out.writeInt(facts.drops().size());
        for (Map.Entry<Integer, Long> drop : facts.drops().entrySet()) {
            out.writeInt(drop.getKey());
            out.writeLong(drop.getValue());
        }
        writeBatches(out, facts.batches());
        writeUnits(out, facts.units());
        FileSetCodec.write(out, facts);
    }

    /** @param version of the manifest: 1 knew no files */
    static LogFacts read(DataInput in, int version) throws IOException {
        long first = in.readLong();
        long next = in.readLong();
        long resolvedAt = in.readLong();
        long lastCommittedAt = in.readLong();
        PartitionFence fence = in.readBoolean() ? readFence(in) : null;
        int drops = in.readInt();
        int[] tables = new int[drops];
        long[] seqs = new long[drops];
        for (int i = 0; i < drops; i++) {
            tables[i] = in.readInt();
            seqs[i] = in.readLong();
        }
        LogFacts facts = new LogFacts(readBatches(in), readUnits(in));
        facts.restore(first, next, resolvedAt, lastCommittedAt);
        if (fence != null) {
            facts.fence(fence);
        }
        for (int i = 0; i < drops; i++) {
            facts.dropped(tables[i], seqs[i]);
        }
        if (version > 1) {
            FileSetCodec.read(in, facts);
        }
        return facts;
    }

    private static void writeFence(DataOutput out, @Nullable PartitionFence fence) throws IOException {
        out.writeBoolean(fence != null);
        if (fence != null) {
            out.writeLong(fence.epoch());
            out.writeInt(fence.generation());
            out.writeInt(fence.slots().size());
            for (SlotRange range : fence.slots()) {
                out.writeInt(range.from());
                out.writeInt(range.to());
            }
        }
    }

    private static PartitionFence readFence(DataInput in) throws IOException {
        long epoch = in.readLong();
        int generation = in.readInt();
        int ranges = in.readInt();
        List<SlotRange> slots = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            slots.add(new SlotRange(in.readInt(), in.readInt()));
        }
        return new PartitionFence(slots, epoch, generation);
    }

    private static void writeBatches(DataOutput out, BatchWindows batches) throws IOException {
        out.writeInt(batches.byNode().size());
        for (Map.Entry<String, BatchWindow> each : batches.byNode().entrySet()) {
            BatchWindow window = each.getValue();
            out.writeUTF(each.getKey());
            out.writeLong(window.incarnation());
            out.writeLong(window.evictedThrough());
            out.writeInt(window.size());
            for (int i = 0; i < window.size(); i++) {
                out.writeLong(window.counter(i));
                out.writeLong(window.time(i));
                OutcomeCodec.write(out, window.outcome(i));
            }
        }
    }

    private static BatchWindows readBatches(DataInput in) throws IOException {
        BatchWindows batches = new BatchWindows();
        for (int doors = in.readInt(); doors > 0; doors--) {
            String node = in.readUTF();
            long incarnation = in.readLong();
            BatchWindow window = new BatchWindow(incarnation, in.readLong());
            for (int left = in.readInt(); left > 0; left--) {
                long counter = in.readLong();
                long time = in.readLong();
                window.restore(counter, time, OutcomeCodec.read(in));
            }
            batches.restore(node, window);
        }
        return batches;
    }

    private static void writeUnits(DataOutput out, IdempotencyWindow units) throws IOException {
        out.writeInt(units.keys().size());
        for (IdempotencyWindow.Key key : units.keys()) {
            out.writeUTF(key.name().tenant());
            out.writeUTF(key.name().key());
            out.writeInt(key.digest().length);
            out.write(key.digest());
            out.writeLong(key.firstSeen());
            out.writeInt(key.chunks().size());
            for (Map.Entry<Integer, AppendOutcome> chunk : key.chunks().entrySet()) {
                out.writeInt(chunk.getKey());
                OutcomeCodec.write(out, chunk.getValue());
            }
        }
    }

    private static IdempotencyWindow readUnits(DataInput in) throws IOException {
        IdempotencyWindow units = new IdempotencyWindow();
        for (int keys = in.readInt(); keys > 0; keys--) {
            String tenant = in.readUTF();
            String key = in.readUTF();
            byte[] digest = new byte[in.readInt()];
            in.readFully(digest);
            long firstSeen = in.readLong();
            for (int chunks = in.readInt(); chunks > 0; chunks--) {
                IdempotencyUnit unit = new IdempotencyUnit(tenant, key, digest, in.readInt());
                units.restore(unit, OutcomeCodec.read(in), firstSeen);
            }
        }
        return units;
    }
}
