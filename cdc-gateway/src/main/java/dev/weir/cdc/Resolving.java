package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks leaders to let resolved times move on, for all streams of a node that want to know them: at most one question a partition at a time, and no more than
 * they need. While no stream wants it nothing is asked. Threading: any.
 */
final class Resolving {
    private final FeedDirectory directory;
    private final Map<Integer, Long> askedAt = new ConcurrentHashMap<>();
    private final Set<Integer> open = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Floors> floors = new ConcurrentHashMap<>();

    Resolving(FeedDirectory directory) {
        this.directory = directory;
    }

    /** Called in every interval by every stream that wants to know. Half of it is the age, so that what a stream says is at most about one interval old. */
    void keepGoing(int partition, Duration interval) {
        Duration age = interval.dividedBy(2);
        long now = System.nanoTime();
        Long before = askedAt.get(partition);
        if ((before != null && now - before < age.toNanos()) || !open.add(partition)) {
            return;
        }
        askedAt.put(partition, now);
        // Without an answer the time stands still, and the next interval asks again.
        directory.resolve(partition, age).whenComplete((resolved, failure) -> open.remove(partition));
    }

    /** A time that no stream was told a later one than before the call, on any node. Those who ask at once share a question. */
    CompletionStage<Long> floor(int partition, Duration interval) {
        return floors.computeIfAbsent(partition, Floors::new).ask(interval);
    }

    FeedDirectory directory() {
        return directory;
    }

    /** Questions about one partition, of which one is on its way. Who comes meanwhile shares the next one: the answer to that on its way may be too early. */
    private final class Floors {
        private final int partition;
        /** Guarded by this, as {@link #next} and {@link #age} are: a few fields that belong together. */
        private boolean running;
        /** Null while nobody waits for it. */
        private @Nullable CompletableFuture<Long> next;
        /** What the most eager of those who wait need. */
        private Duration age = Duration.ZERO;

        Floors(int partition) {
            this.partition = partition;
        }

        CompletionStage<Long> ask(Duration interval) {
            CompletableFuture<Long> answer;
            synchronized (this) {
                if (next != null) {
                    age = age.compareTo(interval) < 0 ? age : interval;
                    return next;
                }
                answer = new CompletableFuture<>();
                if (running) {
                    next = answer;
                    age = interval;
                    return answer;
                }
                running = true;
            }
            send(answer, interval);
            return answer;
        }

        private void send(CompletableFuture<Long> answer, Duration within) {
            directory.resolve(partition, within).whenComplete((resolved, failure) -> {
                answered();
                if (failure == null) {
                    answer.complete(resolved);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        }

        private void answered() {
            CompletableFuture<Long> waiting;
            Duration within;
            synchronized (this) {
                waiting = next;
                within = age;
                next = null;
                running = waiting != null;
            }
            if (waiting != null) {
                send(waiting, within);
            }
        }
    }
}
