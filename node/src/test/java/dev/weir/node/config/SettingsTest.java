package dev.weir.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsTest {
    @TempDir
    Path folder;

    @Test
    void laterSourcesWin() throws IOException {
        Path file = folder.resolve("weir.conf");
        Files.writeString(file, "# a comment\n\n http.port = 1\nraft.port=2\n  hazelcast.port = 3\n");

        Settings settings = Settings.load(
                file, Map.of("WEIR_RAFT_PORT", "20", "WEIR_HAZELCAST_PORT", "30"), List.of("hazelcast.port = 300"));

        assertThat(settings.port("http.port")).isEqualTo(1);
        assertThat(settings.port("raft.port")).isEqualTo(20);
        assertThat(settings.port("hazelcast.port")).isEqualTo(300);
        assertThat(settings.text("cluster.rf")).isEqualTo("3");
    }

    @Test
    void unknownKeyNamesItsPlaceAndTheNearestOne() throws IOException {
        Path file = folder.resolve("weir.conf");
        Files.writeString(file, "node.id = n1\nhtp.port = 1\n");

        assertThatThrownBy(() -> Settings.load(file, Map.of(), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("'htp.port'")
                .hasMessageContaining("'http.port'");
        assertThatThrownBy(() -> Settings.load(null, Map.of(), List.of("cluster.partition=4")))
                .hasMessageContaining("'cluster.partitions'");
        assertThatThrownBy(() -> Settings.load(null, Map.of("WEIR_HTTP_PROT", "4"), List.of()))
                .hasMessageContaining("WEIR_HTTP_PORT");
    }

    @Test
    void variablesOfOthersAreNoKeys() {
        Map<String, String> environment = Map.of(
                "WEIR_URL", "http://x",
                "WEIR_TOKEN", "t",
                "WEIR_CACERT", "ca.crt",
                "WEIR_SERVICE_HOST", "10.0.0.1",
                "WEIR_SERVICE_PORT_HTTP", "7070",
                "WEIR_PORT", "tcp://10.0.0.1:7070",
                "WEIR_PORT_7070_TCP_ADDR", "10.0.0.1",
                "PATH", "/bin");

        assertThat(Settings.load(null, environment, List.of()).text("http.port"))
                .isEqualTo("7070");
    }

    @Test
    void secretsAreNotShown() {
        Settings settings = Settings.of(Map.of("cluster.secret", "hush-hush", "node.id", "n1"));

        assertThat(settings.toString()).doesNotContain("hush-hush").contains("n1");
        assertThat(NodeConfig.of(settings).toString()).doesNotContain("hush-hush");
    }

    @Test
    void unitsAreRead() {
        Settings settings = Settings.of(Map.of(
                "retention.age", "15min",
                "idempotency.window", "500ms",
                "segment.bytes", "64MiB",
                "retention.bytes", "2 GiB",
                "writer.bytes-max", "4096"));

        assertThat(settings.duration("retention.age")).hasMinutes(15);
        assertThat(settings.duration("idempotency.window")).hasMillis(500);
        assertThat(settings.bytes("segment.bytes")).isEqualTo(64L << 20);
        assertThat(settings.bytes("retention.bytes")).isEqualTo(2L << 30);
        assertThat(settings.bytes("writer.bytes-max")).isEqualTo(4096);
    }

    @Test
    void wrongValuesNameKeyExpectedAndFound() {
        assertThatThrownBy(() -> Settings.of(Map.of("retention.age", "15")).duration("retention.age"))
                .hasMessageContaining("retention.age: expected a duration")
                .hasMessageContaining("'15'");
        assertThatThrownBy(() -> Settings.of(Map.of("segment.bytes", "64MB")).bytes("segment.bytes"))
                .hasMessageContaining("segment.bytes: expected a size");
        assertThatThrownBy(() ->
                        Settings.of(Map.of("segment.bytes", "99999999999TiB")).bytes("segment.bytes"))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> Settings.of(Map.of("http.port", "70700")).port("http.port"))
                .hasMessageContaining("1 to 65535");
    }
}
