package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cdc.CdcConfig;
import dev.weir.node.config.NodeConfig;
import dev.weir.node.config.Settings;
import dev.weir.node.ingest.IngestLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the configuration allows its modules take: what only they refused would stop a node that has long begun to start. */
final class ModuleConfigsTest {
    @Test
    void streamsTakeTheLeastThatIsAllowed() {
        CdcConfig least = streams(Map.of(
                "cdc.subscribers", "1",
                "cdc.subscriber-bytes-max", "64KiB",
                "cdc.ring-bytes-max", "64KiB",
                "cdc.keepalive", "100ms",
                "cdc.arrow-batch-bytes", "1KiB",
                "cdc.arrow-pages-bytes-max", "1MiB",
                "cdc.catch-up-percent", "1"));

        assertThat(least.subscriberBytesMax()).isEqualTo(64 << 10);
        assertThat(least.ringBytesMax()).isEqualTo(64 << 10);
    }

    @Test
    void streamsTakeTheMostThatIsAllowed() {
        CdcConfig most = streams(Map.of(
                "cdc.subscribers", "2147483647",
                "cdc.subscriber-bytes-max", "1GiB",
                "cdc.ring-bytes-max", "1TiB",
                "cdc.arrow-batch-bytes", "16MiB",
                "cdc.arrow-pages-bytes-max", "128MiB"));

        assertThat(most.subscriberBytesMax()).isEqualTo(1 << 30);
        assertThat(most.ringsBytesMax()).isEqualTo(1L << 40);
        assertThat(most.arrowPagesBytesMax()).isEqualTo(128 << 20);
    }

    @Test
    void ingestTakesTheMostThatIsAllowed() {
        IngestLimits most = ModuleConfigs.ingest(NodeConfig.of(Settings.of(Map.of(
                "ingest.body-bytes-max", "1GiB",
                "ingest.inflated-bytes-max", "1GiB",
                "ingest.bytes-in-flight", "1TiB",
                "dead-letters.text-bytes-max", "1MiB"))));

        assertThat(most.bodyBytesMax()).isEqualTo(1 << 30);
        assertThat(most.inflatedBytesMax()).isEqualTo(1 << 30);
    }

    private static CdcConfig streams(Map<String, String> given) {
        return ModuleConfigs.cdc(NodeConfig.of(Settings.of(given)));
    }
}
