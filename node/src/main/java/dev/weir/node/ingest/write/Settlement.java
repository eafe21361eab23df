package dev.weir.node.ingest.write;

import dev.weir.node.ingest.write.Sender.Answered;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.Refused;
import dev.weir.partition.write.AppendOutcome.Unknown;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Turns the partitions' outcomes into the fate of each row. Rows that must be routed anew are set aside. Used by one thread. */
final class Settlement {
    private final RowIndex index;
    private final RowReport report;
    private final TreeMap<Integer, Long> commit = new TreeMap<>();
    private IntList reroute = new IntList(16);
    private boolean dropsSeen;
    private int merged;

    Settlement(RowIndex index, RowReport report) {
        this.index = index;
        this.report = report;
    }

    void settle(List<Answered> answers) {
        answers.forEach(this::settle);
    }

    /** The rows to route anew, in the order of the body; each is handed out once. */
    IntList takeReroute() {
        IntList rows = reroute;
        rows.sort();
        reroute = new IntList(16);
        return rows;
    }

    boolean hasReroute() {
        return reroute.size() > 0;
    }

    /** Whether a partition said that a table is gone. */
    boolean dropsSeen() {
        return dropsSeen;
    }

    /** Refuses rows that were set aside. */
    void refuse(IntList rows, ErrorCode code, String message) {
        for (int i = 0; i < rows.size(); i++) {
            refuse(rows.get(i), code, message);
        }
    }

    int merged() {
        return merged;
    }

    Optional<Cursor> commit() {
        return commit.isEmpty() ? Optional.empty() : Optional.of(new Cursor(commit));
    }

    private void settle(Answered answer) {
        IntList rows = answer.request().rows();
        if (answer.sent()) {
            switch (answer.outcome()) {
                case Applied applied -> applied(answer, applied);
                case Refused refused ->
                    refuse(rows, refused.refusal().code(), refused.refusal().message());
                case Unknown unknown -> refuse(rows, ErrorCode.UNKNOWN_OUTCOME, unknown.message());
            }
        } else {
            keptBack(rows, answer.outcome(), answer.request().partition().id());
        }
    }

    private void keptBack(IntList rows, AppendOutcome before, int partition) {
        switch (before) {
            case Applied applied -> reroute.addAll(rows);
            case Refused refused ->
                refuse(rows, refused.refusal().code(), refused.refusal().message());
            case Unknown unknown ->
                refuse(
                        rows,
                        ErrorCode.NO_LEADER,
                        "not sent, since the outcome of earlier rows for partition " + partition + " is unknown");
        }
    }

    private void applied(Answered answer, Applied applied) {
        IntList rows = answer.request().rows();
        if (applied.nextSeq() > 0) {
            commit.merge(answer.request().partition().id(), applied.nextSeq(), Math::max);
        }
        merged += applied.updated();
        report.accept(rows.size() - applied.voided().size());
        for (VoidedRow voided : applied.voided()) {
            int ordinal = rows.get(voided.row());
            if (voided.cause() == VoidCause.LIMIT) {
                refuse(ordinal, voided.code(), voided.message());
            } else {
                dropsSeen |= voided.cause() == VoidCause.TABLE_DROPPED;
                reroute.add(ordinal);
            }
        }
    }

    private void refuse(int ordinal, ErrorCode code, String message) {
        report.refuse(ordinal, index.line(ordinal), code, message);
    }
}
