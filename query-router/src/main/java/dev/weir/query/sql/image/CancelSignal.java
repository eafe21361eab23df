package dev.weir.query.sql.image;

/** Tells that nobody waits for a statement any more: its client left, its time is over, or it was killed. */
public interface CancelSignal {
    boolean isCanceled();

    /** Calls back once, on any thread, at once where it was fired before. The callback must not block. */
    void onCancel(Runnable action);
}
