package dev.weir.partition.entry;

/** Bytes are not what the format says: damaged, cut off, hostile, or of a version that this build does not know. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FormatException(String message) {
        super(message);
    }
}
