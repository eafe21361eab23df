package dev.weir.ops.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Knows when each numbered point was due, when it was acknowledged, and when it first came to each subscriber. Points before the first
 * measured one only warm up.
 */
final class DeliveryTimes implements LoadRun.Observer, Subscriptions.Listener {
    private static final byte[] NUMBER = "\"n\":".getBytes(StandardCharsets.UTF_8);

    private final AtomicLongArray due;
    private final AtomicLongArray acknowledged;
    private final List<AtomicLongArray> arrived;
    private final int firstMeasured;

    DeliveryTimes(int points, int firstMeasured, int subscribers) {
        this.due = new AtomicLongArray(points);
        this.acknowledged = new AtomicLongArray(points);
        this.arrived = IntStream.range(0, subscribers)
                .mapToObj(i -> new AtomicLongArray(points))
                .toList();
        this.firstMeasured = firstMeasured;
    }

    @Override
    public void sending(int body, long dueNanos) {
        due.set(body, dueNanos);
    }

    @Override
    public void acknowledged(int body, long nanos) {
        acknowledged.set(body, nanos);
    }

    @Override
    public void event(int subscriber, byte[] line, int length) {
        long now = System.nanoTime();
        arrived(subscriber, StreamReader.number(line, length, NUMBER), now);
    }

    /** A batch whose rows lie in it as text. */
    void body(int subscriber, byte[] body) {
        long now = System.nanoTime();
        int at = StreamReader.behind(body, 0, body.length, NUMBER);
        while (at >= 0) {
            arrived(subscriber, StreamReader.numberAt(body, at, body.length), now);
            at = StreamReader.behind(body, at, body.length, NUMBER);
        }
    }

    private void arrived(int subscriber, long point, long now) {
        if (point >= 0 && point < due.length()) {
            arrived.get(subscriber).compareAndSet((int) point, 0, now);
        }
    }

    /** Points that a subscriber has not received, all subscribers together. */
    long missing() {
        return arrived.stream()
                .mapToLong(times -> IntStream.range(0, times.length())
                        .filter(i -> times.get(i) == 0)
                        .count())
                .sum();
    }

    Latencies sendToReceived() {
        return receivedAfter(due);
    }

    Latencies acknowledgedToReceived() {
        return receivedAfter(acknowledged);
    }

    Latencies sendToAcknowledged() {
        Latencies times = new Latencies();
        for (int i = firstMeasured; i < due.length(); i++) {
            times.record(acknowledged.get(i) - due.get(i));
        }
        return times;
    }

    private Latencies receivedAfter(AtomicLongArray start) {
        Latencies times = new Latencies();
        for (AtomicLongArray subscriber : arrived) {
            for (int i = firstMeasured; i < start.length(); i++) {
                if (subscriber.get(i) != 0) {
                    times.record(subscriber.get(i) - start.get(i));
                }
            }
        }
        return times;
    }
}
