package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriterConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WriteQueueTest {
    private static final WriterConfig CONFIG =
            new WriterConfig(1000, 300, 2, 200, 0, 1, Duration.ofDays(1), Duration.ofHours(1), 100);

    private final WriteQueue queue = new WriteQueue(CONFIG);

    private record Sized(int bytes, CompletableFuture<WriteResult> result) implements PendingWrite {
        @Override
        public void addTo(EntryBuilder entry) {}
    }

    @Test
    void sendsTheFirstAtOnceAndGathersWhileItIsInFlight() {
        PendingWrite first = offer(50);
        assertThat(queue.shouldSend()).isTrue();
        assertThat(queue.next(0)).isSameAs(first);
        queue.take();
        queue.sent();
        offer(50);
        offer(50);
        assertThat(queue.shouldSend()).isFalse();
        queue.returned(List.of(first));
        assertThat(queue.shouldSend()).isTrue();
    }

    @Test
    void sendsASecondBesideTheFirstOnceItIsWorthIt() {
        offer(50);
        queue.take();
        queue.sent();
        offer(150);
        assertThat(queue.shouldSend()).isFalse();
        offer(50);
        assertThat(queue.shouldSend()).isTrue();
        queue.take();
        queue.take();
        queue.sent();
        offer(400);
        assertThat(queue.shouldSend()).as("entries in flight").isFalse();
    }

    @Test
    void fillsAnEntryUpToItsBytes() {
        offer(100);
        assertThat(queue.next(200)).isNotNull();
        assertThat(queue.next(201)).isNull();
        assertThat(queue.next(0)).isNotNull();
    }

    @Test
    void refusesMoreBytesThanItMayHoldButTakesOneOfAnySize() {
        PendingWrite large = offer(5000);
        assertThat(queue.offer(sized(1))).isFalse();
        queue.take();
        queue.sent();
        assertThat(queue.offer(sized(1))).as("in flight counts").isFalse();
        queue.returned(List.of(large));
        assertThat(queue.offer(sized(1))).isTrue();
        assertThat(queue.bytes()).isEqualTo(1);
    }

    @Test
    void givesBackAllThatWaits() {
        offer(10);
        offer(20);
        assertThat(queue.drain()).hasSize(2);
        assertThat(queue.bytes()).isZero();
        assertThat(queue.shouldSend()).isFalse();
    }

    private PendingWrite offer(int bytes) {
        PendingWrite write = sized(bytes);
        assertThat(queue.offer(write)).isTrue();
        return write;
    }

    private static PendingWrite sized(int bytes) {
        return new Sized(bytes, new CompletableFuture<>());
    }
}
