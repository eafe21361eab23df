package dev.weir.partition.catalog;

import dev.weir.partition.catalog.CatalogAnswerCodec.Answer;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of a node, over its replica of the catalog's log and a way to other nodes.
 *
 * <p>Bound to its group once, by whoever opened it ({@link #bind}); before, everything is refused with STARTING and {@link #image()} is
 * empty. A proposal keeps its id however often and wherever it is sent, so it takes effect once. All methods may be called from any thread
 * and none blocks.
 */
public final class GroupCatalog implements Catalog {
    private final LogHost host;
    private final CatalogState state;
    private final CatalogForwarder forwarder;
    private final ScheduledExecutorService timer;
    private final GroupCatalogConfig config;
    private final Supplier<Optional<String>> leaderHint;

    private final ImageWaiters waiters = new ImageWaiters();
    private final String proposalPrefix;
    private final AtomicLong proposals = new AtomicLong();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile @Nullable LogGroupId group;

    /**
     * @param state the state that the group is opened with
     * @param timer for time-outs and pauses between attempts
     * @param leaderHint the node that is said to lead the catalog; may be wrong
     */
    public GroupCatalog(
            LogHost host,
            CatalogState state,
            CatalogForwarder forwarder,
            ScheduledExecutorService timer,
            GroupCatalogConfig config,
            Supplier<Optional<String>> leaderHint) {
        this.host = host;
        this.state = state;
        this.forwarder = forwarder;
        this.timer = timer;
        this.config = config;
        this.leaderHint = leaderHint;
        this.proposalPrefix = config.nodeId() + "-" + UUID.randomUUID() + "-";
        state.onChange(image -> waiters.reached(image.version()));
        waiters.reached(state.image().version());
    }

    /** Names the group, once its replica is open here. */
    public void bind(LogGroupId catalogGroup) {
        group = catalogGroup;
    }

    /** Proposals that wait, for the gauge; refused with OVERLOADED beyond {@link GroupCatalogConfig#pending()}. */
    public int pending() {
        return pending.get();
    }

    @Override
    public CatalogImage image() {
        return state.image();
    }

    @Override
    public AutoCloseable onChange(Consumer<CatalogImage> listener) {
        return state.onChange(listener);
    }

    @Override
    public CompletionStage<CatalogReply> propose(CatalogCommand command) {
        return propose(command, config.deadline());
    }

    /**
     * As {@link #propose(CatalogCommand)}, and goes on trying for longer or shorter. One proposal takes effect once however long that takes,
     * which a proposal made anew after a refusal might not: the first may still be on its way.
     */
    public CompletionStage<CatalogReply> propose(CatalogCommand command, Duration deadline) {
        LogGroupId bound = group;
        if (bound == null) {
            return CompletableFuture.failedFuture(notOpen());
        }
        if (pending.incrementAndGet() > config.pending()) {
            pending.decrementAndGet();
            return CompletableFuture.failedFuture(refused(
                    ErrorCode.OVERLOADED, "more than " + config.pending() + " changes to the catalog wait already"));
        }
        String id = proposalPrefix + proposals.incrementAndGet();
        byte[] bytes = CatalogEntryCodec.encode(new CatalogEntry(id, config.limits(), command));
        Proposal proposal = new Proposal(this, bound, bytes, deadline);
        return proposal.run().thenCompose(this::seenHere).whenComplete((reply, failure) -> pending.decrementAndGet());
    }

    @Override
    public CompletionStage<Void> linearize() {
        LogGroupId bound = group;
        if (bound == null) {
            return CompletableFuture.failedFuture(notOpen());
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        linearize(bound, deadlineNanos(), result);
        return result;
    }

    /**
     * Appends a proposal that another node has forwarded here. Completes, never exceptionally, with bytes for {@link CatalogForwarder}.
     */
    public CompletionStage<byte[]> answer(byte[] proposal) {
        LogGroupId bound = group;
        if (bound == null) {
            return CompletableFuture.completedFuture(tryAgain("node " + config.nodeId() + " is starting", null));
        }
        try {
            CatalogEntryCodec.decode(proposal);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(refusal(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage())));
        }
        return host.append(bound, ByteBuffer.wrap(proposal)).exceptionally(this::answerOf);
    }

    LogHost host() {
        return host;
    }

    CatalogForwarder forwarder() {
        return forwarder;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    GroupCatalogConfig config() {
        return config;
    }

    Optional<String> leaderHint() {
        return leaderHint.get();
    }

    static RefusedException refused(ErrorCode code, String message) {
        return new RefusedException(Refusal.of(code, message));
    }

    static RefusedException noQuorum(Duration deadline, String last) {
        return refused(
                ErrorCode.NO_QUORUM,
                "no quorum: the catalog's leader does not answer within " + deadline.toMillis() + " ms (" + last + ")");
    }

    private long deadlineNanos() {
        return System.nanoTime() + config.deadline().toNanos();
    }

    private CompletionStage<CatalogReply> seenHere(CatalogReply reply) {
        if (reply instanceof CatalogReply.Refused refused) {
            return CompletableFuture.failedFuture(new RefusedException(refused.refusal()));
        }
        CompletableFuture<Void> seen = waiters.reach(version(reply));
        if (seen.isDone()) {
            return CompletableFuture.completedFuture(reply);
        }
        seen.orTimeout(config.deadline().toNanos(), TimeUnit.NANOSECONDS);
        return seen.handle((nothing, failure) -> {
            if (failure != null) {
                throw noQuorum(
                        config.deadline(), "the change is made, but has not reached node " + config.nodeId() + " yet");
            }
            return reply;
        });
    }

    private static long version(CatalogReply reply) {
        return switch (reply) {
            case CatalogReply.Done done -> done.version();
            case CatalogReply.Incarnation incarnation -> incarnation.version();
            case CatalogReply.Schema schema -> schema.version();
            case CatalogReply.Dropped dropped -> dropped.version();
            case CatalogReply.Refused refused -> refused.version();
        };
    }

    private void linearize(LogGroupId bound, long deadline, CompletableFuture<Void> result) {
        long rest = deadline - System.nanoTime();
        CompletableFuture<Void> attempt = new CompletableFuture<>();
        CompletableFuture.completedStage(bound).thenCompose(host::linearize).whenComplete((nothing, failure) -> {
            if (failure == null) {
                attempt.complete(null);
            } else {
                attempt.completeExceptionally(failure);
            }
        });
        attempt.orTimeout(Math.max(1, rest), TimeUnit.NANOSECONDS).whenComplete((nothing, failure) -> {
            if (failure == null) {
                result.complete(null);
            } else if (System.nanoTime() + Proposal.PAUSE_MIN_NANOS >= deadline) {
                result.completeExceptionally(noQuorum(config.deadline(), cause(failure)));
            } else {
                linearizeLater(bound, deadline, result);
            }
        });
    }

    private void linearizeLater(LogGroupId bound, long deadline, CompletableFuture<Void> result) {
        try {
            timer.schedule(() -> linearize(bound, deadline, result), Proposal.PAUSE_MIN_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(noQuorum(config.deadline(), "the node is stopping"));
        }
    }

    static String cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private byte[] answerOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof LogException log)) {
            return tryAgain(cause(failure), null);
        }
        return switch (log.kind()) {
            case TOO_LARGE -> refusal(ErrorCode.TOO_LARGE, cause(failure));
            case DISK_FULL -> refusal(ErrorCode.DISK_FULL, cause(failure));
            case NOT_LEADER, UNAVAILABLE, NO_SUCH_GROUP, OVERLOADED, UNKNOWN -> tryAgain(cause(failure), log.leader());
        };
    }

    private static byte[] refusal(ErrorCode code, String message) {
        return CatalogAnswerCodec.encode(new Answer.Replied(new CatalogReply.Refused(0, Refusal.of(code, message))));
    }

    private static byte[] tryAgain(String why, @Nullable String leader) {
        return CatalogAnswerCodec.encode(new Answer.TryAgain(why, leader));
    }

    private static RefusedException notOpen() {
        return refused(ErrorCode.STARTING, "this node is starting: its catalog is not open yet");
    }
}
