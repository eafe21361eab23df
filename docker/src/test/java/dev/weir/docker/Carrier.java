package dev.weir.docker;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Operation;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the change stream comes, other than as Server-Sent Events: these are read by {@code WeirStream}. */
enum Carrier {
    ARROW_FIXED,
    ARROW_TYPED,
    SOCKET,
    FLIGHT;

    /** One connection. */
    interface Connection {
        /**
         * Blocks.
         *
         * @throws IOException it ended or broke: go on after the last place
         */
        Part next() throws IOException, InterruptedException;

        /** From any thread: ends it, {@link #next} too. */
        void abort();

        /** From the thread that reads, as its last call. */
        void free();
    }

    /**
     * What came in one piece.
     *
     * @param place behind all of it; null where it states none
     */
    record Part(
            List<ChangeEvent> changes,
            List<SeqRange> gaps,
            @Nullable String place) {}

    /** Seqs of a partition, both ends among them. */
    record SeqRange(int partition, long first, long last) {}

    /**
     * @param queueEvents at most once: events of a partition that may wait; 0 in other modes
     * @param place to go on after; null begins at the oldest event
     */
    Connection open(URI node, String mode, int queueEvents, @Nullable String place)
            throws IOException, InterruptedException {
        Map<String, String> parameters = new TreeMap<>();
        parameters.put("mode", mode);
        if (queueEvents > 0) {
            parameters.put("queue_events", Integer.toString(queueEvents));
        }
        parameters.put(place == null ? "from" : "last_event_id", place == null ? "earliest" : place);
        return switch (this) {
            case ARROW_FIXED -> ArrowConnection.open(address(node, parameters) + "&layout=fixed");
            case ARROW_TYPED -> ArrowConnection.open(address(node, parameters) + "&layout=typed&compression=zstd");
            case SOCKET -> SocketConnection.open(address(node, parameters));
            case FLIGHT -> FlightConnection.open(node.toString(), parameters);
        };
    }

    private static String address(URI node, Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining("&", node + "/api/v1/cdc/stream?", ""));
    }

    /** What of an event comes by this carrier. */
    ChangeEvent carried(ChangeEvent event) {
        return this != ARROW_FIXED
                ? event
                : new ChangeEvent(
                        event.partition(),
                        event.seq(),
                        event.type(),
                        Operation.NONE,
                        event.tenant(),
                        event.measurement(),
                        event.timestampNanos(),
                        event.tags(),
                        event.fields(),
                        0,
                        0,
                        event.seriesHash(),
                        "{}");
    }

    /** Nothing but a place. */
    static Part progress(@Nullable String place) {
        return new Part(Collections.emptyList(), Collections.emptyList(), place);
    }
}
