package dev.weir.ops.client;

/** Ends a command with a message for a person and one of the exit codes that scripts rely on. */
public final class CommandFailedException extends RuntimeException {
    public static final int REFUSED = 1;
    public static final int UNREACHABLE = 3;
    public static final int TIMED_OUT = 4;

    private final int exitCode;

    private CommandFailedException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public static CommandFailedException refused(String message) {
        return new CommandFailedException(REFUSED, message);
    }

    public static CommandFailedException unreachable(String message) {
        return new CommandFailedException(UNREACHABLE, message);
    }

    public static CommandFailedException timedOut(String message) {
        return new CommandFailedException(TIMED_OUT, message);
    }

    public int exitCode() {
        return exitCode;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
