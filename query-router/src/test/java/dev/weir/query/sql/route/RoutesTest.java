package dev.weir.query.sql.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RoutesTest {
    private static final long STORED = 100L << 20;
    private static final RouteConfig AUTO = new RouteConfig(RouteConfig.Mode.AUTO, 1 << 20);
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    private int busyHere;
    private final Routes routes = new Routes("n1", AUTO, () -> busyHere);

    private void hear(String node, int busy, long heldOfT) {
        routes.hear(new NodeNotice(node, busy, 4, Map.of("t", heldOfT), Map.of("t", STORED / 3 + 1, "small", 100L)), 0);
    }

    private String answeredBy(String tenant) {
        return routes.target(tenant, 1).orElse("n1");
    }

    @Test
    void spreadsTenantsEvenlyAndMovesFewWhenANodeComes() {
        Map<String, Integer> firsts = new TreeMap<>();
        int moved = 0;
        for (int i = 0; i < 3000; i++) {
            String tenant = "tenant" + i;
            String before = Rendezvous.order(tenant, NODES).getFirst();
            firsts.merge(before, 1, Integer::sum);
            String after =
                    Rendezvous.order(tenant, List.of("n1", "n2", "n3", "n4")).getFirst();
            if (!after.equals(before)) {
                assertThat(after).isEqualTo("n4");
                moved++;
            }
        }
        assertThat(firsts.values()).allSatisfy(count -> assertThat(count).isBetween(850, 1150));
        assertThat(moved).isBetween(600, 900);
    }

    @Test
    void allNodesAgreeOnAColdTenant() {
        Set<String> answers = new HashSet<>();
        for (String self : NODES) {
            Routes there = new Routes(self, AUTO, () -> 0);
            NODES.forEach(node -> there.hear(new NodeNotice(node, 0, 4, Map.of(), Map.of("t", STORED)), 0));
            answers.add(there.target("t", 1).orElse(self));
        }
        assertThat(answers).containsExactly(Rendezvous.order("t", NODES).getFirst());
    }

    @Test
    void theWarmNodeGoesBeforeTheOrder() {
        String last = Rendezvous.order("t", NODES).getLast();
        NODES.forEach(node -> hear(node, 0, node.equals(last) ? STORED : STORED / 3));
        assertThat(answeredBy("t")).isEqualTo(last);
        NODES.forEach(node -> hear(node, 0, node.equals(last) ? STORED : STORED / 2));
        assertThat(answeredBy("t")).isEqualTo(Rendezvous.order("t", NODES).getFirst());
    }

    @Test
    void aBusyNodeIsPassedOverAndWhenAllAreTheShortestQueueWins() {
        List<String> order = Rendezvous.order("t", NODES);
        busyHere = order.getFirst().equals("n1") ? 4 : 0;
        hear(order.get(0), 4, 0);
        hear(order.get(1), 3, 0);
        hear(order.get(2), 0, 0);
        assertThat(answeredBy("t")).isEqualTo(order.get(1));
        busyHere = 7;
        hear("n2", 6, 0);
        hear("n3", 5, 0);
        assertThat(answeredBy("t")).isEqualTo("n3");
    }

    @Test
    void whatWasSentCountsBeforeTheNodeSaysSo() {
        busyHere = 4;
        NODES.forEach(node -> hear(node, 0, 0));
        String first = answeredBy("t");
        IntStream.range(0, 4).forEach(i -> routes.begin(first));
        assertThat(answeredBy("t")).isNotEqualTo(first);
        assertThat(routes.sent()).isEqualTo(4);
        IntStream.range(0, 4).forEach(i -> routes.end(first));
        assertThat(answeredBy("t")).isEqualTo(first);
    }

    @Test
    void aNodeThatIsNotHeardOrDidNotTakeAStatementGetsNone() {
        String warm = "n2";
        NODES.forEach(node -> hear(node, 0, node.equals(warm) ? STORED : 0));
        assertThat(routes.target("t", Routes.HEARD_NANOS_MAX)).contains(warm);
        assertThat(routes.target("t", Routes.HEARD_NANOS_MAX + 1)).isEmpty();
        routes.distrust(warm);
        assertThat(routes.target("t", 1).orElse("n1")).isNotEqualTo(warm);
    }

    @Test
    void littleIsAnsweredWhereItIsAskedAndSoIsAllWithRoutingOff() {
        NODES.forEach(node -> hear(node, 0, 0));
        assertThat(routes.target("small", 1)).isEmpty();
        assertThat(routes.target("unknown", 1)).isEmpty();
        Routes off = new Routes("n1", new RouteConfig(RouteConfig.Mode.LOCAL, 0), () -> 0);
        off.hear(new NodeNotice("n2", 0, 4, Map.of("t", STORED), Map.of("t", STORED)), 0);
        assertThat(off.target("t", 1)).isEmpty();
    }
}
