package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PageThreadsTest {
    private final PageThreads threads = new PageThreads();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void pagesAreMadeOnThreadsOfTheSystem() {
        AtomicReference<Thread> maker = new AtomicReference<>();

        Page made = CompletableFuture.supplyAsync(() -> threads.make(() -> page(maker)), Thread::startVirtualThread)
                .join();

        assertThat(made.nextSeq()).isEqualTo(7);
        assertThat(maker.get().isVirtual()).isFalse();
        assertThat(maker.get()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void whatFailsIsThrownWhereThePageWasWanted() {
        IllegalStateException failure = new IllegalStateException("a page");

        assertThatThrownBy(() -> threads.make(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void aStreamThatOutlivesThemMakesItsPagesItself() {
        AtomicReference<Thread> maker = new AtomicReference<>();
        threads.close();

        threads.make(() -> page(maker));

        assertThat(maker.get()).isSameAs(Thread.currentThread());
    }

    private static Page page(AtomicReference<Thread> maker) {
        maker.set(Thread.currentThread());
        return new EncodedPage(0, 1, 7, true, new byte[0], new int[0], new long[0]);
    }
}
