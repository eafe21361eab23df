package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TrimmingTest {
    private final AtomicLong oldest = new AtomicLong(1);
    private final CompletableFuture<Void> applied = new CompletableFuture<>();
    private final List<Long> entries = new CopyOnWriteArrayList<>();
    private final List<Long> lost = new CopyOnWriteArrayList<>();
    private final Trimming trims = new Trimming(oldest::get, seq -> {
        entries.add(seq);
        return applied.thenRun(() -> oldest.set(seq));
    });

    @Test
    void whatTwoWantToTrimIsLostOnce() throws Exception {
        List<FutureTask<Long>> tasks = List.of(new FutureTask<>(this::letGo), new FutureTask<>(this::letGo));
        List<Thread> threads = tasks.stream().map(Thread::startVirtualThread).toList();
        await().until(() -> threads.stream().allMatch(each -> each.getState() == Thread.State.WAITING));
        assertThat(trims.isUnderWay()).isTrue();
        applied.complete(null);
        for (FutureTask<Long> each : tasks) {
            assertThat(each.get()).isEqualTo(50);
        }
        assertThat(entries).containsExactly(50L);
        assertThat(lost).containsExactly(49L);
        assertThat(trims.isUnderWay()).isFalse();
    }

    @Test
    void whatTheLogDidNotTakeIsNotLost() throws Exception {
        applied.completeExceptionally(new CompletionException("no leader", null));
        assertThat(letGo()).isEqualTo(50);
        assertThat(lost).isEmpty();
        assertThat(oldest).hasValue(1);
    }

    private long letGo() throws java.io.IOException {
        return trims.letGo(() -> 50, (from, seq, failure) -> {
            if (failure == null) {
                lost.add(seq - from);
            }
        });
    }
}
