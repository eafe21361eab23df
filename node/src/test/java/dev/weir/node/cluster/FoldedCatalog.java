package dev.weir.node.cluster;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.placement.PlacementPlanner;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A catalog without a log. */
final class FoldedCatalog implements Catalog {
    FoldedImage image = start();
    Runnable meanwhile = () -> {};

    private static FoldedImage start() {
        CatalogCommand birth = new CatalogCommand.Birth(
                "c", 3, List.of(BootWorld.record("n1")), PlacementPlanner.birth(2, 3, List.of("n1")));
        FoldedImage image = CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth)
                .image();
        for (String id : List.of("n2", "n3", "n4", "n5")) {
            CatalogCommand started = new CatalogCommand.NodeStarted(BootWorld.record(id));
            image = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, started)
                    .image();
        }
        return image;
    }

    @Override
    public CatalogImage image() {
        return image;
    }

    @Override
    public CompletionStage<CatalogReply> propose(CatalogCommand command) {
        CatalogFold.Step step = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, command);
        image = step.image();
        meanwhile.run();
        return step.reply() instanceof CatalogReply.Refused refused
                ? CompletableFuture.failedFuture(new RefusedException(refused.refusal()))
                : CompletableFuture.completedFuture(step.reply());
    }

    @Override
    public CompletionStage<Void> linearize() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public AutoCloseable onChange(Consumer<CatalogImage> listener) {
        return () -> {};
    }
}
