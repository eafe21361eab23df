package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.cluster.BootStatus;
import dev.weir.node.cluster.BootStatus.Phase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReadinessTest {
    private static final BootStatus OPEN = new BootStatus(Phase.OPEN, "node n1 is in cluster c");

    private final Readiness readiness = new Readiness();

    @Test
    void startsBeforeAnythingIsThere() {
        assertThat(readiness.causes()).containsExactly("starting");
    }

    @Test
    void namesNothingButWhatTheBootWaitsForUntilItIsOpen() {
        readiness.holds(() -> List.of("replicas are not open yet"));
        for (Phase phase : Phase.values()) {
            if (phase != Phase.OPEN) {
                readiness.boots(() -> new BootStatus(phase, "in " + phase));

                assertThat(readiness.causes()).containsExactly("in " + phase);
            }
        }
    }

    @Test
    void isReadyWhenNothingLacksAndItServes() {
        readiness.boots(() -> OPEN);
        assertThat(readiness.causes()).containsExactly("the edges are not mounted yet");

        readiness.serves();
        assertThat(readiness.causes()).isEmpty();

        readiness.stops();
        assertThat(readiness.causes()).containsExactly("the edges are not mounted yet");
    }

    @Test
    void saysWhatReplicasAndLeadershipLackAsItIsNow() {
        List<String> lacks = new ArrayList<>(List.of("partition 3: no leader is known"));
        readiness.boots(() -> OPEN);
        readiness.holds(() -> lacks);
        readiness.leads(() -> List.of("this node's clock is ahead"));

        assertThat(readiness.causes()).containsExactly("partition 3: no leader is known", "this node's clock is ahead");
        readiness.serves();
        lacks.clear();
        assertThat(readiness.causes()).containsExactly("this node's clock is ahead");
    }

    @Test
    void answersWhatNoRouteDoesByWhetherItServes() throws Exception {
        try (RawServer server = new RawServer(router -> router.route().handler(readiness::otherwise))) {
            assertThat(server.answer("GET /x", ""))
                    .startsWith("HTTP/1.1 503")
                    .contains("this node is starting: starting")
                    .contains("\"code\":\"starting\"");
            readiness.serves();
            assertThat(server.answer("GET /x", ""))
                    .startsWith("HTTP/1.1 404")
                    .contains("no such resource")
                    .contains("\"code\":\"not_found\"");
        }
    }
}
