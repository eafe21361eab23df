package dev.weir.cdc;

/** The log no longer reaches back to where a reader stood: events are missing, and what is left begins at {@link #oldestCursor}. */
public final class ChangesLostException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String oldestCursor;

    ChangesLostException(LostException lost, String oldestCursor) {
        super("the reader fell behind the log: " + lost.getMessage());
        this.oldestCursor = oldestCursor;
    }

    /** The oldest place that there is. */
    public String oldestCursor() {
        return oldestCursor;
    }
}
