package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which stream a ticket opens. */
class BoundParametersTest {
    private static MultiMap address(String... pairs) {
        MultiMap address = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < pairs.length; i += 2) {
            address.add(pairs[i], pairs[i + 1]);
        }
        return address;
    }

    @Test
    void areThoseOfTheTicketAndThePlaceOfTheAddress() {
        MultiMap parameters = BoundParameters.of(
                "measurement=disk%20io&measurement=cpu&tag.zone=a%2Bb+c&from=earliest",
                address("ticket", "T", "last_event_id", "ARp;1:2"));

        assertThat(parameters.getAll("measurement")).isEqualTo(List.of("disk io", "cpu"));
        assertThat(parameters.get("tag.zone")).isEqualTo("a+b c");
        assertThat(parameters.get("last_event_id")).isEqualTo("ARp;1:2");
        assertThat(parameters.contains("ticket")).isFalse();
    }

    @Test
    void takeNothingElseFromTheAddress() {
        for (Map.Entry<String, String> more : Map.of(
                        "measurement", "cpu", "from", "earliest", "tag.host", "a", "int64", "string")
                .entrySet()) {
            assertThatThrownBy(() -> BoundParameters.of("", address("ticket", "T", more.getKey(), more.getValue())))
                    .isInstanceOf(RequestRefused.class)
                    .hasMessageContaining("parameter " + more.getKey())
                    .hasMessageContaining("make a ticket with this parameter");
        }
    }

    @Test
    void ofATicketAreNotThoseOfItsAddress() {
        for (String query : List.of("last_event_id=1:2", "ticket=T")) {
            assertThatThrownBy(() -> BoundParameters.forTicket(query)).isInstanceOf(RequestRefused.class);
        }
        assertThat(BoundParameters.forTicket("").isEmpty()).isTrue();
    }
}
