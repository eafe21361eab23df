package dev.weir.node.cluster;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out on the catalog's leader what the catalog says: takes nodes into the catalog's group, fills missing replicas, finishes drops.
 *
 * <p>One thread, woken by a new image, by a node that asks to join, and by a timer; idle on every other node. It may be wrong about
 * leading, and two may run at once: each step reads the present configuration first, is refused by the catalog where the map has moved
 * on, and is harmless when done twice. Nothing is kept here that another controller would miss.
 */
public final class Controller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final long MEMBERS_TIMEOUT_MS = 60_000;
    private static final long DROP_TIMEOUT_MS = 60_000;

    private final LogGroupId group;
    private final LogHost host;
    private final Catalog catalog;
    private final Joiners joiners;
    private final DropDriver drops;
    private final ReplicaFiller filler;

    private final Retries stepRetries = new Retries();
    private final Retries nodeRetries = new Retries();
    private final RoundLoop loop = new RoundLoop("weir-controller", this::round);

    /** @param group the catalog's */
    public Controller(
            LogGroupId group, LogHost host, Catalog catalog, Joiners joiners, DropDriver drops, GroupAdmin admin) {
        this.group = group;
        this.host = host;
        this.catalog = catalog;
        this.joiners = joiners;
        this.drops = drops;
        this.filler = new ReplicaFiller(catalog, admin);
    }

    public void start() {
        catalog.onChange(image -> loop.wake());
        joiners.onChange(loop::wake);
        loop.start();
    }

    /** Wakes it, for example when a node came up. */
    public void wake() {
        loop.wake();
    }

    /** Ends the loop; a step that is under way is broken off, and another controller goes on from there. */
    @Override
    public void close() {
        loop.close();
    }

    /** One look at the world, and the steps in it that can be taken; the next look is for a later time. */
    boolean round() throws InterruptedException {
        Optional<LogStatus> status = host.status(group);
        if (status.isEmpty() || !status.get().leads()) {
            return false;
        }
        CatalogImage image = catalog.image();
        joiners.remove(image.nodes().keySet());
        long now = System.nanoTime();
        ControllerPlan.View view =
                new ControllerPlan.View(image, status.get(), joiners.waiting(), nodeRetries.waiting(now));
        for (ControllerStep step : ControllerPlan.steps(view)) {
            if (!loop.isClosed() && !stepRetries.waits(step.name(), now)) {
                take(step);
            }
        }
        return false;
    }

    private void take(ControllerStep step) throws InterruptedException {
        try {
            switch (step) {
                case ControllerStep.SetCatalogMembers set -> setCatalogMembers(set);
                case ControllerStep.FillReplicas fill -> filler.fill(fill);
                case ControllerStep.FinishDrop finish -> finishDrop(finish);
            }
            stepRetries.succeeded(step.name());
        } catch (VoterChange.NodeUnreachableException e) {
            nodeRetries.failed(e.nodeId(), System.nanoTime());
            LOG.warn("{}: {}; it is tried again later, or on another node", step.name(), e.getMessage());
        } catch (CompletionException | IllegalStateException e) {
            stepRetries.failed(step.name(), System.nanoTime());
            LOG.warn("{}: {}; it is tried again", step.name(), Stages.message(e));
        }
    }

    private void setCatalogMembers(ControllerStep.SetCatalogMembers set) throws InterruptedException {
        LOG.info(
                "catalog: voters {}, listeners {}",
                names(set.members().voters()),
                names(set.members().listeners()));
        Stages.get(host.setMembers(group, set.members()), MEMBERS_TIMEOUT_MS);
    }

    private void finishDrop(ControllerStep.FinishDrop finish) throws InterruptedException {
        Stages.get(drops.drive(finish.drop()), DROP_TIMEOUT_MS);
        Stages.get(catalog.propose(new CatalogCommand.DropFinished(finish.drop().tableId())), DROP_TIMEOUT_MS);
        LOG.info(
                "table {} of tenant {} is dropped",
                finish.drop().name(),
                finish.drop().tenant());
    }

    private static List<String> names(List<LogPeer> peers) {
        return peers.stream().map(LogPeer::nodeId).toList();
    }
}
