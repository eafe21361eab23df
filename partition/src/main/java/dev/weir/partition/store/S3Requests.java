package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Sends requests, each on a virtual thread of its own: there an interrupt closes the socket, so that both the caller's interrupt and the
 * time-out of a request end it at once, whatever thread called.
 */
final class S3Requests {
    private final S3Client client;
    private final Retries retries;
    private final S3Failures failures;
    private final String url;
    private volatile boolean closed;

    S3Requests(S3Client client, Retries retries, S3Failures failures, String url) {
        this.client = client;
        this.retries = retries;
        this.failures = failures;
        this.url = url;
    }

    /** @throws StoreException after the last try */
    <T> T run(String what, Function<S3Client, T> request) throws StoreException, InterruptedException {
        return retries.run(what, () -> once(what, request));
    }

    /** One try. */
    <T> T once(String what, Function<S3Client, T> request) throws RequestFailure, StoreException, InterruptedException {
        if (closed) {
            throw new StoreException(Kind.INVALID, what + ": the store " + url + " is closed");
        }
        FutureTask<T> task = new FutureTask<>(() -> request.apply(client));
        Thread.ofVirtual().name("weir-s3").start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            task.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw failures.of(cause == null ? e : cause);
        }
    }

    void close() {
        closed = true;
        client.close();
    }
}
