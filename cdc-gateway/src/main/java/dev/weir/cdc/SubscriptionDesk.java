package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.CursorCommit;
import dev.weir.partition.catalog.GroupMember;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.BadCursorException;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.MultiMap;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with named subscriptions, on any node: all truth is in the catalog. Blocks: called on virtual threads. What can't be done is thrown as
 * {@link RequestRefused}.
 */
final class SubscriptionDesk {
    /** Where the catalog has no quorum, what this node knows is shown after this. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** Of a change to one that is there: nothing is made with it. */
    private static final Cursor NOWHERE = new Cursor(Collections.emptySortedMap());

    private final Catalog catalog;
    private final StartResolver resolver;
    private final AckCheck acks;
    private final CursorCommits commits;
    private final SubscriptionConfig config;
    private final Clock clock;

    SubscriptionDesk(
            Catalog catalog,
            StartResolver resolver,
            AckCheck acks,
            CursorCommits commits,
            SubscriptionConfig config,
            Clock clock) {
        this.catalog = catalog;
        this.resolver = resolver;
        this.acks = acks;
        this.commits = commits;
        this.config = config;
        this.clock = clock;
    }

    /** A subscription, and whether it was made just now. */
    record Put(SubscriptionRecord subscription, boolean made) {}

    /** Makes it, or changes its budget; the same again changes nothing. */
    Put put(String tenant, String name, SubscriptionWish wish) {
        StreamRequest asked = parsed(tenant, wish.filter(), wish.from());
        fresh();
        Optional<SubscriptionRecord> there = catalog.image().subscription(tenant, name);
        if (there.isPresent() && isChanged(wanted(tenant, name, wish, NOWHERE))) {
            return new Put(find(tenant, name), false);
        }
        propose(new CatalogCommand.PutSubscription(wanted(tenant, name, wish, place(asked)), config.perTenantMax()));
        return new Put(find(tenant, name), true);
    }

    /** False where it was deleted meanwhile. */
    private boolean isChanged(SubscriptionRecord wanted) {
        try {
            propose(new CatalogCommand.PutSubscription(wanted, config.perTenantMax()));
            return true;
        } catch (RequestRefused e) {
            if (e.refusal().code() == ErrorCode.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private SubscriptionRecord wanted(String tenant, String name, SubscriptionWish wish, Cursor start) {
        return SubscriptionRecord.made(
                tenant, name, wish.filter(), wish.from(), start, wish.budget(), Clocks.nanos(clock));
    }

    void delete(String tenant, String name) {
        propose(new CatalogCommand.DeleteSubscription(tenant, name));
    }

    /** As all nodes agreed before the call, where the catalog has a quorum; else as this node knows it. */
    SubscriptionRecord find(String tenant, String name) {
        boolean fresh = fresh();
        return catalog.image().subscription(tenant, name).orElseThrow(() -> fresh ? unknown(name) : unsure(name));
    }

    SortedMap<String, SubscriptionRecord> all(String tenant) {
        fresh();
        return catalog.image().subscriptions(tenant);
    }

    /**
     * Completes when it is committed. What lies behind the committed cursor changes nothing, and is answered by what all nodes agreed on.
     *
     * @param member of its group; empty where it is read by one alone
     * @param generation that the reader began in; null where it does not say, which a member has to
     */
    CompletionStage<Void> ack(String tenant, String name, String member, String cursor, @Nullable Long generation) {
        SubscriptionRecord known = catalog.image().subscription(tenant, name).orElseGet(() -> find(tenant, name));
        if (generation != null && generation > generation(known, member)) {
            known = find(tenant, name);
        }
        Cursor acked = decode(tenant, cursor);
        Cursor further = further(known, member, acked, generation);
        if (further.next().isEmpty()) {
            // Nothing is committed that would tell whether this node is behind: it may have been moved or deleted
            // meanwhile.
            known = agreed(tenant, name);
            further = further(known, member, acked, generation);
        }
        return further.next().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : commits.commit(new CursorCommit(tenant, name, member, generation(known, member), further));
    }

    /** A group is read by its members alone. */
    static void checkReader(SubscriptionRecord subscription, String member) {
        if (member.isEmpty() && !subscription.group().members().isEmpty()) {
            throw RequestRefused.of(
                    ErrorCode.CONFLICT,
                    "subscription " + subscription.name() + " is read by a group, expected member=, one of "
                            + subscription.group().members().keySet() + " or a new one");
        }
    }

    private static StreamFilter readBy(SubscriptionRecord subscription, String member) {
        StreamFilter filter = filter(subscription);
        GroupMember mine = subscription.group().members().get(member);
        return mine == null ? filter : filter.within(mine.kept());
    }

    /** Of the subscription, or of a member of its group; 0 where there is no such member. */
    static long generation(SubscriptionRecord subscription, String member) {
        if (member.isEmpty()) {
            return subscription.generation();
        }
        GroupMember mine = subscription.group().members().get(member);
        return mine == null ? 0 : mine.generation();
    }

    private Cursor further(SubscriptionRecord known, String member, Cursor acked, @Nullable Long generation) {
        checkReader(known, member);
        if (generation != null && generation != generation(known, member)) {
            throw stale(known, member, generation);
        }
        return acks.further(readBy(known, member), known.cursor(), acked);
    }

    /** As all nodes agreed before the call; 503 without a quorum. */
    private SubscriptionRecord agreed(String tenant, String name) {
        try {
            catalog.linearize().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw refusal(e);
        }
        return catalog.image().subscription(tenant, name).orElseThrow(() -> unknown(name));
    }

    /** @param to earliest, latest, a time or a cursor */
    SubscriptionRecord seek(String tenant, String name, String to) {
        SubscriptionRecord known = find(tenant, name);
        Cursor place = place(parsed(tenant, known.filter(), to.equals("latest") ? "now" : to));
        propose(new CatalogCommand.SeekSubscription(tenant, name, place));
        return find(tenant, name);
    }

    private static StreamRequest parsed(String tenant, SortedMap<String, List<String>> filter, String from) {
        MultiMap parameters = SubscriptionWish.parameters(filter).add("from", from);
        StreamRequest asked = StreamRequestParser.parse(tenant, StreamFormat.SSE, parameters, null);
        if (asked.start().isHistory()) {
            throw RequestRefused.of(
                    ErrorCode.BAD_REQUEST,
                    "a subscription begins in the log, expected now, earliest, an RFC 3339 time or a cursor of it, found "
                            + from);
        }
        return asked;
    }

    private Cursor place(StreamRequest asked) {
        return new Cursor(resolver.resolve(asked).map());
    }

    static StreamFilter filter(SubscriptionRecord subscription) {
        MultiMap parameters = SubscriptionWish.parameters(subscription.filter());
        return StreamRequestParser.parse(subscription.tenant(), StreamFormat.SSE, parameters, null)
                .key()
                .filter();
    }

    private static Cursor decode(String tenant, String text) {
        try {
            return Cursor.decode(text, tenant);
        } catch (BadCursorException | ArithmeticException e) {
            throw RequestRefused.of(ErrorCode.BAD_CURSOR, "cursor: " + e.getMessage());
        }
    }

    /** False without a quorum: what this node knows may be older. */
    private boolean fresh() {
        try {
            catalog.linearize().toCompletableFuture().get(FRESH.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private CatalogReply propose(CatalogCommand command) {
        try {
            return catalog.propose(command).toCompletableFuture().join();
        } catch (CompletionException e) {
            throw refusal(e);
        }
    }

    /** What failed, as an answer. */
    static RequestRefused refusal(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case RequestRefused refused -> refused;
            case RefusedException refused -> RequestRefused.of(refused.refusal());
            default -> RequestRefused.of(ErrorCode.INTERNAL, "the request failed: " + cause);
        };
    }

    static RequestRefused unknown(String name) {
        return RequestRefused.of(ErrorCode.NOT_FOUND, "no subscription " + name + " is known");
    }

    private static RequestRefused unsure(String name) {
        return RequestRefused.of(
                ErrorCode.NO_QUORUM,
                "no quorum: this node knows no subscription " + name + ", and can't tell whether one was made");
    }

    static RequestRefused stale(SubscriptionRecord now, String member, long generation) {
        String who = member.isEmpty() ? "" : "member " + member + " of ";
        return RequestRefused.of(
                ErrorCode.STALE_GENERATION,
                who + "subscription " + now.name() + " is in generation " + generation(now, member) + ", found "
                        + generation + ": it was moved, or its group has changed; open its stream anew");
    }
}
