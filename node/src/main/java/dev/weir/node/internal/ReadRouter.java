package dev.weir.node.internal;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.read.Consistency;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.PartitionReads;
import dev.weir.partition.read.ReadResult;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Carries reads to a partition's leader (or to any replica), trying again until a deadline while leaders change. */
public final class ReadRouter implements PartitionReads {
    private static final long BACKOFF_MS = 50;
    /** Writing files takes longer than reading rows; who leads is looked for no longer. */
    private static final Duration FILES_PATIENCE = Duration.ofMinutes(10);

    private final String self;
    private final Vertx vertx;
    private final Catalog catalog;
    private final LocalPartitions local;
    private final LeaderTable leaders;
    private final PeerClient peers;
    private final Duration deadline;

    public ReadRouter(
            String self,
            Vertx vertx,
            Catalog catalog,
            LocalPartitions local,
            LeaderTable leaders,
            PeerClient peers,
            Duration deadline) {
        this.self = self;
        this.vertx = vertx;
        this.catalog = catalog;
        this.local = local;
        this.leaders = leaders;
        this.peers = peers;
        this.deadline = deadline;
    }

    @Override
    public CompletionStage<ReadResult> latest(int partition, LatestQuery query, Consistency consistency) {
        return read(partition, consistency, "latest", query, here -> here.latest(query));
    }

    @Override
    public CompletionStage<ReadResult> series(int partition, LatestQuery query, Consistency consistency) {
        return read(partition, consistency, "series", query, here -> here.series(query));
    }

    /** Tables of one partition, all of one cut: at its leader as of now, or of the replica here. */
    public CompletionStage<PartitionTables> image(int partition, ImageQuery query, Consistency consistency) {
        LocalPartition here = local.find(partition).orElse(null);
        if (here != null && consistency == Consistency.ANY) {
            return here.image(query);
        }
        return atLeader(
                partition,
                leader -> leader.linearize().thenCompose(ok -> leader.image(query)),
                "/partitions/" + partition + "/image?consistency="
                        + (consistency == Consistency.ANY ? "any" : "leader"),
                ImageMessages.encode(query),
                ImageMessages::decodeTables);
    }

    /** Makes files of what a table has buffered in one partition; completes when they are committed, with whether there was anything. */
    public CompletionStage<Boolean> flush(int partition, int tableId) {
        return atLeader(new Question<>(
                partition,
                leader -> InternalRoutes.linearize(leader).thenCompose(ok -> leader.flush(tableId)),
                "/partitions/" + partition + "/flush",
                new WireWriter(8).putInt(tableId).buffer(),
                bytes -> new WireReader(bytes).readBool(),
                FILES_PATIENCE));
    }

    /** Merges a table's files in one partition; completes when that is committed, with how many merges there were. */
    public CompletionStage<Integer> compact(int partition, int tableId) {
        return atLeader(new Question<>(
                partition,
                leader -> InternalRoutes.linearize(leader).thenCompose(ok -> leader.compact(tableId)),
                "/partitions/" + partition + "/compact",
                new WireWriter(8).putInt(tableId).buffer(),
                bytes -> new WireReader(bytes).readInt(),
                FILES_PATIENCE));
    }

    /** What one partition has of a table in files, as its leader says. */
    public CompletionStage<PartitionFiles> tableFiles(int partition, int tableId) {
        return atLeader(
                partition,
                leader -> leader.linearize().thenCompose(ok -> leader.tableFiles(tableId)),
                "/partitions/" + partition + "/table-files",
                new WireWriter(8).putInt(tableId).buffer(),
                FilesMessages::decodeFiles);
    }

    /** Has a partition's leader flush tables and take a cut of them for a lease. */
    public CompletionStage<CutPlace> cut(int partition, CutRequest request) {
        return atLeader(new Question<>(
                partition,
                leader -> InternalRoutes.linearize(leader).thenCompose(ok -> leader.cut(request)),
                "/partitions/" + partition + "/cut",
                CutMessages.encode(request),
                CutMessages::decodePlace,
                FILES_PATIENCE));
    }

    /** Makes one file of some in one partition; completes when that is committed, with whether they were there. */
    public CompletionStage<Boolean> rewrite(int partition, int tableId, List<String> keys) {
        return atLeader(new Question<>(
                partition,
                leader -> InternalRoutes.linearize(leader).thenCompose(ok -> leader.rewrite(tableId, keys)),
                "/partitions/" + partition + "/rewrite",
                FilesMessages.encode(new FilesMessages.Rewrite(tableId, keys)),
                bytes -> new WireReader(bytes).readBool(),
                FILES_PATIENCE));
    }

    private CompletionStage<ReadResult> read(
            int partition,
            Consistency consistency,
            String what,
            LatestQuery query,
            Function<LocalPartition, CompletionStage<ReadResult>> locally) {
        LocalPartition here = local.find(partition).orElse(null);
        if (here != null && consistency == Consistency.ANY) {
            return locally.apply(here);
        }
        String path = "/partitions/" + partition + "/" + what + "?consistency="
                + (consistency == Consistency.ANY ? "any" : "leader");
        return atLeader(
                partition,
                leader -> leader.linearize().thenCompose(ok -> locally.apply(leader)),
                path,
                ReadMessages.encode(query),
                ReadMessages::decodeResult);
    }

    /** One past the last event committed anywhere. */
    public CompletionStage<Long> head(int partition) {
        return atLeader(
                partition,
                leader -> leader.linearize().thenApply(ok -> leader.feed().nextSeq()),
                "/partitions/" + partition + "/head",
                Buffer.buffer(),
                bytes -> new WireReader(bytes).readLong());
    }

    /** Wants the partition's resolved time to be no older than that; completes with its leader's, once it is. */
    CompletionStage<Long> resolve(int partition, Duration age) {
        return atLeader(
                partition,
                leader -> InternalRoutes.linearize(leader).thenCompose(ok -> leader.resolve(age)),
                "/partitions/" + partition + "/resolve?age=" + age.toMillis(),
                Buffer.buffer(),
                bytes -> new WireReader(bytes).readLong());
    }

    /** Who holds the partition, as its leader says. */
    public CompletionStage<PeerGroupAdmin.Members> configuration(int partition) {
        return atLeader(
                partition,
                leader -> leader.linearize().thenApply(ok -> new PeerGroupAdmin.Members(self, leader.voters())),
                "/partitions/" + partition + "/configuration",
                Buffer.buffer(),
                PeerGroupAdmin::decode);
    }

    /**
     * A question to a partition's leader.
     *
     * @param locally asks it here
     * @param path of the inner call that asks it elsewhere, with {@code message}
     * @param patience how long one answer may take
     */
    private record Question<T>(
            int partition,
            Function<LocalPartition, CompletionStage<T>> locally,
            String path,
            Buffer message,
            Function<Buffer, T> decode,
            Duration patience) {}

    private <T> CompletionStage<T> atLeader(
            int partition,
            Function<LocalPartition, CompletionStage<T>> locally,
            String path,
            Buffer message,
            Function<Buffer, T> decode) {
        return atLeader(new Question<>(partition, locally, path, message, decode, deadline));
    }

    private <T> CompletionStage<T> atLeader(Question<T> question) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(question, System.nanoTime(), 0, result);
        return result;
    }

    private <T> void attempt(Question<T> question, long startNanos, int attempts, CompletableFuture<T> result) {
        CompletionStage<T> asked = CompletableFuture.completedStage(question).thenCompose(one -> ask(one, attempts));
        asked.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
                return;
            }
            Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : failure;
            boolean late = System.nanoTime() - startNanos > deadline.toNanos();
            if (!mayHeal(cause)) {
                result.completeExceptionally(cause);
            } else if (late) {
                result.completeExceptionally(new RefusedException(Refusal.of(
                        ErrorCode.NO_QUORUM,
                        "no quorum: partition " + question.partition() + " cannot answer (" + cause.getMessage()
                                + ")")));
            } else {
                vertx.setTimer(BACKOFF_MS, timer -> attempt(question, startNanos, attempts + 1, result));
            }
        });
    }

    /** Another try, maybe at another node, may have an answer. The store is the same from everywhere, and was tried again already. */
    private static boolean mayHeal(Throwable cause) {
        return !(cause instanceof RefusedException refused)
                || (refused.refusal().code().status() == 503
                        && refused.refusal().code() != ErrorCode.STORE_UNAVAILABLE);
    }

    private <T> CompletionStage<T> ask(Question<T> question, int attempts) {
        CatalogImage image = catalog.image();
        int partition = question.partition();
        PartitionRecord record = image.partitions().get(partition);
        if (record == null || record.replicas().isEmpty()) {
            return unavailable("partition " + partition + " is not in the map");
        }
        String target = leaders.target(record, attempts);
        if (target.equals(self)) {
            LocalPartition here = local.find(partition).orElse(null);
            if (here == null || !here.leads()) {
                return unavailable("the replica on " + self + " does not lead");
            }
            return question.locally().apply(here);
        }
        NodeRecord node = image.nodes().get(target);
        if (node == null) {
            return unavailable("node " + target + " is not in the catalog");
        }
        return peers.post(node, question.path(), question.message(), question.patience())
                .handle((bytes, failure) -> {
                    if (failure == null) {
                        return question.decode().apply(bytes);
                    }
                    leaders.unlearn(partition, target);
                    if (InternalRoutes.attemptOf(failure) instanceof Attempt.Elsewhere elsewhere) {
                        leaders.learn(partition, elsewhere.leader());
                    }
                    throw new CompletionException(InternalRoutes.refusalOf(failure));
                });
    }

    private static <T> CompletionStage<T> unavailable(String why) {
        return CompletableFuture.failedFuture(new RefusedException(Refusal.of(ErrorCode.NO_LEADER, why)));
    }
}
