package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Runs what a {@link FileStore} does on the disk: counts it and turns what fails into a {@link StoreException}. */
final class FileCalls {
    private final String url;
    private final StoreMetrics metrics;
    private volatile boolean closed;

    FileCalls(String url, StoreMetrics metrics) {
        this.url = url;
        this.metrics = metrics;
    }

    interface Call<T> {
        T run() throws IOException, InterruptedException;
    }

    interface SetUp {
        void run() throws IOException;
    }

    <T> T run(String verb, String key, Call<T> call) throws StoreException, InterruptedException {
        if (closed) {
            throw new StoreException(Kind.INVALID, verb + " " + key + ": the store " + url + " is closed");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException(verb + " " + key);
        }
        metrics.request();
        try {
            T result = call.run();
            metrics.succeeded();
            return result;
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException(verb + " " + key);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw failed(verb + " " + key, e);
        }
    }

    void setUp(SetUp call) throws StoreException {
        try {
            call.run();
        } catch (IOException e) {
            throw failed("open", e);
        }
    }

    void close() {
        closed = true;
    }

    private StoreException failed(String what, IOException e) {
        Kind kind = kind(e);
        String text = what + " at " + url + ": " + reason(e);
        if (kind != Kind.NOT_FOUND) {
            metrics.failed(text, System.currentTimeMillis());
        }
        return new StoreException(kind, text, e);
    }

    private static Kind kind(IOException e) {
        if (e instanceof NoSuchFileException) {
            return Kind.NOT_FOUND;
        }
        if (e instanceof AccessDeniedException) {
            return Kind.DENIED;
        }
        if (e instanceof FileAlreadyExistsException) {
            return Kind.INVALID;
        }
        return isFull(String.valueOf(e.getMessage())) ? Kind.FULL : Kind.UNAVAILABLE;
    }

    private static boolean isFull(String message) {
        return message.contains("No space left")
                || message.contains("quota exceeded")
                || message.contains("not enough space");
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such object";
        }
        if (e instanceof AccessDeniedException) {
            return "access denied";
        }
        if (e instanceof FileAlreadyExistsException there) {
            return there.getFile() + " exists already";
        }
        String reason = e instanceof FileSystemException at ? at.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
