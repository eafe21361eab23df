package dev.weir.partition.engine;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembered outcomes in a manifest.
 *
 * <pre>
 * i64 next seq, i32 inserted, i32 updated, i32 voided rows, then runs of these for the same cause:
 * i32 rows, text cause, text code, text message, i32 row each       (texts as {@link DataOutput#writeUTF})
 * </pre>
 */
final class OutcomeCodec {
    private OutcomeCodec() {}

    /** Only what was applied is ever remembered. */
    static void write(DataOutput out, AppendOutcome outcome) throws IOException {
        if (!(outcome instanceof Applied applied)) {
            throw new IllegalArgumentException("remembered outcome: expected Applied, found " + outcome);
        }
        out.writeLong(applied.nextSeq());
        out.writeInt(applied.inserted());
        out.writeInt(applied.updated());
        out.writeInt(applied.voided().size());
        List<VoidedRow> voided = applied.voided();
        for (int from = 0, to; from < voided.size(); from = to) {
            VoidedRow first = voided.get(from);
            to = from + 1;
            while (to < voided.size() && sameCause(first, voided.get(to))) {
                to++;
            }
            out.writeInt(to - from);
            out.writeUTF(first.cause().name());
            out.writeUTF(first.code().name());
            out.writeUTF(first.message());
            for (VoidedRow row : voided.subList(from, to)) {
                out.writeInt(row.row());
            }
        }
    }

    static Applied read(DataInput in) throws IOException {
        long nextSeq = in.readLong();
        int inserted = in.readInt();
        int updated = in.readInt();
        int count = in.readInt();
        List<VoidedRow> voided = new ArrayList<>();
        while (voided.size() < count) {
            int run = in.readInt();
            VoidCause cause = VoidCause.valueOf(in.readUTF());
            ErrorCode code = ErrorCode.valueOf(in.readUTF());
            String message = in.readUTF();
            for (int i = 0; i < run; i++) {
                voided.add(new VoidedRow(in.readInt(), cause, code, message));
            }
        }
        return new Applied(nextSeq, inserted, updated, List.copyOf(voided));
    }

    private static boolean sameCause(VoidedRow one, VoidedRow other) {
        return one.cause() == other.cause()
                && one.code() == other.code()
                && one.message().equals(other.message());
    }
}
