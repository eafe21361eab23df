package dev.weir.node.server;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.delta.TablePublisher;
import dev.weir.partition.engine.Publications;
import dev.weir.partition.model.Publication;
import java.io.IOException;
import java.util.Set;

/** Tables are published, and leases held, as the catalog says; the files that others were told of are those of the newest version. */
record TablePublications(Catalog catalog, TablePublisher publisher, HeldByLeases leases) implements Publications {
    @Override
    public boolean isPublished(int tableId) {
        return catalog.image().settings(tableId).published() == Publication.DELTA;
    }

    @Override
    public Set<String> keys(String prefix) throws IOException, InterruptedException {
        return publisher.keys(prefix);
    }

    @Override
    public void refresh() throws IOException, InterruptedException {
        leases.refresh();
    }

    @Override
    public boolean isHeld(String key) {
        return leases.holds(key);
    }
}
