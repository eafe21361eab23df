package dev.weir.cdc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Threads of the system that encode pages for readers who are far behind, as many as there are processors. Subscribers and requests that write are virtual threads, which share as
 * many carriers and are not taken off them while they compute: a few readers of old history would have all others wait (ADR 019).
 */
final class PageThreads {
    private final ExecutorService threads = Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().name("cdc-pages-", 0).daemon().factory());

    /** Makes a page there; the calling thread waits. What fails there fails here. */
    <P extends Page> P make(Supplier<P> page) {
        CompletableFuture<P> made;
        try {
            made = CompletableFuture.supplyAsync(page, threads);
        } catch (RejectedExecutionException e) { // the node stops, and this stream is one that did not end in time
            return page.get();
        }
        try {
            return made.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** What is under way is made. */
    void close() {
        threads.shutdown();
    }
}
