package dev.weir.partition.entry;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.Refused;
import dev.weir.partition.write.AppendOutcome.Unknown;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What applying an entry answers: an outcome per append and delete section, in their order. Also carries outcomes between nodes.
 *
 * <pre>
 * u8 version (1), varint outcomes, each: u8 kind
 * 1 APPLIED  varint next seq, varint inserted, varint updated,
 *            varint reasons, each: u8 cause (1 wrong partition, 2 table dropped, 3 limit), text code, text message;
 *            if any: varint rows, each: varint gap to the row before, varint reason
 * 2 REFUSED  text code, text message, varint retry after (ms)
 * 3 UNKNOWN  text message
 * </pre>
 */
public record ApplyReply(List<AppendOutcome> outcomes) {
    private static final int VERSION = 1;
    private static final int APPLIED = 1;
    private static final int REFUSED = 2;
    private static final int UNKNOWN = 3;

    public ApplyReply {
        outcomes = List.copyOf(outcomes);
    }

    public byte[] encode() {
        ByteWriter out = new ByteWriter(16 + 16 * outcomes.size());
        out.u8(VERSION);
        out.varint(outcomes.size());
        for (AppendOutcome outcome : outcomes) {
            write(out, outcome);
        }
        return out.toArray();
    }

    /** @throws FormatException the bytes are no reply */
    public static ApplyReply decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes, 0, bytes.length);
        int version = in.u8("reply version");
        if (version != VERSION) {
            throw new FormatException("reply version " + version + ", expected " + VERSION);
        }
        int count = in.countOf(2, "outcomes");
        List<AppendOutcome> outcomes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            outcomes.add(read(in));
        }
        in.expectEnd("reply");
        return new ApplyReply(outcomes);
    }

    private static void write(ByteWriter out, AppendOutcome outcome) {
        switch (outcome) {
            case Applied applied -> {
                out.u8(APPLIED);
                out.varint(applied.nextSeq());
                out.varint(applied.inserted());
                out.varint(applied.updated());
                writeVoided(out, applied.voided());
            }
            case Refused refused -> {
                out.u8(REFUSED);
                out.text(refused.refusal().code().wireName());
                out.text(refused.refusal().message());
                out.varint(refused.refusal().retryAfterMs());
            }
            case Unknown unknown -> {
                out.u8(UNKNOWN);
                out.text(unknown.message());
            }
        }
    }

    private static AppendOutcome read(ByteReader in) {
        int kind = in.u8("outcome kind");
        return switch (kind) {
            case APPLIED ->
                new Applied(in.varint("next seq"), integer(in, "inserted"), integer(in, "updated"), readVoided(in));
            case REFUSED -> new Refused(new Refusal(code(in), in.text("message"), in.varint("retry after")));
            case UNKNOWN -> new Unknown(in.text("message"));
            default -> throw new FormatException("outcome kind " + kind + ", expected 1 to 3");
        };
    }

    private record Reason(VoidCause cause, ErrorCode code, String message) {}

    private static void writeVoided(ByteWriter out, List<VoidedRow> voided) {
        Map<Reason, Integer> reasons = new LinkedHashMap<>();
        int[] reasonOf = new int[voided.size()];
        for (int i = 0; i < reasonOf.length; i++) {
            VoidedRow row = voided.get(i);
            Reason reason = new Reason(row.cause(), row.code(), row.message());
            reasonOf[i] = reasons.computeIfAbsent(reason, r -> reasons.size());
        }
        out.varint(reasons.size());
        for (Reason reason : reasons.keySet()) {
            out.u8(causeCode(reason.cause));
            out.text(reason.code.wireName());
            out.text(reason.message);
        }
        if (reasons.isEmpty()) {
            return;
        }
        out.varint(voided.size());
        int next = 0;
        for (int i = 0; i < reasonOf.length; i++) {
            out.varint(voided.get(i).row() - next);
            out.varint(reasonOf[i]);
            next = voided.get(i).row() + 1;
        }
    }

    private static List<VoidedRow> readVoided(ByteReader in) {
        int count = in.countOf(3, "reasons");
        if (count == 0) {
            return List.of();
        }
        List<Reason> reasons = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            reasons.add(new Reason(cause(in.u8("cause")), code(in), in.text("message")));
        }
        int rows = in.countOf(2, "voided rows");
        List<VoidedRow> voided = new ArrayList<>(rows);
        int next = 0;
        for (int i = 0; i < rows; i++) {
            int row = next + in.count(0, Integer.MAX_VALUE - 1 - next, "voided row");
            Reason reason = reasons.get(in.count(0, count - 1, "reason"));
            voided.add(new VoidedRow(row, reason.cause, reason.code, reason.message));
            next = row + 1;
        }
        return voided;
    }

    private static int integer(ByteReader in, String what) {
        return in.count(0, Integer.MAX_VALUE, what);
    }

    private static int causeCode(VoidCause cause) {
        return switch (cause) {
            case WRONG_PARTITION -> 1;
            case TABLE_DROPPED -> 2;
            case LIMIT -> 3;
            case CHANGED -> 4;
        };
    }

    private static VoidCause cause(int code) {
        return switch (code) {
            case 1 -> VoidCause.WRONG_PARTITION;
            case 2 -> VoidCause.TABLE_DROPPED;
            case 3 -> VoidCause.LIMIT;
            case 4 -> VoidCause.CHANGED;
            default -> throw new FormatException("cause of a void row: " + code + ", expected 1 to 4");
        };
    }

    private static ErrorCode code(ByteReader in) {
        String name = in.text("error code");
        for (ErrorCode code : ErrorCode.values()) {
            if (code.wireName().equals(name)) {
                return code;
            }
        }
        throw new FormatException("error code " + name + " is not known");
    }
}
