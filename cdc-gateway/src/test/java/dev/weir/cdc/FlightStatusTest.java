package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What a refusal is in a status: all that HTTP's answer has, as far as it fits in a header. */
final class FlightStatusTest {
    @RepeatedTest(20)
    void saysWhenToComeBackSpread() {
        Status status = FlightStatus.of(RequestRefused.of(new Refusal(ErrorCode.OVERLOADED, "full", 2_500)));
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).matches("overloaded: full; retry_after: [345]");
    }

    @Test
    void saysNothingOfThatWhereItCannotHelp() {
        Status status = FlightStatus.of(RequestRefused.of(ErrorCode.BAD_REQUEST, "what"));
        assertThat(status.getDescription()).isEqualTo("bad_request: what");
    }

    @Test
    void leavesOutWhatIsTooLongForAHeader() {
        RequestRefused refused = new RequestRefused(
                Refusal.of(ErrorCode.BAD_REQUEST, "m".repeat(601)),
                400,
                Map.of("long", "v".repeat(2_001), "hint", "v".repeat(2_000)));
        assertThat(FlightStatus.of(refused).getDescription())
                .isEqualTo("bad_request: " + "m".repeat(600) + "…; hint: " + "v".repeat(2_000)
                        + "; long: too long for this answer, HTTP has it");
    }
}
