package dev.weir.query.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class InlinedTest {
    private static final Pattern NAMES = Pattern.compile("_v\\d+");

    @Test
    void putsViewsInThePlaceOfTheirNamesAndFindsPlacesAgain() {
        String named = "SELECT 'ü', a FROM _v0 AS x, _v1 AS y WHERE b = _v7";
        Inlined inlined = Inlined.of(named, NAMES, Map.of("_v0", "SELECT 'öö' AS a", "_v1", "S"));
        assertThat(inlined.text()).isEqualTo("SELECT 'ü', a FROM (SELECT 'öö' AS a) AS x, (S) AS y WHERE b = _v7");
        for (String word : new String[] {"SELECT", "a FROM", "AS x", "AS y", "b = _v7"}) {
            assertThat(inlined.namedLocation(bytesBefore(inlined.text(), word)))
                    .as(word)
                    .isEqualTo(bytesBefore(named, word));
        }
        assertThat(inlined.namedLocation(bytesBefore(inlined.text(), "öö"))).isNegative();
        assertThat(inlined.namedLocation(bytesBefore(inlined.text(), "S)"))).isNegative();
    }

    private static int bytesBefore(String text, String word) {
        return text.substring(0, text.indexOf(word)).getBytes(StandardCharsets.UTF_8).length;
    }
}
