package dev.weir.partition.catalog;

import dev.weir.partition.catalog.CatalogAnswerCodec.Answer;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One proposal on its way to the catalog's leader: asks the node that the last answer named, then the leader as the local replica knows it,
 * then the hinted one, then each voter; each once in a round, with growing pauses between rounds, until its deadline.
 *
 * <p>One attempt at a time, so the fields need no lock: each attempt happens after the one before it has completed.
 */
final class Proposal {
    static final long PAUSE_MIN_NANOS = 50_000_000;
    private static final long PAUSE_MAX_NANOS = 400_000_000;

    private final GroupCatalog catalog;
    private final LogGroupId group;
    private final byte[] bytes;
    private final Duration patience;
    private final long deadline;
    private final CompletableFuture<CatalogReply> result = new CompletableFuture<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private long pauseNanos = PAUSE_MIN_NANOS;
    private @Nullable String named;
    private String lastWhy = "no node is known to lead it";

    Proposal(GroupCatalog catalog, LogGroupId group, byte[] bytes, Duration patience) {
        this.catalog = catalog;
        this.group = group;
        this.bytes = bytes;
        this.patience = patience;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    CompletionStage<CatalogReply> run() {
        attempt();
        return result;
    }

    private void attempt() {
        long rest = deadline - System.nanoTime();
        if (rest <= 0) {
            result.completeExceptionally(GroupCatalog.noQuorum(patience, lastWhy));
            return;
        }
        Optional<String> target = next();
        if (target.isEmpty()) {
            pause(rest);
            return;
        }
        asked.add(target.get());
        CompletableFuture<byte[]> answered = new CompletableFuture<>();
        CompletableFuture.completedStage(target.get()).thenCompose(this::send).whenComplete((answer, failure) -> {
            if (failure == null) {
                answered.complete(answer);
            } else {
                answered.completeExceptionally(failure);
            }
        });
        long timeout = Math.min(rest, catalog.config().attemptTimeout().toNanos());
        answered.orTimeout(timeout, TimeUnit.NANOSECONDS)
                .whenComplete((answer, failure) -> judge(target.get(), answer, failure));
    }

    private CompletionStage<byte[]> send(String target) {
        return target.equals(catalog.config().nodeId())
                ? catalog.answer(bytes)
                : catalog.forwarder().forward(target, bytes);
    }

    private void judge(String target, byte @Nullable [] answer, @Nullable Throwable failure) {
        if (answer == null) {
            lastWhy = "node " + target + ": " + (failure == null ? "no answer" : GroupCatalog.cause(failure));
            attempt();
            return;
        }
        switch (decode(answer)) {
            case Answer.Replied replied -> result.complete(replied.reply());
            case Answer.TryAgain again -> {
                lastWhy = "node " + target + ": " + again.why();
                named = again.leader();
                attempt();
            }
        }
    }

    private static Answer decode(byte[] answer) {
        try {
            return CatalogAnswerCodec.decode(answer);
        } catch (IllegalArgumentException e) {
            return new Answer.TryAgain(String.valueOf(e.getMessage()), null);
        }
    }

    private void pause(long restNanos) {
        asked.clear();
        try {
            catalog.timer().schedule(this::attempt, Math.min(pauseNanos, restNanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(GroupCatalog.noQuorum(patience, "the node is stopping; " + lastWhy));
        }
        pauseNanos = Math.min(PAUSE_MAX_NANOS, pauseNanos * 2);
    }

    private Optional<String> next() {
        Set<String> candidates = new LinkedHashSet<>();
        if (named != null) {
            candidates.add(named);
        }
        Optional<LogStatus> status = catalog.host().status(group);
        status.map(LogStatus::leader).ifPresent(candidates::add);
        catalog.leaderHint().ifPresent(candidates::add);
        status.ifPresent(known -> {
            for (LogPeer voter : known.members().voters()) {
                candidates.add(voter.nodeId());
            }
        });
        candidates.removeAll(asked);
        return candidates.stream().findFirst();
    }
}
