package dev.weir.ops.command;

import dev.weir.cdc.consumer.CursorVector;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.ops.client.CommandFailedException;
import java.util.HashMap;
import java.util.Map;

/**
 * The place where an export ends: per partition a seq. Knows when a stream has come there in all of them; partitions that the place does not name have
 * ended before it, or begun after it.
 */
final class StreamEnd {
    private final CursorVector place;
    private final Map<Integer, Long> ahead = new HashMap<>();

    /** @throws CommandFailedException the end lies before the start: the next export, from the end on, would tell changes again */
    StreamEnd(CursorVector place, CursorVector start) {
        this.place = place;
        place.next().forEach((partition, next) -> {
            long first = start.next().getOrDefault(partition, 0L);
            if (first > next) {
                throw CommandFailedException.refused("--until lies before --from in partition " + partition + ": "
                        + next + ", expected at least " + first);
            }
            if (first < next) {
                ahead.put(partition, next);
            }
        });
    }

    /** Whether a change lies before the end. */
    boolean isBefore(int partition, long seq) {
        return seq < place.next().getOrDefault(partition, Long.MAX_VALUE);
    }

    /** A stream has told all before that seq. */
    void at(int partition, long next) {
        Long end = ahead.get(partition);
        if (end != null && next >= end) {
            ahead.remove(partition);
        }
    }

    /** A checkpoint: where the stream is in all partitions. */
    void at(SseFrame checkpoint) {
        if (checkpoint.id() != null) {
            CursorVector.parse(checkpoint.id()).next().forEach(this::at);
        }
    }

    boolean reached() {
        return ahead.isEmpty();
    }
}
