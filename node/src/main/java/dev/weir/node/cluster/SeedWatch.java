package dev.weir.node.cluster;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import java.util.List;
import java.util.function.Consumer;

/** Starts Hazelcast with the first image of a born cluster, and tells it which nodes to look for whenever the catalog names others. */
final class SeedWatch implements Consumer<CatalogImage> {
    private final NodeRecord self;
    private final HazelcastMembership membership;

    /** Guarded by this: set by whoever starts the watch, then by the catalog's apply thread. */
    private List<String> told = List.of();

    /** Guarded by this. */
    private boolean begun;

    SeedWatch(NodeRecord self, HazelcastMembership membership) {
        this.self = self;
        this.membership = membership;
    }

    @Override
    public synchronized void accept(CatalogImage image) {
        if (!image.born()) {
            return;
        }
        if (!begun) {
            begun = true;
            membership.begin();
        }
        List<String> members = HazelcastSettings.members(self, image.nodes().values());
        if (!members.equals(told)) {
            told = members;
            membership.seek(members);
        }
    }
}
