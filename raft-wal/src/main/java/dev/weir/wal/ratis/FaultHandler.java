package dev.weir.wal.ratis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when a replica could drift: a state failed to apply a committed entry or to take a snapshot.
 *
 * <p>Called from the log's threads. A handler that returns leaves the group closed for good; nothing more is applied.
 */
@FunctionalInterface
public interface FaultHandler {
    /** The exit status of a process that was halted by a fault. */
    int EXIT_STATUS = 70;

    void fault(String what, Throwable cause);

    /** Logs and halts, without shutdown hooks: a hook could write what the fault has spoiled. */
    static FaultHandler halting() {
        Logger log = LoggerFactory.getLogger(FaultHandler.class);
        return (what, cause) -> {
            log.error("fault, halting the process: {}", what, cause);
            Runtime.getRuntime().halt(EXIT_STATUS);
        };
    }
}
