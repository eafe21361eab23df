package dev.weir.node.ingest;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.SeriesHash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The real fold of the catalog without a log under it. Can be without quorum, and can show old images. */
public final class FoldingCatalog implements Catalog {
    private final CatalogLimits limits;
    private final List<Consumer<CatalogImage>> listeners = new CopyOnWriteArrayList<>();
    private final List<CatalogCommand> proposals = new CopyOnWriteArrayList<>();
    private volatile FoldedImage agreed = FoldedImage.empty();
    private volatile FoldedImage shown = FoldedImage.empty();
    private volatile boolean quorum = true;
    private volatile boolean lagging;
    private final AtomicInteger linearized = new AtomicInteger();

    public FoldingCatalog(int partitions) {
        this(partitions, CatalogLimits.DEFAULTS);
    }

    public FoldingCatalog(int partitions, CatalogLimits limits) {
        this(partitions, limits, new NodeRecord("n1", "localhost", 7070, 7071, 7072, 0));
    }

    /** @param node its only one, {@code n1} */
    public FoldingCatalog(int partitions, NodeRecord node) {
        this(partitions, CatalogLimits.DEFAULTS, node);
    }

    private FoldingCatalog(int partitions, CatalogLimits limits, NodeRecord node) {
        this.limits = limits;
        List<PartitionRecord> map = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            SlotRange slots = new SlotRange(SeriesHash.SLOTS * i / partitions, SeriesHash.SLOTS * (i + 1) / partitions);
            map.add(new PartitionRecord(i, 1, List.of(slots), List.of("n1"), List.of()));
        }
        fold(new CatalogCommand.Birth("c", 1, List.of(node), map));
        fold(new CatalogCommand.CreateTenant("acme"));
        fold(new CatalogCommand.CreateTenant("other"));
        fold(new CatalogCommand.AddAlias("acme", "telegraf"));
        proposals.clear();
    }

    /** Whether proposals are answered. */
    public void quorum(boolean there) {
        quorum = there;
    }

    /** How often all was asked for that had been agreed on. */
    public int linearized() {
        return linearized.get();
    }

    /** Whether {@link #image} stays behind until {@link #linearize}. */
    public void lagging(boolean behind) {
        lagging = behind;
    }

    List<CatalogCommand> proposals() {
        return proposals;
    }

    public synchronized CatalogReply fold(CatalogCommand command) {
        proposals.add(command);
        CatalogFold.Step step = CatalogFold.step(agreed, agreed.version() + 1, limits, command);
        agreed = step.image();
        if (!lagging) {
            shown = agreed;
            listeners.forEach(listener -> listener.accept(shown));
        }
        return step.reply();
    }

    @Override
    public CatalogImage image() {
        return shown;
    }

    @Override
    public CompletionStage<CatalogReply> propose(CatalogCommand command) {
        if (!quorum) {
            return noQuorum();
        }
        CatalogReply reply = fold(command);
        return reply instanceof CatalogReply.Refused refused
                ? CompletableFuture.failedFuture(new RefusedException(refused.refusal()))
                : CompletableFuture.completedFuture(reply);
    }

    @Override
    public CompletionStage<Void> linearize() {
        linearized.incrementAndGet();
        if (!quorum) {
            return noQuorum();
        }
        shown = agreed;
        listeners.forEach(listener -> listener.accept(shown));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public AutoCloseable onChange(Consumer<CatalogImage> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private static <T> CompletionStage<T> noQuorum() {
        return CompletableFuture.failedFuture(new RefusedException(
                Refusal.of(ErrorCode.NO_QUORUM, "no quorum: the catalog's leader can't be reached")));
    }
}
