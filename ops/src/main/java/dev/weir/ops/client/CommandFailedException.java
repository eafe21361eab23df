package dev.weir.ops.client;

/** Ends a command with a message for a person and one of the exit codes that scripts rely on. */
public final class CommandFailedException extends RuntimeException {
    public static final int REFUSED = 1;
    public static final int UNREACHABLE = 3;
    public static final int TIMED_OUT = 4;

    private final int exitCode;
    private final boolean outcomeUnknown;

    private CommandFailedException(int exitCode, boolean outcomeUnknown, String message) {
        super(message);
        this.exitCode = exitCode;
        this.outcomeUnknown = outcomeUnknown;
    }

    public static CommandFailedException refused(String message) {
        return new CommandFailedException(REFUSED, false, message);
    }

    public static CommandFailedException unreachable(String message) {
        return new CommandFailedException(UNREACHABLE, false, message);
    }

    /** A connection that broke after a call was sent. */
    public static CommandFailedException brokenOff(String message) {
        return new CommandFailedException(UNREACHABLE, true, message);
    }

    public static CommandFailedException timedOut(String message) {
        return new CommandFailedException(TIMED_OUT, true, message);
    }

    public int exitCode() {
        return exitCode;
    }

    /** Whether what was asked for may have been done all the same. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
