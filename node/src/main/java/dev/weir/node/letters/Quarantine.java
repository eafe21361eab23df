package dev.weir.node.letters;

import dev.weir.node.ingest.letter.LetterKey;
import dev.weir.node.ingest.rows.NameRule;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.PartitionWrites;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sets rows of a table aside: keeps them as letters, then deletes exactly those, each partition's only if none of them was written since it was read.
 * Wherever that ends, each row is in the table or a letter, or both.
 *
 * <p>Blocks; called on virtual threads.
 */
public final class Quarantine {
    /** Rows that were written meanwhile are read again. */
    private static final int ATTEMPTS = 5;

    private final RowSource source;
    private final SetAsideLetters letters;
    private final PieceCutter cutter;
    private final PartitionWrites writes;
    private final InstantSource clock;
    private final Counter quarantined;

    Quarantine(
            RowSource source,
            SetAsideLetters letters,
            PieceCutter cutter,
            PartitionWrites writes,
            InstantSource clock,
            MeterRegistry meters) {
        this.source = source;
        this.letters = letters;
        this.cutter = cutter;
        this.writes = writes;
        this.clock = clock;
        this.quarantined = meters.counter("weir_dead_letters_quarantined");
    }

    /**
     * What one call came to.
     *
     * @param rows that are letters now, and in the table no more
     * @param more there are others: call again
     * @param where a condition for that: what was meant by this call; empty: nothing was
     */
    public record Done(long rows, boolean more, Optional<String> where) {}

    /**
     * What a call would come to.
     *
     * @param where as of {@link Done}
     */
    public record Meant(long rows, Optional<String> where) {}

    /**
     * Sets the oldest of the rows aside that are meant.
     *
     * @param where as after WHERE of DELETE; empty: rows that are in no file yet, and what lies between them. These are other rows with each call, and
     *     more all the time where the table is written
     */
    public Done setAside(String tenant, String name, Optional<String> where) {
        RowRange range = range(tenant, name, where);
        if (range.isEmpty()) {
            return new Done(0, false, Optional.empty());
        }
        Optional<String> again = Optional.of(range.condition());
        String changed = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            RowSlice slice = source.oldest(tenant, name, range);
            if (slice.rows().isEmpty()) {
                return new Done(0, false, again);
            }
            TableSchema table = source.table(tenant, name);
            List<Piece> pieces = cutter.cut(table, slice, range.combinations());
            List<LetterKey> keys = letters.keep(table, slice, nowNanos());
            Deleted deleted = delete(tenant, pieces, keys);
            if (deleted.rows > 0) {
                return new Done(
                        deleted.rows,
                        slice.more() || deleted.rows < slice.rows().size(),
                        again);
            }
            changed = deleted.changed;
        }
        throw new RefusedException(Refusal.of(
                ErrorCode.CONFLICT,
                "rows of table " + name + " could not be set aside in " + ATTEMPTS + " attempts; the last: "
                        + changed));
    }

    /** Rows that are meant. */
    public Meant meant(String tenant, String name, Optional<String> where) {
        RowRange range = range(tenant, name, where);
        return range.isEmpty()
                ? new Meant(0, Optional.empty())
                : new Meant(source.count(tenant, name, range), Optional.of(range.condition()));
    }

    private RowRange range(String tenant, String name, Optional<String> where) {
        RowFault own = NameRule.change(name);
        if (own != null) {
            throw new RefusedException(Refusal.of(own.code(), own.message()));
        }
        TableSchema table = source.table(tenant, name);
        return where.map(condition -> RowRange.where(name, condition, nowNanos()))
                .orElseGet(() -> new RowRange(source.buffered(table), Map.of()));
    }

    /** @param changed why some are not: what a partition said */
    private record Deleted(long rows, String changed) {}

    /** Letters of rows that certainly are not gone go again. */
    private Deleted delete(String tenant, List<Piece> pieces, List<LetterKey> keys) {
        List<CompletableFuture<AppendOutcome>> outcomes = pieces.stream()
                .map(piece -> writes.delete(piece.delete()).toCompletableFuture())
                .toList();
        long gone = 0;
        String changed = "";
        List<LetterKey> stale = new ArrayList<>();
        Optional<Refusal> failure = Optional.empty();
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            switch (outcomes.get(i).join()) {
                case AppendOutcome.Applied applied -> {
                    if (applied.voided().isEmpty()) {
                        gone += piece.rows().size();
                    } else {
                        piece.rows().forEach(row -> stale.add(keys.get(row)));
                        AppendOutcome.VoidedRow why = applied.voided().getFirst();
                        if (why.cause() == VoidCause.CHANGED) {
                            changed = why.message();
                        } else {
                            failure = Optional.of(Refusal.of(why.code(), why.message()));
                        }
                    }
                }
                case AppendOutcome.Refused refused -> {
                    piece.rows().forEach(row -> stale.add(keys.get(row)));
                    failure = Optional.of(refused.refusal());
                }
                case AppendOutcome.Unknown unknown ->
                    failure = Optional.of(Refusal.of(ErrorCode.UNKNOWN_OUTCOME, unknown.message()));
            }
        }
        quarantined.increment((double) gone);
        if (failure.isPresent()) {
            throw new RefusedException(letters.takeBackAfter(failure.get(), tenant, stale));
        }
        letters.takeBack(tenant, stale);
        return new Deleted(gone, changed);
    }

    private long nowNanos() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
