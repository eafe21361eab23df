package dev.weir.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeConfigTest {
    @TempDir
    Path folder;

    @Test
    void defaultsAreValid() {
        NodeConfig config = NodeConfig.of(Settings.of(Map.of()));

        assertThat(config.http().port()).isEqualTo(7070);
        assertThat(config.raft().port()).isEqualTo(7071);
        assertThat(config.hazelcast().port()).isEqualTo(7072);
        assertThat(config.flight()).isEqualTo(new FlightConfig(true, 7073));
        assertThat(config.advertisedHost()).isEqualTo("127.0.0.1");
        assertThat(config.cluster().replicationFactor()).isEqualTo(3);
        assertThat(config.cluster().partitions()).isEqualTo(8);
        assertThat(config.auth().enabled()).isFalse();
    }

    @Test
    void refusesSettingsOfDeadLettersThatContradictEachOther() {
        assertThatThrownBy(() -> NodeConfig.of(Settings.of(
                        Map.of("dead-letters.text-bytes-max", "1MiB", "dead-letters.bytes-per-second", "64KiB"))))
                .isInstanceOf(ConfigException.class)
                .hasMessage("dead-letters.bytes-per-second: expected at least 262656, so that a letter with"
                        + " dead-letters.text-bytes-max 1048576 ever passes, found '65536'");
        assertThatThrownBy(() -> NodeConfig.of(Settings.of(Map.of("dead-letters.bytes-max", "16MiB"))))
                .isInstanceOf(ConfigException.class)
                .hasMessage("dead-letters.bytes-max: expected at least 20971520, what comes at"
                        + " dead-letters.bytes-per-second 1048576 before the next look after 20 s, found '16777216'");
        NodeConfig config = NodeConfig.of(Settings.of(Map.of(
                "dead-letters.bytes-max", "2MiB",
                "dead-letters.bytes-per-second", "64KiB")));
        assertThat(config.deadLetters().bytesMax()).isEqualTo(2 << 20);
    }

    @Test
    void refusesOpenAddressWithoutAuthenticationAndSaysHowToOpen() {
        assertThatThrownBy(() -> NodeConfig.of(Settings.of(Map.of("http.host", "0.0.0.0", "cluster.secret", "s"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("loopback")
                .hasMessageContaining("auth.admin-token-file");
    }

    @Test
    void openAddressNeedsAdminTokenAndSecret() throws IOException {
        Path admin = folder.resolve("admin");
        Files.writeString(admin, "0123456789abcdef0123\n");
        Map<String, String> open = Map.of("http.host", "0.0.0.0", "auth.admin-token-file", admin.toString());

        assertThatThrownBy(() -> NodeConfig.of(Settings.of(open))).hasMessageContaining("cluster.secret");

        Path secret = folder.resolve("secret");
        Files.writeString(secret, " very secret \n");
        NodeConfig config = NodeConfig.of(Settings.of(Map.of(
                "http.host",
                "0.0.0.0",
                "auth.admin-token-file",
                admin.toString(),
                "cluster.secret-file",
                secret.toString(),
                "advertised.host",
                "db-1")));
        assertThat(config.auth().enabled()).isTrue();
        assertThat(config.auth().adminToken()).contains("0123456789abcdef0123");
        assertThat(config.cluster().secret()).isEqualTo("very secret");
        assertThat(config.toString()).doesNotContain("very secret").doesNotContain("0123456789abcdef");
    }

    @Test
    void aClusterNeedsAStoreThatAllNodesReach() {
        assertThatThrownBy(() -> NodeConfig.of(
                        Settings.of(Map.of("node.id", "n1", "cluster.initial-members", "n1@a:1:2:3, n2@b:4:5:6"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("store.url: expected a place that all nodes of the cluster reach");
        assertThat(NodeConfig.of(Settings.of(Map.of("data.dir", "/var/lib/weir")))
                        .files()
                        .store()
                        .url())
                .hasToString("file:/var/lib/weir/store");
    }

    @Test
    void aStoreThatIsNoUrlIsRefusedByItsKey() {
        assertThatThrownBy(() -> NodeConfig.of(Settings.of(Map.of("store.url", "s3://a b"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("store.url: expected a URL");
    }

    @Test
    void readsMembersAndAddressesToJoin() {
        NodeConfig config = NodeConfig.of(Settings.of(Map.of(
                "node.id", "n2",
                "store.url", "s3://weir-files",
                "cluster.initial-members", "n1@127.0.0.1:1:2:3, n2@db-2:4:5:6",
                "cluster.join", "db-1:7070, n3@[::1]:1:2:3, https://[::1]:7, http://db-2:8")));

        assertThat(config.cluster().initialMembers())
                .containsExactly(
                        new MemberAddress("n1", "127.0.0.1", 1, 2, 3), new MemberAddress("n2", "db-2", 4, 5, 6));
        assertThat(config.cluster().join()).containsExactly("db-1:7070", "[::1]:1", "https://[::1]:7", "http://db-2:8");
    }

    @Test
    void tlsNeedsBothFiles() {
        assertRefused(
                Map.of("http.tls.cert", "a.crt"),
                "http.tls.cert, http.tls.key: expected both or neither, found only http.tls.cert = a.crt");
        assertRefused(Map.of("http.tls.key", "a.key"), "found only http.tls.key = a.key");

        TlsConfig tls = NodeConfig.of(Settings.of(Map.of("http.tls.cert", "a.crt", "http.tls.key", "a.key")))
                .http()
                .tls();
        assertThat(tls.pair()).contains(new TlsConfig.Pair(Path.of("a.crt"), Path.of("a.key")));
        assertThat(tls.authorities()).isEmpty();
        TlsConfig trusting = NodeConfig.of(Settings.of(Map.of("http.tls.ca", "ca.crt")))
                .http()
                .tls();
        assertThat(trusting.isOn()).isFalse();
        assertThat(trusting.authorities()).contains(Path.of("ca.crt"));
    }

    @Test
    void refusesWhatCannotBe() {
        assertRefused(Map.of("cluster.initial-members", "n1@h:1:2:3"), "node.id");
        assertRefused(Map.of("node.id", "n1", "cluster.initial-members", "n1@h:1:2"), "id@host:http:raft:hazelcast");
        assertRefused(Map.of("node.id", "n1", "cluster.initial-members", "n1@h:1:2:3,n1@h:4:5:6"), "each node once");
        assertRefused(Map.of("cluster.join", "host"), "host:http");
        assertRefused(Map.of("cluster.join", "ftp://host:1"), "https://host:http");
        assertRefused(Map.of("node.id", "a b"), "node.id");
        assertRefused(Map.of("cluster.rf", "0"), "cluster.rf");
        assertRefused(Map.of("cluster.partitions", "5000"), "1 to 4096");
        assertRefused(Map.of("raft.election-timeout-min", "2s"), "max greater");
        assertRefused(Map.of("hazelcast.discovery", "zookeeper"), "tcp, kubernetes");
        assertRefused(Map.of("auth.admin-token-file", "/does/not/exist"), "can't be read");
        assertRefused(Map.of("retention.bytes", "1MiB"), "segment.bytes");
        assertRefused(Map.of("retention.local-bytes", "63MiB"), "retention.local-bytes: expected 0 or at least");
        assertRefused(
                Map.of("store.url", "s3://b", "retention.local-bytes", "64MiB", "cache.bytes-max", "319MiB"),
                "cache.bytes-max: expected at least");
        assertRefused(Map.of("retention.local-bytes", "64MiB"), "retention.local-bytes: expected 0 without store.url");
        assertRefused(Map.of("idempotency.window", "25h"), "at most 24h");
        assertRefused(Map.of("cdc.stop-spread", "21s"), "at most 20s");
        assertRefused(
                Map.of("ingest.inflated-bytes-max", "1073741825", "ingest.bytes-in-flight", "4GiB"),
                "ingest.inflated-bytes-max: expected at most 1073741824, found 1073741825");
        assertRefused(Map.of("idempotency.entries", "65537"), "1 to 65536");
    }

    private static void assertRefused(Map<String, String> given, String words) {
        assertThatThrownBy(() -> NodeConfig.of(Settings.of(given)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(words);
    }
}
