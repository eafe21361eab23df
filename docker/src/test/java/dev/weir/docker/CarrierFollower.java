package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.docker.Carrier.Part;
import dev.weir.docker.Carrier.SeqRange;
import dev.weir.partition.model.ChangeEvent;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the whole change stream by a carrier, on a thread of its own, and crashes again and again: it goes on at the next node. At least once that is from a place of some parts ago,
 * and it keeps every event once; at most once from the last one, after a while in which more was written than the node keeps for it, and what came and the gaps lie one
 * behind the other, seq by seq. Anything else fails it.
 */
final class CarrierFollower implements AutoCloseable {
    /** Of a partition may wait for the reader at most once. */
    static final int QUEUE_EVENTS = 5;

    private static final int CRASH_EVERY = 100;
    private static final int STORED_EVERY = 3;

    private final List<URI> nodes;
    private final Carrier carrier;
    private final String mode;
    private final boolean lossy;
    private final Absence absence;
    private final Deduplicator once = Deduplicator.unfiltered();
    private final List<ChangeEvent> events = Collections.synchronizedList(new ArrayList<>());
    private final Map<Integer, Long> next = new ConcurrentHashMap<>();
    private final Set<URI> readAt = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile boolean closed;
    private volatile Carrier.@Nullable Connection open;
    private volatile @Nullable Throwable failure;
    private volatile long connects;
    private volatile long duplicates;
    private volatile long missed;

    private CarrierFollower(List<URI> nodes, Carrier carrier, String mode, Absence absence) {
        this.nodes = nodes;
        this.carrier = carrier;
        this.mode = mode;
        this.lossy = mode.equals("at-most-once");
        this.absence = absence;
        this.thread = Thread.ofPlatform().name("follower-" + this).start(this::run);
    }

    /** @param mode at-least-once or exactly-once */
    static CarrierFollower keeping(List<URI> nodes, Carrier carrier, String mode) {
        return new CarrierFollower(nodes, carrier, mode, Absence.SHORT);
    }

    /** @param absence between two connections: long enough for more to be written than waits for it */
    static CarrierFollower lossy(List<URI> nodes, Carrier carrier, Absence absence) {
        return new CarrierFollower(nodes, carrier, "at-most-once", absence);
    }

    private void run() {
        String stored = null;
        try {
            for (int round = carrier.ordinal(); !closed; round++) {
                stored = follow(nodes.get(round % nodes.size()), stored);
                absence.pass(() -> closed);
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    /** @return where to go on */
    private @Nullable String follow(URI node, @Nullable String from) throws InterruptedException {
        Life life = new Life(from);
        Carrier.Connection connection = null;
        try {
            connection = carrier.open(node, mode, lossy ? QUEUE_EVENTS : 0, from);
            open = connection;
            connects++;
            while (!closed && !life.isOver()) {
                Part part = connection.next();
                take(part);
                life.took(part);
                if (!part.changes().isEmpty()) {
                    readAt.add(node);
                }
            }
        } catch (IOException e) {
            // The node is gone, or stops: the next one knows the way.
        } finally {
            if (connection != null) {
                connection.free();
            }
        }
        return life.stored;
    }

    /** What it has stored when it crashes: not the last that it took, unless that must not come again. */
    private final class Life {
        private @Nullable String stored;
        private boolean hasStored;
        private int parts;
        private int taken;
        private int unstored;

        Life(@Nullable String stored) {
            this.stored = stored;
        }

        void took(Part part) {
            parts++;
            taken += part.changes().size();
            unstored += part.changes().size();
            if (part.place() != null && (lossy || parts % STORED_EVERY == 0)) {
                stored = part.place();
                hasStored = true;
                unstored = 0;
            }
        }

        boolean isOver() {
            return taken >= CRASH_EVERY && hasStored && (lossy || unstored > 0);
        }
    }

    private void take(Part part) {
        part.gaps().forEach(gap -> {
            advance(gap);
            missed += gap.last() - gap.first() + 1;
        });
        for (ChangeEvent change : part.changes()) {
            if (lossy) {
                advance(new SeqRange(change.partition(), change.seq(), change.seq()));
            } else {
                keep(change);
            }
        }
    }

    private void keep(ChangeEvent change) {
        switch (once.accept(change.partition(), change.seq(), null)) {
            case FRESH -> events.add(change);
            case DUPLICATE -> duplicates++;
            case HOLE -> throw new AssertionError("hole in the stream: " + once.lastHole());
        }
    }

    private void advance(SeqRange range) {
        long expected = next.getOrDefault(range.partition(), 1L);
        if (!lossy || range.first() != expected) {
            throw new AssertionError("expected seq " + expected + ", found " + range);
        }
        next.put(range.partition(), range.last() + 1);
    }

    boolean isLossy() {
        return lossy;
    }

    /** Events that came or, at most once, were named as missing. */
    long accounted() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError(this + " failed: " + failed.getMessage(), failed);
        }
        return lossy ? next.values().stream().mapToLong(seq -> seq - 1).sum() : events.size();
    }

    /** What it is there for has happened: it went on at another node, behind a gap or with events that came again. */
    void checkItHappened() {
        assertThat(readAt).as("nodes that the follower %s read at", this).hasSizeGreaterThan(1);
        assertThat(accounted()).as("events and gaps of %s", this).isGreaterThan(missed);
        assertThat(lossy ? missed : duplicates)
                .as("events in gaps, or again, of %s", this)
                .isPositive();
    }

    /** A copy of what came. */
    List<ChangeEvent> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    Carrier carrier() {
        return carrier;
    }

    String report() {
        return this + ": " + accounted() + " events, " + connects + " connections, "
                + (lossy ? missed + " in gaps" : duplicates + " came twice");
    }

    @Override
    public void close() {
        closed = true;
        Carrier.Connection connection = open;
        if (connection != null) {
            connection.abort();
        }
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return carrier + " " + mode;
    }
}
