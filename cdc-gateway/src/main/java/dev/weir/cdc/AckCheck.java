package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Whether a cursor can be acknowledged: only what was committed can have been delivered. Blocks on leaders: called on virtual threads. */
final class AckCheck {
    private final FeedDirectory directory;
    private final Lineage lineage;
    private final Duration timeout;

    AckCheck(FeedDirectory directory, Lineage lineage, Duration timeout) {
        this.directory = directory;
        this.lineage = lineage;
        this.timeout = timeout;
    }

    /**
     * What of the cursor moves the subscription on: partitions of its filter that are further than they were.
     *
     * @throws RequestRefused it names a partition that is not there, or events that were never committed
     */
    Cursor further(StreamFilter filter, Cursor before, Cursor acked) {
        SortedMap<Integer, Long> further = new TreeMap<>();
        acked.next().forEach((partition, next) -> {
            if (!directory.partitions().contains(partition)) {
                throw RequestRefused.of(
                        ErrorCode.BAD_CURSOR,
                        "the cursor names partition " + partition + ", which is not in the map; known are "
                                + directory.partitions());
            }
            if (next > before.next().getOrDefault(partition, 0L) && lineage.covers(filter, partition)) {
                checkCommitted(partition, next);
                further.put(partition, next);
            }
        });
        return new Cursor(further);
    }

    private void checkCommitted(int partition, long next) {
        if (next <= directory.feed(partition).map(PartitionFeed::nextSeq).orElse(0L)) {
            return;
        }
        long committed = committed(partition);
        if (next > committed) {
            throw RequestRefused.of(
                    ErrorCode.BAD_CURSOR,
                    "partition " + partition + ": the cursor says seq " + next + " is next, but the log's next is "
                            + committed + "; no such event was ever sent");
        }
    }

    private long committed(int partition) {
        try {
            return directory
                    .committedNextSeq(partition)
                    .toCompletableFuture()
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            String why = e.getCause() instanceof RefusedException refused
                    ? refused.refusal().message()
                    : "its leader did not answer: " + e.getCause();
            throw unreachable(partition, why);
        } catch (TimeoutException e) {
            throw unreachable(partition, "its leader did not answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(partition, "the node is stopping");
        }
    }

    private static RequestRefused unreachable(int partition, String why) {
        return RequestRefused.of(ErrorCode.NO_LEADER, "partition " + partition + ": " + why);
    }
}
