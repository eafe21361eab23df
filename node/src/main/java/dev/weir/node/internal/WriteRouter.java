package dev.weir.node.internal;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.PartitionWrites;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries writes to the partitions' leaders: the local replica where it leads, else the leading node by {@code /internal/v1}. This is the one
 * layer that tries again: until the deadline, always with the same batch id, so that nothing doubles.
 */
public final class WriteRouter implements PartitionWrites {
    private static final long BACKOFF_MS_MIN = 20;
    private static final long BACKOFF_MS_MAX = 250;

    /**
     * @param leaderWait how long a request for which no leader took anything is tried before it is refused with "no quorum"
     * @param outcomeWait how long a request whose outcome is open is tried before it is answered with "unknown"
     * @param bytesInFlightMax bytes of requests on their way to one partition, then {@code overloaded}
     */
    public record Limits(Duration leaderWait, Duration outcomeWait, long bytesInFlightMax) {}

    private final String self;
    private final Vertx vertx;
    private final Catalog catalog;
    private final LocalPartitions local;
    private final LeaderTable leaders;
    private final PeerClient peers;
    private final Limits limits;
    private final Map<Integer, AtomicLong> bytesInFlight = new ConcurrentHashMap<>();
    private final AtomicLong retries = new AtomicLong();

    public WriteRouter(
            String self,
            Vertx vertx,
            Catalog catalog,
            LocalPartitions local,
            LeaderTable leaders,
            PeerClient peers,
            Limits limits) {
        this.self = self;
        this.vertx = vertx;
        this.catalog = catalog;
        this.local = local;
        this.leaders = leaders;
        this.peers = peers;
        this.limits = limits;
    }

    @Override
    public CompletionStage<AppendOutcome> append(AppendRequest request) {
        long bytes = 256;
        for (RowBlock block : request.blocks()) {
            bytes += block.bytes().remaining();
        }
        return deliver(
                request.partition(),
                bytes,
                here -> here.append(request),
                () -> WriteMessages.encode(request),
                "/partitions/" + request.partition() + "/append");
    }

    @Override
    public CompletionStage<AppendOutcome> delete(DeleteRequest request) {
        return deliver(
                request.partition(),
                256,
                here -> here.delete(request),
                () -> WriteMessages.encode(request),
                "/partitions/" + request.partition() + "/delete");
    }

    /** Bytes of requests now on their way to all partitions. */
    public long bytesInFlight() {
        return bytesInFlight.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Deliveries tried again since the start. */
    public long retries() {
        return retries.get();
    }

    private CompletionStage<AppendOutcome> deliver(
            int partition,
            long bytes,
            Function<LocalPartition, CompletionStage<Attempt>> locally,
            Supplier<Buffer> message,
            String path) {
        AtomicLong inFlight = bytesInFlight.computeIfAbsent(partition, id -> new AtomicLong());
        long before = inFlight.getAndAdd(bytes);
        if (before > 0 && before + bytes > limits.bytesInFlightMax()) {
            inFlight.addAndGet(-bytes);
            return CompletableFuture.completedFuture(new AppendOutcome.Refused(Refusal.of(
                    ErrorCode.OVERLOADED,
                    "partition " + partition + ": " + before + " bytes are on their way already, limit "
                            + limits.bytesInFlightMax())));
        }
        Delivery delivery = new Delivery(partition, locally, message, path);
        delivery.attempt();
        return delivery.outcome.whenComplete((done, failure) -> inFlight.addAndGet(-bytes));
    }

    /** One request on its way. Steps run one after another, on whichever thread the last answer came. */
    private final class Delivery {
        private final int partition;
        private final Function<LocalPartition, CompletionStage<Attempt>> locally;
        private final Supplier<Buffer> message;
        private final String path;
        private final long startNanos = System.nanoTime();
        private final CompletableFuture<AppendOutcome> outcome = new CompletableFuture<>();
        private @Nullable Buffer encoded;
        private int attempts;
        private boolean open;
        private String lastWhy = "no replica was asked";

        Delivery(
                int partition,
                Function<LocalPartition, CompletionStage<Attempt>> locally,
                Supplier<Buffer> message,
                String path) {
            this.partition = partition;
            this.locally = locally;
            this.message = message;
            this.path = path;
        }

        void attempt() {
            CatalogImage image = catalog.image();
            PartitionRecord record = image.partitions().get(partition);
            if (record == null || record.replicas().isEmpty()) {
                lastWhy = "partition " + partition + " is not in the map";
                again(null);
                return;
            }
            String target = leaders.target(record, attempts++);
            CompletionStage<Attempt> asked =
                    CompletableFuture.completedStage(target).thenCompose(node -> ask(image, node));
            asked.whenComplete((attempt, failure) -> {
                if (failure == null) {
                    take(target, attempt);
                } else {
                    // Only a fault of our own gets here: what it left behind can't be told.
                    take(target, new Attempt.Open("node " + target + ": " + failure));
                }
            });
        }

        private CompletionStage<Attempt> ask(CatalogImage image, String target) {
            if (target.equals(self)) {
                LocalPartition here = local.find(partition).orElse(null);
                return here == null
                        ? CompletableFuture.completedFuture(
                                new Attempt.Elsewhere(null, "the replica on " + self + " is not open"))
                        : locally.apply(here);
            }
            NodeRecord node = image.nodes().get(target);
            if (node == null) {
                return CompletableFuture.completedFuture(
                        new Attempt.Elsewhere(null, "node " + target + " is not in the catalog"));
            }
            Buffer body = encoded;
            if (body == null) {
                body = message.get();
                encoded = body;
            }
            return peers.post(node, path, body, limits.outcomeWait())
                    .handle((bytes, failure) -> failure == null
                            ? new Attempt.Done(WriteMessages.decodeOutcome(bytes))
                            : InternalRoutes.attemptOf(failure));
        }

        private void take(String target, Attempt attempt) {
            switch (attempt) {
                case Attempt.Done done -> {
                    if (done.outcome() instanceof AppendOutcome.Unknown unknown) {
                        take(target, new Attempt.Open(unknown.message()));
                        return;
                    }
                    leaders.learn(partition, target);
                    outcome.complete(done.outcome());
                }
                case Attempt.Elsewhere elsewhere -> {
                    leaders.unlearn(partition, target);
                    leaders.learn(partition, elsewhere.leader());
                    lastWhy = elsewhere.why();
                    boolean hinted =
                            elsewhere.leader() != null && !elsewhere.leader().equals(target);
                    again(hinted ? target : null);
                }
                case Attempt.Open unknown -> {
                    open = true;
                    leaders.unlearn(partition, target);
                    lastWhy = unknown.why();
                    again(null);
                }
            }
        }

        /** @param hintedBy the node that named another leader: that one is asked at once, the first few times */
        private void again(@Nullable String hintedBy) {
            long elapsedMs = (System.nanoTime() - startNanos) / 1_000_000;
            long limitMs = (open ? limits.outcomeWait() : limits.leaderWait()).toMillis();
            if (elapsedMs >= limitMs) {
                outcome.complete(giveUp());
                return;
            }
            retries.incrementAndGet();
            if (hintedBy != null && attempts <= 2) {
                attempt();
                return;
            }
            long backoff = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN << Math.min(attempts, 4));
            long jittered = backoff / 2 + ThreadLocalRandom.current().nextLong(backoff / 2 + 1);
            vertx.setTimer(Math.max(1, jittered), timer -> attempt());
        }

        private AppendOutcome giveUp() {
            if (open) {
                return new AppendOutcome.Unknown("partition " + partition + ": the outcome is unknown after "
                        + limits.outcomeWait() + " (" + lastWhy + ")");
            }
            return new AppendOutcome.Refused(Refusal.of(
                    ErrorCode.NO_QUORUM, "no quorum: partition " + partition + " has no leader (" + lastWhy + ")"));
        }
    }
}
