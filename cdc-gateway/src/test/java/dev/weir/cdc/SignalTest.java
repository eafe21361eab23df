package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SignalTest {
    @Test
    void whoWasInterruptedWaitsAndIsToldAfterwards() throws Exception {
        Signal signal = new Signal();
        AtomicBoolean told = new AtomicBoolean();
        AtomicLong computedNanos = new AtomicLong();
        Thread waiter = Thread.ofPlatform().daemon().start(() -> {
            Thread.currentThread().interrupt();
            signal.await(System.nanoTime() + Duration.ofMillis(500).toNanos());
            told.set(Thread.interrupted());
            computedNanos.set(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
        });

        assertThat(waiter.join(Duration.ofSeconds(20))).isTrue();
        assertThat(told).isTrue();
        assertThat(computedNanos.get())
                .as("it slept")
                .isLessThan(Duration.ofMillis(250).toNanos());
    }
}
