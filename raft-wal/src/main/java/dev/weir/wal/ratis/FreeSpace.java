package dev.weir.wal.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is free where the log lies, as it was half a second ago at most. Asking a hung disk may hang, so it is asked on a thread of its
 * own, and callers see the last answer.
 */
final class FreeSpace {
    private static final Logger LOG = LoggerFactory.getLogger(FreeSpace.class);

    private final Path directory;
    private final long reserveBytes;
    private volatile long freeBytes = Long.MAX_VALUE;
    private boolean failed;

    FreeSpace(Path directory, long reserveBytes) {
        this.directory = directory;
        this.reserveBytes = reserveBytes;
    }

    /** By one thread at a time. */
    void refresh() {
        try {
            freeBytes = Files.getFileStore(directory).getUsableSpace();
            failed = false;
        } catch (IOException e) {
            if (!failed) { // said once
                LOG.warn("cannot tell the free space of {}", directory, e);
            }
            failed = true;
        }
    }

    long bytes() {
        return freeBytes;
    }

    boolean belowReserve() {
        return freeBytes < reserveBytes;
    }

    /** What is kept beside the need would not bring it near the reserve soon. */
    boolean farAboveReserve() {
        return freeBytes / 4 >= reserveBytes;
    }

    static boolean isDiskFull(@Nullable Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            String message = t.getMessage();
            if (message != null && message.contains("No space left")) {
                return true;
            }
        }
        return false;
    }

    /** A new log file and a snapshot's manifest would fit. */
    boolean fitsLogFile() {
        return freeBytes >= Math.min(reserveBytes / 4, 4L * RatisSettings.SEGMENT_BYTES) + RatisSettings.SEGMENT_BYTES;
    }
}
