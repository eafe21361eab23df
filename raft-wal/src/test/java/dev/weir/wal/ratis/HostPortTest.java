package dev.weir.wal.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @Test
    void readsNamesAndAddresses() {
        assertThat(HostPort.parse("db-1.example:7071")).isEqualTo(new HostPort("db-1.example", 7071));
        assertThat(HostPort.parse("10.0.0.1:1")).isEqualTo(new HostPort("10.0.0.1", 1));
        assertThat(HostPort.parse("[fd00::1]:7071")).isEqualTo(new HostPort("fd00::1", 7071));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":7071", "host:", "host:port"})
    void refusesWhatHasNoHostOrPort(String address) {
        assertThatThrownBy(() -> HostPort.parse(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + address + "'");
    }
}
