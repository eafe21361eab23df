package dev.weir.node.internal;

import dev.weir.node.internal.ImageMessages.Asked;
import dev.weir.node.internal.ImageMessages.Part;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.read.Consistency;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Takes images of several partitions on this node, for itself and for others: each partition gives its tables or says why not. Any thread. */
public final class ImageDesk {
    private final LocalPartitions local;

    public ImageDesk(LocalPartitions local) {
        this.local = local;
    }

    /** The answer to {@link ImageRouter#IMAGES}. */
    public CompletionStage<Buffer> answer(Buffer message) {
        Asked asked = ImageMessages.decodeAsked(message);
        List<CompletableFuture<Part>> parts = asked.partitions().stream()
                .map(partition ->
                        take(partition, asked.query(), asked.consistency()).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> ImageMessages.encode(
                        parts.stream().map(CompletableFuture::join).toList()));
    }

    /** Never fails; {@code LEADER}: by its leader alone, as of now. */
    CompletionStage<Part> take(int partition, ImageQuery query, Consistency consistency) {
        LocalPartition here = local.find(partition).orElse(null);
        if (here == null) {
            return refused(partition, "no open replica of partition " + partition + " here", "");
        }
        boolean any = consistency == Consistency.ANY;
        if (!any && !here.leads()) {
            String leader = here.leader();
            return refused(partition, "partition " + partition + " is led elsewhere", leader == null ? "" : leader);
        }
        CompletionStage<Void> current = any ? CompletableFuture.completedFuture(null) : InternalRoutes.linearize(here);
        return current.thenCompose(ok -> here.image(query))
                .handle((tables, failure) ->
                        failure == null ? new Part.Taken(tables) : new Part.Refused(partition, refusal(failure)));
    }

    private static CompletionStage<Part> refused(int partition, String why, String leader) {
        return CompletableFuture.completedFuture(
                new Part.Refused(partition, new PeerRefusal(ErrorCode.NO_LEADER, why, leader)));
    }

    private static PeerRefusal refusal(Throwable failure) {
        var refusal = InternalRoutes.refusalOf(failure).refusal();
        return new PeerRefusal(refusal.code(), refusal.message(), "");
    }
}
