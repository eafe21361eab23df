package dev.weir.node.cluster;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import java.util.List;
import java.util.function.Consumer;

/** Tells Hazelcast which nodes to look for whenever the catalog names others. Called by the catalog's apply thread alone. */
final class SeedWatch implements Consumer<CatalogImage> {
    private final NodeRecord self;
    private final HazelcastMembership membership;
    private List<String> told = List.of();

    SeedWatch(NodeRecord self, HazelcastMembership membership) {
        this.self = self;
        this.membership = membership;
    }

    @Override
    public void accept(CatalogImage image) {
        List<String> members = HazelcastSettings.members(self, image.nodes().values());
        if (!members.equals(told)) {
            told = members;
            membership.seek(members);
        }
    }
}
