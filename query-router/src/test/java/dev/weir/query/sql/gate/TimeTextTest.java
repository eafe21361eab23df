package dev.weir.query.sql.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TimeTextTest {
    private static final long NEW_YEAR = 1_704_067_200_000_000_000L;

    @Test
    void readsTimesToTheNanosecondWithTheirOffset() {
        assertThat(TimeText.nanos("2024-01-01")).hasValue(NEW_YEAR);
        assertThat(TimeText.nanos(" 2024-01-01 00:00 ")).hasValue(NEW_YEAR);
        assertThat(TimeText.nanos("2024-01-01T00:00:00Z")).hasValue(NEW_YEAR);
        assertThat(TimeText.nanos("2024-01-01t00:00:00.000000001z")).hasValue(NEW_YEAR + 1);
        assertThat(TimeText.nanos("2024-01-01 01:30:00+01:30")).hasValue(NEW_YEAR);
        assertThat(TimeText.nanos("2023-12-31T19:00:00.5-05")).hasValue(NEW_YEAR + 500_000_000);
        assertThat(TimeText.nanos("1969-12-31T23:59:59.999999999Z")).hasValue(-1);
        assertThat(TimeText.nanos("2262-04-11T23:47:16.854775807Z")).hasValue(Long.MAX_VALUE);
    }

    @Test
    void leavesWhatIsNoTime() {
        for (String text : List.of(
                "",
                "now",
                "2024",
                "2024-13-01",
                "2024-02-30",
                "24:00",
                "2024-01-01T25:00:00",
                "2262-04-11T23:47:16.854775808Z",
                "2024-01-01T00:00:00 Europe/Berlin",
                "2024-01-01T00:00:00.1234567890",
                "2024-01-01T00:00:00+99:00",
                "1600-01-01")) {
            assertThat(TimeText.nanos(text)).as(text).isEqualTo(OptionalLong.empty());
        }
    }
}
