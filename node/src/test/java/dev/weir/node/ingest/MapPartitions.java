package dev.weir.node.ingest;

import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.partition.write.PartitionWrites;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** Partitions as maps in memory, with rules by which some of them fail. */
public final class MapPartitions implements PartitionWrites {
    private final List<StoredRow> log = new ArrayList<>();
    private final List<AppendRequest> appends = new ArrayList<>();
    private final List<DeleteRequest> deletes = new ArrayList<>();
    private final Map<Integer, Long> seqs = new TreeMap<>();
    private final Set<List<Object>> points = new HashSet<>();
    private final Map<String, byte[]> digests = new HashMap<>();
    private final Map<List<Object>, AppendOutcome> units = new HashMap<>();
    private final Map<Integer, Function<AppendRequest, AppendOutcome>> rules = new HashMap<>();
    private final Map<Integer, IntPredicate> owned = new HashMap<>();
    private final Set<Integer> droppedTables = new HashSet<>();

    /** Makes a partition answer by a rule, where it gives an outcome. */
    synchronized void rule(int partition, Function<AppendRequest, AppendOutcome> rule) {
        rules.put(partition, rule);
    }

    synchronized void heal() {
        rules.clear();
    }

    /** Makes a partition own only some slots. */
    synchronized void owns(int partition, IntPredicate slots) {
        owned.put(partition, slots);
    }

    synchronized void dropped(int tableId) {
        droppedTables.add(tableId);
    }

    /** All rows, in the order in which they came. */
    synchronized List<StoredRow> rows() {
        return List.copyOf(log);
    }

    List<String> texts() {
        return rows().stream()
                .filter(row -> !row.table().equals(LetterTable.NAME))
                .map(StoredRow::text)
                .toList();
    }

    /** Of refused rows. */
    public List<StoredRow> letters() {
        return rows().stream()
                .filter(row -> row.table().equals(LetterTable.NAME))
                .toList();
    }

    synchronized List<AppendRequest> appends() {
        return List.copyOf(appends);
    }

    public synchronized List<DeleteRequest> deletes() {
        return List.copyOf(deletes);
    }

    @Override
    public synchronized CompletionStage<AppendOutcome> append(AppendRequest request) {
        appends.add(request);
        Function<AppendRequest, AppendOutcome> rule = rules.get(request.partition());
        AppendOutcome ruled = rule == null ? null : rule.apply(request);
        return CompletableFuture.completedFuture(ruled != null ? ruled : apply(request));
    }

    private AppendOutcome apply(AppendRequest request) {
        IdempotencyUnit unit = request.unit();
        if (unit == null) {
            return store(request);
        }
        byte[] digest = digests.putIfAbsent(unit.tenant() + "/" + unit.key(), unit.bodyDigest());
        if (digest != null && !Arrays.equals(digest, unit.bodyDigest())) {
            return new AppendOutcome.Refused(
                    Refusal.of(ErrorCode.IDEMPOTENCY_MISMATCH, "the key was used with another body"));
        }
        return units.computeIfAbsent(
                List.of(unit.tenant(), unit.key(), unit.chunk(), request.partition()), name -> store(request));
    }

    private AppendOutcome store(AppendRequest request) {
        List<StoredRow> rows = BlockRows.of(request);
        List<VoidedRow> voided = new ArrayList<>();
        int updated = 0;
        IntPredicate slots = owned.getOrDefault(request.partition(), slot -> true);
        boolean dropped = request.blocks().stream().anyMatch(block -> droppedTables.contains(block.tableId()));
        for (int i = 0; i < rows.size(); i++) {
            StoredRow row = rows.get(i);
            SeriesKey series = new SeriesKey(row.tenant(), row.table(), row.tags());
            if (!slots.test(SeriesHash.slot(series.hash()))) {
                voided.add(new VoidedRow(i, VoidCause.WRONG_PARTITION, ErrorCode.NO_LEADER, "wrong partition"));
            } else if (dropped) {
                voided.add(new VoidedRow(i, VoidCause.TABLE_DROPPED, ErrorCode.TABLE_DROPPED, "table was dropped"));
            } else {
                log.add(row);
                updated += points.add(List.of(series, row.time())) ? 0 : 1;
            }
        }
        int stored = rows.size() - voided.size();
        long next = seqs.merge(request.partition(), (long) stored, Long::sum) + 1;
        return new Applied(stored > 0 ? next : 0, stored - updated, updated, voided);
    }

    @Override
    public synchronized CompletionStage<AppendOutcome> delete(DeleteRequest request) {
        deletes.add(request);
        Function<AppendRequest, AppendOutcome> rule = rules.get(request.partition());
        if (rule != null) {
            return CompletableFuture.completedFuture(rule.apply(null));
        }
        long next = seqs.merge(request.partition(), 1L, Long::sum) + 1;
        return CompletableFuture.completedFuture(new Applied(next, 0, 0, List.of()));
    }
}
