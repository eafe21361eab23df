package dev.weir.node.ingest.write;

import dev.weir.node.ingest.BatchIds;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.partition.write.PartitionWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body's requests: to all partitions at once, to each partition one after another, so that rows of a series keep their order. A partition's
 * requests after one that was not applied are not sent.
 */
final class Sender {
    private final PartitionWrites writes;
    private final BatchIds batches;

    /**
     * @param outcome of this request, or, if it was not sent, of the one before that kept it back
     * @param sent false where it was kept back
     */
    record Answered(PendingAppend request, AppendOutcome outcome, boolean sent) {}

    Sender(PartitionWrites writes, BatchIds batches) {
        this.writes = writes;
        this.batches = batches;
    }

    /** Blocks until every request has its answer. */
    List<Answered> send(WriteOrder order, List<Lane> lanes, long epoch) {
        List<CompletableFuture<List<Answered>>> underWay = new ArrayList<>(lanes.size());
        for (Lane lane : lanes) {
            underWay.add(new Run(order, lane.requests(), epoch).start());
        }
        List<Answered> all = new ArrayList<>();
        underWay.forEach(run -> all.addAll(run.join()));
        return all;
    }

    /** Whether an outcome leaves rows that must be routed anew. */
    static boolean reroutes(AppendOutcome outcome) {
        return outcome instanceof Applied applied
                && applied.voided().stream().anyMatch(row -> row.cause() != VoidCause.LIMIT);
    }

    /** The requests of one lane, one after another. */
    private final class Run {
        private final WriteOrder order;
        private final List<PendingAppend> requests;
        private final long epoch;
        private final List<Answered> answers = new ArrayList<>();

        Run(WriteOrder order, List<PendingAppend> requests, long epoch) {
            this.order = order;
            this.requests = requests;
            this.epoch = epoch;
        }

        CompletableFuture<List<Answered>> start() {
            return next(0).toCompletableFuture();
        }

        private CompletionStage<List<Answered>> next(int index) {
            if (index == requests.size()) {
                return CompletableFuture.completedFuture(answers);
            }
            PendingAppend request = requests.get(index);
            return append(request).thenCompose(outcome -> {
                answers.add(new Answered(request, outcome, true));
                if (outcome instanceof Applied && !reroutes(outcome)) {
                    return next(index + 1);
                }
                for (PendingAppend kept : requests.subList(index + 1, requests.size())) {
                    answers.add(new Answered(kept, outcome, false));
                }
                return CompletableFuture.completedFuture(answers);
            });
        }

        private CompletionStage<AppendOutcome> append(PendingAppend request) {
            AppendRequest append = new AppendRequest(
                    request.partition().id(),
                    request.partition().generation(),
                    epoch,
                    batches.next(),
                    unit(request.chunk()),
                    request.blocks());
            return CompletableFuture.completedFuture(append)
                    .thenCompose(writes::append)
                    .handle((outcome, failure) -> failure == null
                            ? outcome
                            : new AppendOutcome.Unknown("the outcome is unknown: " + failure));
        }

        private @Nullable IdempotencyUnit unit(int chunk) {
            WriteOrder.Idempotency idempotency = order.idempotency();
            return idempotency == null
                    ? null
                    : new IdempotencyUnit(order.tenant(), idempotency.key(), idempotency.digest(), chunk);
        }
    }
}
