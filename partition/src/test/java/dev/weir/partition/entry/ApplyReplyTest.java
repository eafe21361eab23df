package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ApplyReplyTest {
    @Test
    void keepsEveryOutcome() {
        List<VoidedRow> voided = new ArrayList<>();
        for (VoidCause cause : VoidCause.values()) {
            for (ErrorCode code : ErrorCode.values()) {
                voided.add(new VoidedRow(voided.size() * 3, cause, code, "because"));
            }
        }
        ApplyReply reply = new ApplyReply(List.of(
                new AppendOutcome.Applied(Long.MAX_VALUE, Integer.MAX_VALUE, 0, List.of()),
                new AppendOutcome.Applied(1, 0, 7, voided),
                new AppendOutcome.Refused(new Refusal(ErrorCode.OVERLOADED, "wärten", 250)),
                new AppendOutcome.Unknown("")));
        assertThat(ApplyReply.decode(reply.encode())).isEqualTo(reply);
        assertThat(ApplyReply.decode(new ApplyReply(List.of()).encode()).outcomes())
                .isEmpty();
    }

    @Test
    void takesFewBytesForManyRowsOfOneReason() {
        List<VoidedRow> voided = new ArrayList<>();
        for (int row = 0; row < 1000; row++) {
            voided.add(new VoidedRow(row, VoidCause.WRONG_PARTITION, ErrorCode.NO_LEADER, "the slot has moved"));
        }
        ApplyReply reply = new ApplyReply(List.of(new AppendOutcome.Applied(0, 0, 0, voided)));
        assertThat(reply.encode().length).isLessThan(2100);
    }
}
