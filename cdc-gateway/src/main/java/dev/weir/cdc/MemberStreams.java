package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.GroupMember;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionName;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of groups' members on this node, from joining to the word that they have ended, which lets others have their partitions.
 *
 * <pre>
 *   asked ──▶ joined ──earlier stream has ended──▶ granted ──▶ open ──changed in the catalog, or lease over──▶ ended ──▶ said so
 * </pre>
 *
 * <p>Threading: {@link #join} blocks, on virtual threads; {@link #check} may be called from any thread and only asks streams to end; a worker of its own renews.
 */
final class MemberStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberStreams.class);
    private static final Duration GRANT_WAIT = Duration.ofSeconds(8);
    private static final Duration TICK = Duration.ofMillis(200);
    /** Without a word others wait for the end of the lease, or for the node to be back. */
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

    private final String node;
    private final Catalog catalog;
    private final Lineage lineage;
    private final SubscriptionConfig config;
    private final Map<String, Seat> seats = new ConcurrentHashMap<>();
    private final MemberEnds ends;
    private final LeaseRenewal lease;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("cdc-members").factory());
    private volatile boolean closed;

    /** A member's stream on this node, from before it joins. */
    final class Seat implements StreamWatch {
        private final String tenant;
        private final String subscription;
        private final String member;
        private final MemberStream id = new MemberStream(node, UUID.randomUUID().toString());
        private final Signal signal = new Signal();
        private final CompletableFuture<Void> heard = new CompletableFuture<>();
        private volatile long generation;
        private volatile SortedSet<Integer> partitions = new TreeSet<>();
        private volatile @Nullable OpenStream stream;

        Seat(String tenant, String subscription, String member) {
            this.tenant = tenant;
            this.subscription = subscription;
            this.member = member;
        }

        @Override
        public Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put(GENERATION, Long.toString(generation));
            headers.put(
                    "Weir-Partitions", partitions.stream().map(String::valueOf).collect(Collectors.joining(",")));
            return headers;
        }

        @Override
        public void opened(OpenStream opened) {
            stream = opened;
            check(catalog.image());
        }

        @Override
        public void ended(OpenStream ended) {
            stream = null;
        }

        @Override
        public void finished() {
            ends.say(tenant, subscription, member, id.id()).whenComplete((reply, failure) -> heard.complete(null));
            seats.remove(id.id());
        }

        private Optional<GroupMember> now(CatalogImage image) {
            return image.subscription(tenant, subscription)
                    .map(each -> each.group().members().get(member));
        }

        private boolean granted(CatalogImage image) {
            return now(image).filter(now -> now.stream().equals(id)).isPresent();
        }

        private void check(CatalogImage image) {
            signal.raise();
            OpenStream open = stream;
            boolean mine = now(image)
                    .filter(now -> now.stream().equals(id) && now.generation() == generation)
                    .isPresent();
            if (open != null && !mine) {
                open.stop();
            }
        }

        private void stop() {
            OpenStream open = stream;
            if (open != null) {
                open.stop();
            }
        }
    }

    /** @param node this node's id */
    MemberStreams(String node, Catalog catalog, Lineage lineage, SubscriptionConfig config) {
        this.node = node;
        this.catalog = catalog;
        this.lineage = lineage;
        this.config = config;
        this.ends = new MemberEnds(node, catalog);
        this.lease = new LeaseRenewal(node, catalog, config.memberTimeout());
    }

    void start() {
        worker.scheduleWithFixedDelay(this::tickSafely, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    int size() {
        return seats.size();
    }

    /** Words that streams have ended, said and not answered. */
    int endsWaiting() {
        return ends.underWay().size();
    }

    /** Called with each new image: asks streams to end, and no more. */
    void check(CatalogImage image) {
        seats.values().forEach(seat -> seat.check(image));
    }

    /** A stream that a member may have now, and who follows it. */
    record Granted(StreamRequest request, StreamWatch watch) {}

    /** @throws RequestRefused it is none of a member */
    static void checkName(String member) {
        if (!SubscriptionName.isValid(member)) {
            throw RequestRefused.of(ErrorCode.INVALID_NAME, "member: " + SubscriptionName.EXPECTED);
        }
    }

    /**
     * Joins the group and waits until this stream is the member's only one.
     *
     * @param member of a name that {@link #checkName} lets pass
     * @param whole what would be asked for all partitions
     * @throws RequestRefused it can't be
     */
    Granted join(SubscriptionRecord subscription, String member, StreamRequest whole) {
        Seat seat = new Seat(subscription.tenant(), subscription.name(), member);
        seats.put(seat.id.id(), seat);
        try {
            lease.renew();
            propose(new CatalogCommand.JoinGroup(
                    seat.tenant,
                    seat.subscription,
                    member,
                    seat.id,
                    subscription.generation(),
                    lineage.ready(Position.of(subscription.cursor().next()), SubscriptionDesk.filter(subscription)),
                    config.membersMax()));
            awaitGrant(seat);
            return new Granted(part(seat, whole), seat);
        } catch (RuntimeException e) {
            seat.finished();
            throw e;
        }
    }

    private void awaitGrant(Seat seat) {
        long deadline = System.nanoTime() + GRANT_WAIT.toNanos();
        while (!seat.granted(catalog.image())) {
            if (closed) {
                throw RequestRefused.of(ErrorCode.STARTING, "the node is stopping");
            }
            if (System.nanoTime() - deadline > 0) {
                throw RequestRefused.of(
                        ErrorCode.OVERLOADED,
                        "member " + seat.member
                                + ": an earlier stream of it has not ended yet, come back with the same member name; a node that is"
                                + " gone is given up after " + config.memberTimeout());
            }
            seat.signal.await(deadline);
        }
        GroupMember now = seat.now(catalog.image()).orElseThrow(() -> SubscriptionDesk.unknown(seat.subscription));
        seat.generation = now.generation();
        seat.partitions = now.kept();
    }

    /** Just the member's partitions, at what is acknowledged. */
    private StreamRequest part(Seat seat, StreamRequest whole) {
        SubscriptionRecord now = catalog.image()
                .subscription(seat.tenant, seat.subscription)
                .orElseThrow(() -> SubscriptionDesk.unknown(seat.subscription));
        SortedMap<Integer, Long> next = new TreeMap<>();
        seat.partitions.forEach(
                partition -> next.put(partition, now.cursor().next().getOrDefault(partition, 1L)));
        RunKey key = new RunKey(
                whole.key().filter().within(seat.partitions), whole.key().int64AsString());
        return new StreamRequest(key, new Start.At(new Cursor(next)), whole.delivery(), whole.arrow());
    }

    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException e) {
            // The next round looks again; without one the lease would run out, and nothing would end its streams.
            LOG.warn("members of groups can't be looked after: {}", e.toString());
        }
    }

    private void tick() {
        renewOrStop();
        ends.sayOfOthersThan(seats.keySet(), catalog.image());
    }

    /** Before its streams are given up by others, this node ends them by itself. */
    private void renewOrStop() {
        if (seats.isEmpty()) {
            return;
        }
        if (!lease.holds()) {
            seats.values().forEach(Seat::stop);
        }
        lease.keep();
    }

    private void propose(CatalogCommand command) {
        try {
            catalog.propose(command).toCompletableFuture().join();
        } catch (CompletionException e) {
            throw SubscriptionDesk.refusal(e);
        }
    }

    /** Refuses those that wait to be granted a stream; waits a little until the words of all that have ended are heard. */
    @Override
    public void close() {
        closed = true;
        worker.shutdownNow();
        List<CompletableFuture<?>> words = new ArrayList<>();
        for (Seat seat : seats.values()) {
            seat.signal.raise();
            if (seat.stream == null) {
                words.add(seat.heard);
            }
        }
        // Who has left its seat since has said it before.
        words.addAll(ends.underWay());
        CompletableFuture.allOf(words.toArray(CompletableFuture[]::new))
                .handle((all, unheard) -> unheard == null)
                .completeOnTimeout(false, CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
