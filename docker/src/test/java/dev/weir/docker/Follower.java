package dev.weir.docker;

import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.model.ChangeEvent;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Follows the whole change stream from its beginning on a thread of its own, deduplicates it, and keeps every event once, in the order in which it came. */
final class Follower implements AutoCloseable {
    /** How it follows: as fast as it can; slowly; or crashing now and then and going on at another node from the id it had stored. */
    enum Habit {
        QUICK,
        SLOW,
        CRASHING
    }

    private static final long SLOW_NANOS = 200_000;
    private static final int CRASH_EVERY = 400;

    private final List<URI> nodes;
    private final Habit habit;
    private final List<ChangeEvent> events = Collections.synchronizedList(new ArrayList<>());
    /** Of the follower's thread. */
    private final ResolvedCheck resolved = new ResolvedCheck();

    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private volatile long connects;
    private volatile long duplicates;
    private volatile long resolvedFrames;

    Follower(List<URI> nodes, Habit habit) {
        this.nodes = nodes;
        this.habit = habit;
        this.thread = Thread.ofPlatform().name("follower-" + habit).start(this::run);
    }

    private void run() {
        Deduplicator once = Deduplicator.unfiltered();
        String lastId = null;
        int crashes = 0;
        try {
            while (!closed) {
                List<URI> order = new ArrayList<>(nodes);
                Collections.rotate(order, crashes++);
                StreamOptions options = StreamOptions.of(order.toArray(URI[]::new))
                        .silenceMax(Duration.ofSeconds(20))
                        .from("earliest")
                        .with("resolved", "1s");
                try (WeirStream stream = WeirStream.open(lastId == null ? options : options.after(lastId))) {
                    lastId = follow(stream, once, lastId);
                    connects += stream.connects();
                }
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    /** @return the id to go on from, which is that of some events ago where it crashed before it had stored a newer one */
    private @Nullable String follow(WeirStream stream, Deduplicator once, @Nullable String storedId)
            throws IOException, InterruptedException {
        String stored = storedId;
        int taken = 0;
        while (!closed) {
            SseFrame frame = stream.next(Duration.ofMillis(200));
            if (frame != null && frame.event().equals("resolved")) {
                resolved.frame(frame.data());
                resolvedFrames = resolved.frames();
            }
            if (frame == null || !frame.isChange()) {
                continue;
            }
            switch (once.accept(frame.head())) {
                case FRESH -> take(StreamedEvents.parse("default", frame.data()));
                case DUPLICATE -> duplicates++;
                case HOLE -> throw new AssertionError("hole in the stream: " + once.lastHole());
            }
            taken++;
            if (taken % 7 == 0) {
                stored = stream.lastId();
            }
            if (habit == Habit.SLOW) {
                LockSupport.parkNanos(SLOW_NANOS);
            }
            if (habit == Habit.CRASHING && taken >= CRASH_EVERY) {
                return stored;
            }
        }
        return stored;
    }

    private void take(ChangeEvent event) {
        resolved.fresh(event);
        events.add(event);
    }

    /** A copy of what came so far. */
    List<ChangeEvent> events() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("follower " + habit + " failed: " + failed.getMessage(), failed);
        }
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    int count() {
        return events.size();
    }

    Habit habit() {
        return habit;
    }

    long connects() {
        return connects;
    }

    long duplicates() {
        return duplicates;
    }

    /** Frames that stated up to which time everything had come; each true, and none before another. */
    long resolvedFrames() {
        return resolvedFrames;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
