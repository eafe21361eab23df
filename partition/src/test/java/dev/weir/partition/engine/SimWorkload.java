package dev.weir.partition.engine;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;

/** Random requests: writes of few series and times, so that much is written twice; retries; deletes; tables made again. */
final class SimWorkload {
    /** Timestamps are below. */
    static final int TIMES = 40;

    private final Random random;
    private final LongSupplier nextSeq;
    private final List<SimOp> sent = new ArrayList<>();
    private final List<TableSchema> tables = new ArrayList<>();
    private final Set<String> grownKeys = new HashSet<>();
    private long counter;
    private long unique;
    private int nextTable = 1;
    private long readableFrom = 1;

    /** @param nextSeq of the next event */
    SimWorkload(Random random, LongSupplier nextSeq) {
        this.random = random;
        this.nextSeq = nextSeq;
        for (String tenant : List.of("red", "blue")) {
            for (String name : List.of("cpu", "disk")) {
                tables.add(Rows.schema(nextTable++, tenant, name, 1));
            }
        }
    }

    /** The tables that live now, in their newest versions. */
    List<TableSchema> tables() {
        return tables;
    }

    /** A repeat of a unit with more rows than the first time: which of them are stored depends on what was there. */
    boolean isPartial(SimOp.Append op) {
        return op.unit() != null && grownKeys.contains(op.unit().key());
    }

    /** The unit has come again, in the end, with more rows: what was deleted of it since the first time is written again. */
    boolean hasGrown(String key) {
        return grownKeys.contains(key);
    }

    /** What is before may be gone: nobody reads as of then. */
    void trimmed() {
        readableFrom = nextSeq.getAsLong();
    }

    List<SimOp> entry() {
        List<SimOp> ops = new ArrayList<>();
        if (random.nextInt(8) == 0) {
            ops.add(quarantine());
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            SimOp op = op();
            ops.add(op);
            sent.add(op);
        }
        return ops;
    }

    /** An outcome without its messages. */
    static AppendOutcome plain(AppendOutcome outcome) {
        return switch (outcome) {
            case Applied applied ->
                new Applied(
                        applied.nextSeq(),
                        applied.inserted(),
                        applied.updated(),
                        applied.voided().stream()
                                .map(row -> new AppendOutcome.VoidedRow(row.row(), row.cause(), ErrorCode.INTERNAL, ""))
                                .toList());
            case AppendOutcome.Refused refused ->
                new AppendOutcome.Refused(Refusal.of(refused.refusal().code(), ""));
            case AppendOutcome.Unknown unknown -> new AppendOutcome.Unknown("");
        };
    }

    private SimOp op() {
        int dice = random.nextInt(100);
        if (dice < 68) {
            return append();
        }
        if (dice < 80 && !sent.isEmpty()) {
            return again(sent.get(random.nextInt(sent.size())));
        }
        if (dice < 86) {
            return new SimOp.Delete(batch(), table(), host());
        }
        if (dice < 88) {
            return drop();
        }
        if (dice < 93) {
            if (random.nextInt(4) == 0) {
                return new SimOp.RangeDelete(
                        batch(), table(), List.of(), Long.MIN_VALUE, random.nextInt(TIMES + TIMES / 2));
            }
            long from = random.nextInt(30);
            List<Tag> predicate = random.nextBoolean() ? List.of() : SimOp.tags(host());
            return new SimOp.RangeDelete(batch(), table(), predicate, from, from + random.nextInt(10));
        }
        return new SimOp.Tick();
    }

    /** Rows read a few events ago, or just now; some of them may have been written since. */
    private SimOp quarantine() {
        long asOf = Math.max(readableFrom, nextSeq.getAsLong() - random.nextInt(12));
        long from = random.nextInt(TIMES);
        List<Tag> predicate = random.nextBoolean() ? List.of() : SimOp.tags(host());
        return new SimOp.RangeDelete(batch(), table(), predicate, from, from + random.nextInt(12), asOf);
    }

    private SimOp.Append append() {
        List<SimOp.Block> blocks = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(tables.size());
            TableSchema table = tables.get(at);
            if (random.nextInt(20) == 0) {
                table = Rows.schema(table.tableId(), table.tenant(), table.name(), table.version() + 1);
                tables.set(at, table);
            } else if (table.version() > 1 && random.nextInt(4) == 0) {
                table = Rows.schema(table.tableId(), table.tenant(), table.name(), table.version() - 1);
            }
            blocks.add(new SimOp.Block(table, rows()));
        }
        IdempotencyUnit unit =
                random.nextInt(3) == 0 ? new IdempotencyUnit("red", "key-" + counter, new byte[] {1, 2}, 0) : null;
        int generation = random.nextInt(40) == 0 ? Rows.GENERATION + 1 : Rows.GENERATION;
        return new SimOp.Append(batch(), unit, generation, random.nextInt(5) == 0 ? 6 : 0, blocks);
    }

    /** The same request again: as a retry inside the cluster, or by the client under its key; or the key with another body. */
    private SimOp again(SimOp op) {
        if (!(op instanceof SimOp.Append append) || append.unit() == null || random.nextBoolean()) {
            return op;
        }
        IdempotencyUnit unit = append.unit();
        if (random.nextInt(4) == 0) {
            unit = new IdempotencyUnit(unit.tenant(), unit.key(), new byte[] {9}, 0);
        }
        if (random.nextInt(4) == 0) {
            List<SimOp.Block> more = new ArrayList<>(append.blocks());
            more.add(new SimOp.Block(table(), rows()));
            grownKeys.add(unit.key());
            return new SimOp.Append(batch(), unit, append.generation(), 0, more);
        }
        return new SimOp.Append(batch(), unit, append.generation(), append.seriesMax(), append.blocks());
    }

    private SimOp drop() {
        int at = random.nextInt(tables.size());
        TableSchema table = tables.get(at);
        tables.set(at, Rows.schema(nextTable++, table.tenant(), table.name(), 1));
        return new SimOp.Delete(batch(), table, null);
    }

    private List<Rows.Row> rows() {
        List<Rows.Row> rows = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            Map<String, Object> fields = new LinkedHashMap<>();
            if (random.nextBoolean()) {
                fields.put("f", random.nextInt(10) / 2.0);
            }
            fields.put("i", unique++);
            if (random.nextInt(3) == 0) {
                fields.put("s", "text-" + random.nextInt(5));
            }
            rows.add(new Rows.Row(host(), random.nextInt(TIMES), fields));
        }
        return rows;
    }

    private String host() {
        int host = random.nextInt(9);
        return host == 0 ? "" : "host-" + host;
    }

    private TableSchema table() {
        return tables.get(random.nextInt(tables.size()));
    }

    private BatchId batch() {
        return new BatchId("front", 1, ++counter);
    }
}
