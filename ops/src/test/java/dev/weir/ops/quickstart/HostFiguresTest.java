package dev.weir.ops.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class HostFiguresTest {
    @Test
    void measuresCpuMemoryDiskAndNetworkOfThisMachine() {
        List<HostRow> rows = new HostFigures().measure(17);

        assertThat(rows.stream().map(HostRow::measurement).distinct())
                .contains("host_cpu", "host_memory", "host_network")
                .containsAnyOf("host_disk", "host_filesystem");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.lineProtocol())
                        .matches("host_[a-z]+(,[a-z]+=[^ ]+){2} [a-z_]+=[0-9.]+i?(,[a-z_]+=\\d+i)? 17\n"));
        assertThat(rows.stream().map(HostRow::key)).doesNotHaveDuplicates();
    }

    @Test
    void namesAreEscaped() {
        Map<String, String> fields = new LinkedHashMap<>(Map.of("free", "1i"));
        HostRow row = new HostRow("m", new TreeMap<>(Map.of("mount", "/my disk,a=b")), fields, 5);

        assertThat(row.lineProtocol()).isEqualTo("m,mount=/my\\ disk\\,a\\=b free=1i 5\n");
    }
}
