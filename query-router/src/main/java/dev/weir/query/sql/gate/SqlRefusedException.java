package dev.weir.query.sql.gate;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.util.OptionalInt;

/** A statement that is refused or that failed by its own fault, with the place where, if it is known. Has no stack trace: it is an answer. */
public final class SqlRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;
    private final int position;

    /** @param position character of the statement, from 1; below 1: unknown */
    public SqlRefusedException(ErrorCode code, String message, int position) {
        this(Refusal.of(code, message), position);
    }

    public SqlRefusedException(Refusal refusal, int position) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
        this.position = position;
    }

    public static SqlRefusedException nowhere(ErrorCode code, String message) {
        return new SqlRefusedException(code, message, 0);
    }

    public Refusal refusal() {
        return refusal;
    }

    public OptionalInt position() {
        return position < 1 ? OptionalInt.empty() : OptionalInt.of(position);
    }
}
