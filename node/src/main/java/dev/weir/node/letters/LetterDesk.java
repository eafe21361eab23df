package dev.weir.node.letters;

import dev.weir.node.ingest.Awaiting;
import dev.weir.node.ingest.letter.LetterReplay;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSchema;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Lists, replays and purges the letters of a tenant. Blocks; called on virtual threads. */
public final class LetterDesk {
    /** Letters of one answer. */
    public static final int LIST_MAX = 1_000;
    /** Bytes of the letters of one answer, as they count; a larger letter comes alone. */
    public static final long LIST_BYTES_MAX = 4 << 20;
    /** Letters of one call that are written again or deleted one by one. */
    public static final int BATCH_MAX = 500;

    private final Catalog catalog;
    private final LetterSql sql;
    private final LetterReplay replay;
    private final LetterDeletes deletes;
    private final InstantSource clock;
    private final Counter replayed;
    private final Counter purged;

    LetterDesk(
            Catalog catalog,
            LetterSql sql,
            LetterReplay replay,
            LetterDeletes deletes,
            InstantSource clock,
            MeterRegistry meters) {
        this.catalog = catalog;
        this.sql = sql;
        this.replay = replay;
        this.deletes = deletes;
        this.clock = clock;
        this.replayed = meters.counter("weir_dead_letters_replayed");
        this.purged = meters.counter("weir_dead_letters_purged");
    }

    /**
     * Letters, oldest first.
     *
     * @param after where the page before ended
     */
    public record Page(List<StoredLetter> letters, Optional<String> after) {}

    /**
     * So many as fit into {@link #LIST_BYTES_MAX}.
     *
     * @param limit {@link #LIST_MAX} at most
     */
    public Page list(String tenant, LetterFilter filter, Optional<String> after, int limit) {
        if (table(tenant).isEmpty()) {
            return new Page(List.of(), Optional.empty());
        }
        String later = after.map(id -> " AND " + LetterId.parse(id).laterOnes()).orElse("");
        String which =
                " FROM " + LetterTable.NAME + " WHERE " + filter.condition() + later + " ORDER BY time, id LIMIT ";
        List<Place> places = sql.run(tenant, "SELECT bytes, id" + which + limit).stream()
                .map(Place::of)
                .toList();
        int fitting = fitting(places);
        if (fitting == 0) {
            return new Page(List.of(), Optional.empty());
        }
        List<StoredLetter> letters = sql.run(tenant, "SELECT " + StoredLetter.COLUMNS + which + fitting).stream()
                .map(StoredLetter::of)
                .toList();
        if (letters.isEmpty()) {
            return new Page(List.of(), Optional.empty());
        }
        String last = letters.getLast().id();
        // Another last one than was found before: letters came or went in between, and it need not be the last of all.
        boolean more = fitting == limit || fitting < places.size() || !last.equals(places.get(fitting - 1).id);
        return new Page(letters, more ? Optional.of(last) : Optional.empty());
    }

    private record Place(long bytes, @Nullable String id) {
        static Place of(@Nullable Object[] cells) {
            return new Place(cells[0] == null ? 0 : ((Number) cells[0]).longValue(), (String) cells[1]);
        }
    }

    private static int fitting(List<Place> places) {
        int fitting = 0;
        long sum = 0;
        while (fitting < places.size() && (fitting == 0 || sum + places.get(fitting).bytes <= LIST_BYTES_MAX)) {
            sum += places.get(fitting++).bytes;
        }
        return fitting;
    }

    public long count(String tenant, LetterFilter filter) {
        return table(tenant).isEmpty()
                ? 0
                : sql.number(tenant, "SELECT count(*) FROM " + LetterTable.NAME + " WHERE " + filter.condition());
    }

    /** A letter that stays, and why. */
    public record Left(StoredLetter letter, Refusal why) {}

    /**
     * What came of a batch.
     *
     * @param cut letters that stay since their text is not the whole row
     * @param after where the next batch begins; empty: this was the last
     */
    public record Replayed(int stored, List<Left> left, int cut, Optional<String> after) {}

    /**
     * Writes a batch of letters again, oldest first. Those whose rows are stored now are deleted; should that fail, they are written and deleted by the
     * next replay, since a point written twice is the same point.
     */
    public Replayed replay(String tenant, LetterFilter filter, Optional<String> after) {
        Page page = list(tenant, filter, after, BATCH_MAX);
        List<StoredLetter> whole =
                page.letters().stream().filter(letter -> !letter.truncated()).toList();
        List<Optional<Refusal>> outcomes = write(tenant, whole);
        List<StoredLetter> stored = new ArrayList<>();
        List<Left> left = new ArrayList<>();
        for (int i = 0; i < whole.size(); i++) {
            if (outcomes.get(i).isEmpty()) {
                stored.add(whole.get(i));
            } else {
                left.add(new Left(whole.get(i), outcomes.get(i).get()));
            }
        }
        delete(tenant, stored);
        replayed.increment(stored.size());
        return new Replayed(stored.size(), left, page.letters().size() - whole.size(), page.after());
    }

    private List<Optional<Refusal>> write(String tenant, List<StoredLetter> letters) {
        Instant now = clock.instant();
        try {
            return letters.isEmpty()
                    ? List.of()
                    : replay.replay(
                            tenant,
                            letters.stream().map(StoredLetter::kept).toList(),
                            now.getEpochSecond() * 1_000_000_000L + now.getNano());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    /**
     * Letters that are gone.
     *
     * @param more there are others that the filter means
     */
    public record Purged(long letters, boolean more) {}

    /** Deletes letters; where the filter names a table, a batch of them. */
    public Purged purge(String tenant, LetterFilter filter) {
        LetterFilter bounded = filter.before().isPresent()
                ? filter
                : filter.before(clock.instant().plusSeconds(1));
        if (!filter.isByTagsAndTime()) {
            Page page = list(tenant, bounded, Optional.empty(), BATCH_MAX);
            delete(tenant, page.letters());
            purged.increment(page.letters().size());
            return new Purged(page.letters().size(), page.after().isPresent());
        }
        long count = count(tenant, bounded);
        if (count > 0) {
            sql.run(tenant, "DELETE FROM " + LetterTable.NAME + " WHERE " + bounded.condition());
        }
        purged.increment((double) count);
        return new Purged(count, false);
    }

    private void delete(String tenant, List<StoredLetter> letters) {
        if (!letters.isEmpty()) {
            deletes.delete(
                    table(tenant).orElseThrow(),
                    letters.stream().map(StoredLetter::key).toList());
        }
    }

    private Optional<TableSchema> table(String tenant) {
        Optional<TableSchema> known = catalog.image().table(tenant, LetterTable.NAME);
        if (known.isPresent()) {
            return known;
        }
        Awaiting.await(catalog.linearize());
        return catalog.image().table(tenant, LetterTable.NAME);
    }
}
