package dev.weir.node.cluster;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers nodes that are starting: whether the cluster is born, where its catalog is, and who is in it; and takes down who wants to be
 * added. Must be reachable from the moment the HTTP port is open, before this node is ready: at a birth all nodes ask each other. Any
 * thread; never blocks.
 */
public final class JoinDesk {
    private static final long CONFIRM_TIMEOUT_MS = 1_500;

    private final String clusterName;
    private final LogHost host;
    private final Catalog catalog;
    private final Joiners joiners;
    private volatile @Nullable LogGroupId group;
    private volatile Consumer<NodeRecord> addressListener = node -> {};

    public JoinDesk(String clusterName, LogHost host, Catalog catalog, Joiners joiners) {
        this.clusterName = clusterName;
        this.host = host;
        this.catalog = catalog;
        this.joiners = joiners;
    }

    /** The catalog's group of this node, as planned or as opened. */
    void group(LogGroupId catalogGroup) {
        group = catalogGroup;
    }

    /** Hears where the nodes that ask are. */
    void onAddress(Consumer<NodeRecord> listener) {
        addressListener = listener;
    }

    /** @return bytes for {@link JoinClient}; completes normally whatever was asked */
    public CompletionStage<byte[]> answer(byte[] request) {
        try {
            return answer(JoinMessages.decodeRequest(request)).thenApply(JoinMessages::encode);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(
                    JoinMessages.encode(JoinMessages.Answer.refused(String.valueOf(e.getMessage()))));
        }
    }

    private CompletionStage<JoinMessages.Answer> answer(JoinMessages.Request request) {
        if (!request.clusterName().equals(clusterName)) {
            return CompletableFuture.completedFuture(JoinMessages.Answer.refused(
                    "this is cluster '" + clusterName + "', not '" + request.clusterName() + "' (cluster.name)"));
        }
        addressListener.accept(request.node());
        if (!catalog.image().born()) {
            return CompletableFuture.completedFuture(describe(false));
        }
        if (request.add()) {
            joiners.add(request.node());
            return CompletableFuture.completedFuture(describe(false));
        }
        CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
        catalog.linearize().whenComplete((nothing, failure) -> confirmed.complete(failure == null));
        return confirmed
                .completeOnTimeout(false, CONFIRM_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .thenApply(this::describe);
    }

    private JoinMessages.Answer describe(boolean confirmed) {
        CatalogImage image = catalog.image();
        Optional<LogGroupId> known = Optional.ofNullable(group);
        Optional<String> leader = known.flatMap(host::status).map(LogStatus::leader);
        return new JoinMessages.Answer(
                image.clusterId(),
                known,
                confirmed,
                leader,
                image.born() ? new ArrayList<>(image.nodes().values()) : List.of(),
                "");
    }
}
