package dev.weir.wal.segment;

import java.io.IOException;

/** A reader asked for an event that retention has removed. */
public final class SeqTrimmedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long oldestSeq;

    public SeqTrimmedException(long askedSeq, long oldestSeq) {
        super("seq " + askedSeq + " was trimmed; the oldest kept is " + oldestSeq);
        this.oldestSeq = oldestSeq;
    }

    public long oldestSeq() {
        return oldestSeq;
    }
}
