package dev.weir.docker;

import dev.weir.cdc.consumer.Outcome;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirSubscription;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A member of the group that follows the whole change stream: takes some events, acknowledges all but the newest, and crashes; then comes back under its name, soon or when its partitions
 * have gone to others. What it sees goes to {@link GroupLedger}.
 */
final class GroupMember implements AutoCloseable {
    private static final int ACKNOWLEDGED_EVERY = 10;
    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(3);

    private final List<URI> nodes;
    private final String name;
    private final GroupLedger ledger;
    private final Random random;
    private final Thread thread;
    private volatile boolean calm;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private volatile long lives;
    private volatile long begun;
    private volatile long duplicates;

    GroupMember(List<URI> nodes, String name, GroupLedger ledger, long seed) {
        this.nodes = nodes;
        this.name = name;
        this.ledger = ledger;
        this.random = new Random(seed);
        this.thread = Thread.ofPlatform().name("member-" + name).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                live();
                long awayMs = random.nextInt(4) == 0 ? 4_000 : random.nextInt(300);
                LockSupport.parkNanos(
                        Duration.ofMillis(calm || closed ? 0 : awayMs).toNanos());
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    /** Until it crashes: what was acknowledged last may not be committed. */
    private void live() throws IOException, InterruptedException {
        List<URI> order = new ArrayList<>(nodes);
        Collections.shuffle(order, random);
        StreamOptions options = StreamOptions.of(order.toArray(URI[]::new)).silenceMax(Duration.ofSeconds(20));
        int left = 20 + random.nextInt(200);
        lives++;
        try (WeirSubscription work = WeirSubscription.member(options, GroupLedger.SUBSCRIPTION, name)) {
            GroupLedger.Stream stream = ledger.stream();
            Outcome newest = null;
            while (!closed && (calm || left > 0)) {
                // Taken before a stream can begin: whatever is committed by then does not come by it.
                GroupLedger.Stream following = ledger.stream();
                Outcome outcome = work.receive(Duration.ofMillis(200));
                switch (outcome) {
                    case null -> commit(work, stream, newest);
                    case Outcome.Begun beginning -> {
                        begun++;
                        newest = null;
                        stream.ended();
                        stream = following;
                    }
                    case Outcome.Change change -> {
                        stream.handedOut(change.head());
                        newest = change;
                        left--;
                        if (isTurn(left, ACKNOWLEDGED_EVERY) && work.acknowledge(change)) {
                            stream.acknowledged();
                        }
                        if (isTurn(left, 5 * ACKNOWLEDGED_EVERY)) {
                            commit(work, stream, newest);
                        }
                    }
                    case Outcome.Progress progress -> newest = progress;
                    case Outcome.Refused busy -> {}
                    case Outcome other -> throw new AssertionError("expected changes, found " + other);
                }
            }
            stream.ended();
            duplicates += work.duplicates();
        } catch (StreamRefusedException e) {
            throw new AssertionError(name + " was refused: " + e.getMessage(), e);
        }
    }

    /** Never with the last one before the crash. */
    private static boolean isTurn(int left, int every) {
        return Math.floorMod(left, every) == 1;
    }

    /** What is committed may never be handed out again. */
    private static void commit(WeirSubscription work, GroupLedger.Stream stream, @Nullable Outcome newest)
            throws InterruptedException {
        if (newest == null) {
            return;
        }
        Map<Integer, Long> before = stream.next();
        if (work.acknowledge(newest)) {
            stream.acknowledged();
            if (work.awaitCommitted(COMMITTED_WITHIN)) {
                stream.committed(before);
            }
        }
    }

    /** Crashes no more, so that the group comes to the end. */
    void calm() {
        calm = true;
    }

    void check() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("member " + name + " failed: " + failed.getMessage(), failed);
        }
    }

    String report() {
        return "member " + name + ": " + lives + " lives, " + begun + " streams, " + duplicates
                + " came again after they were acknowledged";
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
