package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CursorCommit;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gathers a node's acknowledgements into few entries of the catalog: those of one reader become one, and those of one subscription are committed at most once an
 * interval, its group's members' together; one entry at a time is under way, with all that is due. Nothing is answered before it is committed.
 *
 * <p>Threading: any; never blocks.
 */
final class CursorCommits {
    /** Acknowledgements in one entry, so that it stays small. */
    private static final int ENTRY_MAX = 256;

    private final Catalog catalog;
    private final SubscriptionConfig config;
    private final Clock clock;
    private final Map<Key, Waiting> waiting = new LinkedHashMap<>();
    /** When those that were committed within the interval were; all readers of a subscription share its pace. */
    private final Map<Reading, Long> committedAt = new HashMap<>();

    private int answersWaiting;
    private boolean running;

    private record Key(String tenant, String name, String member, long generation) {
        Reading subscription() {
            return new Reading(tenant, name);
        }
    }

    /** A subscription, whoever reads it. */
    private record Reading(String tenant, String name) {}

    private static final class Waiting {
        private Cursor cursor;
        private final List<CompletableFuture<Void>> answers = new ArrayList<>();

        Waiting(Cursor cursor) {
            this.cursor = cursor;
        }
    }

    CursorCommits(Catalog catalog, SubscriptionConfig config, Clock clock) {
        this.catalog = catalog;
        this.config = config;
        this.clock = clock;
    }

    synchronized int waiting() {
        return answersWaiting;
    }

    /** Completes when it is committed; fails with {@link RequestRefused}, or as {@link Catalog#propose} does. */
    CompletionStage<Void> commit(CursorCommit ack) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        synchronized (this) {
            if (answersWaiting >= config.waitingMax()) {
                return CompletableFuture.failedFuture(RequestRefused.of(
                        ErrorCode.OVERLOADED,
                        "more than " + config.waitingMax() + " acknowledgements wait on this node already"));
            }
            answersWaiting++;
            Waiting gathered = waiting.computeIfAbsent(
                    new Key(ack.tenant(), ack.name(), ack.member(), ack.generation()),
                    key -> new Waiting(ack.cursor()));
            gathered.cursor = gathered.cursor.max(ack.cursor());
            gathered.answers.add(answer);
            next();
        }
        return answer;
    }

    /** Arranges the next entry, if one is needed and none is under way. */
    private synchronized void next() {
        if (running || waiting.isEmpty()) {
            return;
        }
        running = true;
        long now = System.nanoTime();
        committedAt.values().removeIf(at -> now - at >= config.commitInterval().toNanos());
        long delay = waiting.keySet().stream()
                .mapToLong(key -> restNanos(key, now))
                .min()
                .orElse(0);
        Executor later = CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS);
        later.execute(this::propose);
    }

    private long restNanos(Key key, long now) {
        Long at = committedAt.get(key.subscription());
        return at == null ? 0 : Math.max(0, config.commitInterval().toNanos() - (now - at));
    }

    private void propose() {
        Map<Key, Waiting> due = takeDue();
        List<CursorCommit> commits = new ArrayList<>();
        due.forEach((key, each) ->
                commits.add(new CursorCommit(key.tenant(), key.name(), key.member(), key.generation(), each.cursor)));
        catalog.propose(new CatalogCommand.CommitCursors(Clocks.nanos(clock), commits))
                .whenComplete((reply, failure) -> {
                    ended(due);
                    due.forEach((key, each) -> each.answers.forEach(answer -> tell(key, answer, failure)));
                });
    }

    private synchronized Map<Key, Waiting> takeDue() {
        long now = System.nanoTime();
        Map<Key, Waiting> due = new LinkedHashMap<>();
        for (Map.Entry<Key, Waiting> each : waiting.entrySet()) {
            if (due.size() < ENTRY_MAX && restNanos(each.getKey(), now) == 0) {
                due.put(each.getKey(), each.getValue());
            }
        }
        waiting.keySet().removeAll(due.keySet());
        due.keySet().forEach(key -> committedAt.put(key.subscription(), now));
        return due;
    }

    private synchronized void ended(Map<Key, Waiting> due) {
        answersWaiting -=
                due.values().stream().mapToInt(each -> each.answers.size()).sum();
        running = false;
        next();
    }

    private void tell(Key key, CompletableFuture<Void> answer, @Nullable Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure);
            return;
        }
        Optional<SubscriptionRecord> now = catalog.image().subscription(key.tenant(), key.name());
        if (now.isEmpty()) {
            answer.completeExceptionally(SubscriptionDesk.unknown(key.name()));
        } else if (SubscriptionDesk.generation(now.get(), key.member()) != key.generation()) {
            answer.completeExceptionally(SubscriptionDesk.stale(now.get(), key.member(), key.generation()));
        } else {
            tellReader(key, answer, now.get());
        }
    }

    /** A group may have come about before the entry, which then left out what one alone acknowledged. */
    private static void tellReader(Key key, CompletableFuture<Void> answer, SubscriptionRecord now) {
        try {
            SubscriptionDesk.checkReader(now, key.member());
            answer.complete(null);
        } catch (RequestRefused e) {
            answer.completeExceptionally(e);
        }
    }
}
