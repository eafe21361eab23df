package dev.weir.cdc;

import java.time.Duration;
import java.util.Optional;

/**
 * How events come to a reader.
 *
 * @param queueEvents {@code queue_events}, of {@link DeliveryMode#AT_MOST_ONCE} alone: events of a partition that may wait for the reader
 * @param resolvedEvery {@code resolved}: interval at which the stream says up to which commit time everything was delivered
 */
record Delivery(DeliveryMode mode, int queueEvents, Optional<Duration> resolvedEvery) {
    static final int QUEUE_EVENTS = 100_000;
    static final int QUEUE_EVENTS_LIMIT = 10_000_000;
    static final Duration RESOLVED_LEAST = Duration.ofMillis(100);
    static final Duration RESOLVED_MOST = Duration.ofSeconds(60);

    boolean drops() {
        return mode == DeliveryMode.AT_MOST_ONCE;
    }
}
