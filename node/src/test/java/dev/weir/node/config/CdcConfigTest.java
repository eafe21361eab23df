package dev.weir.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class CdcConfigTest {
    @Test
    void refusesPagesOfBatchesThatTheirCacheCannotHold() {
        CdcConfig least = of(Map.of("cdc.arrow-batch-bytes", "2MiB", "cdc.arrow-pages-bytes-max", "16MiB"));
        assertThat(least.arrowPagesBytesMax()).isEqualTo(16 << 20);

        assertThatThrownBy(() -> of(Map.of("cdc.arrow-batch-bytes", "2MiB", "cdc.arrow-pages-bytes-max", "16777215")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("cdc.arrow-pages-bytes-max: expected at least 16777216, 8 times cdc.arrow-batch-bytes,"
                        + " found 16777215");
        assertThatThrownBy(() -> of(Map.of("cdc.arrow-batch-bytes", "16MiB")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("expected at least 134217728");
    }

    @Test
    void boundsWhatWaitsForASubscriber() {
        assertThat(of(Map.of("cdc.subscriber-bytes-max", "1GiB", "cdc.ring-bytes-max", "1GiB"))
                        .subscriberBytesMax())
                .isEqualTo(1 << 30);

        assertThatThrownBy(() -> of(Map.of("cdc.subscriber-bytes-max", "1073741825", "cdc.ring-bytes-max", "8GiB")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("cdc.subscriber-bytes-max, cdc.ring-bytes-max: expected 64KiB to 1GiB, and the ring at"
                        + " least as large, found 1073741825 and 8589934592");
        assertThatThrownBy(() -> of(Map.of("cdc.subscriber-bytes-max", "65535")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("found 65535");
        assertThatThrownBy(() -> of(Map.of("cdc.subscriber-bytes-max", "2MiB", "cdc.ring-bytes-max", "1MiB")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("found 2097152 and 1048576");
    }

    private static CdcConfig of(Map<String, String> given) {
        return CdcConfig.of(Settings.of(given));
    }
}
