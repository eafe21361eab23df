package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogGroupId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class JoinMessagesTest {
    private static final JoinMessages.Answer ANSWER = new JoinMessages.Answer(
            "c1",
            Optional.of(new LogGroupId(new UUID(1, 2))),
            true,
            Optional.of("n1"),
            List.of(BootWorld.record("n1")),
            "");

    @Test
    void requestHasItsBytes() {
        JoinMessages.Request request = new JoinMessages.Request(true, "weir", BootWorld.record("n2"));

        assertThat(JoinMessages.encode(request))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("""
                {"v":1,"ask":"add","cluster_name":"weir",\
                "node":{"id":"n2","host":"host-n2","http":1,"raft":2,"hazelcast":3,"incarnation":0}}""");
        assertThat(JoinMessages.decodeRequest(JoinMessages.encode(request))).isEqualTo(request);
    }

    @Test
    void aNodeThatSpeaksTlsSaysSo() {
        NodeRecord node = new NodeRecord("n2", "h", 1, 2, 3, 0, true);
        JoinMessages.Request request = new JoinMessages.Request(false, "weir", node);

        assertThat(JoinMessages.encode(request))
                .asString(StandardCharsets.UTF_8)
                .contains("\"hazelcast\":3,\"incarnation\":0,\"tls\":true}");
        assertThat(JoinMessages.decodeRequest(JoinMessages.encode(request))).isEqualTo(request);
    }

    @Test
    void answerHasItsBytes() {
        assertThat(JoinMessages.encode(ANSWER)).asString(StandardCharsets.UTF_8).isEqualTo("""
                {"v":1,"cluster_id":"c1","group":"00000000-0000-0001-0000-000000000002","confirmed":true,"leader":"n1",\
                "nodes":[{"id":"n1","host":"host-n1","http":1,"raft":2,"hazelcast":3,"incarnation":0}],"refusal":""}""");
        assertThat(JoinMessages.decodeAnswer(JoinMessages.encode(ANSWER))).isEqualTo(ANSWER);
        JoinMessages.Answer refused = JoinMessages.Answer.refused("no");
        assertThat(JoinMessages.decodeAnswer(JoinMessages.encode(refused))).isEqualTo(refused);
    }

    @Test
    void damagedMessagesAreRefused() {
        byte[] golden = JoinMessages.encode(ANSWER);
        for (int at = 0; at < golden.length; at++) {
            byte[] damaged = golden.clone();
            damaged[at] ^= 0x11;
            try {
                JoinMessages.decodeAnswer(damaged);
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).isNotNull();
            }
        }
        assertThatThrownBy(() -> JoinMessages.decodeRequest("{\"v\":2}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("version 2");
    }
}
