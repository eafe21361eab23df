package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.placement.PlacementPlanner;
import dev.weir.wal.LogPeer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NodeAddressesTest {
    private FoldedImage image = FoldedImage.empty();
    private final NodeAddresses addresses = new NodeAddresses(() -> image);

    @Test
    void catalogWinsOverHearsay() {
        addresses.learn(List.of(at("n1", "hearsay"), at("n2", "hearsay")));
        assertThat(host("n1")).isEqualTo("hearsay");

        birth(at("n1", "agreed"));
        assertThat(host("n1")).isEqualTo("agreed");
        assertThat(host("n2")).isEqualTo("hearsay");
        assertThat(addresses.find("n3")).isEmpty();
        assertThat(addresses.all()).extracting(NodeRecord::host).containsExactlyInAnyOrder("agreed", "hearsay");
    }

    @Test
    void whatANodeSaysOfItselfWinsUntilItsNextStartIsAgreed() {
        birth(at("n1", "agreed"));

        addresses.said(at("n1", "moved"));
        assertThat(host("n1")).isEqualTo("moved");

        step(new CatalogCommand.NodeStarted(at("n1", "moved-again")));
        assertThat(host("n1")).isEqualTo("moved-again");
    }

    @Test
    void whetherANodeSpeaksTlsIsWhatItSaidLast() {
        birth(at("n1", "h"));
        assertThat(addresses.find("n1").orElseThrow().httpUrl()).isEqualTo("http://h:1");

        NodeRecord withTls = new NodeRecord("n1", "h", 1, 2, 3, 0, true);
        addresses.said(withTls);
        assertThat(addresses.find("n1").orElseThrow().httpUrl()).isEqualTo("https://h:1");

        step(new CatalogCommand.NodeStarted(withTls));
        assertThat(addresses.find("n1").orElseThrow().httpUrl()).isEqualTo("https://h:1");
        step(new CatalogCommand.NodeStarted(at("n1", "h")));
        assertThat(addresses.find("n1").orElseThrow().httpUrl()).isEqualTo("http://h:1");
    }

    @Test
    void theLogIsToldOfEveryChange() {
        Map<String, String> told = new HashMap<>();
        addresses.tell((LogPeer peer) -> told.put(peer.nodeId(), peer.address()));

        birth(at("n1", "agreed"));
        addresses.changed();
        addresses.said(at("n2", "own"));

        assertThat(told).containsEntry("n1", "agreed:2").containsEntry("n2", "own:2");
    }

    private String host(String id) {
        return addresses.find(id).orElseThrow().host();
    }

    private void birth(NodeRecord node) {
        step(new CatalogCommand.Birth("c", 1, List.of(node), PlacementPlanner.birth(1, 1, List.of(node.id()))));
    }

    private void step(CatalogCommand command) {
        image = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, command)
                .image();
    }

    private static NodeRecord at(String id, String host) {
        return new NodeRecord(id, host, 1, 2, 3, 0);
    }
}
