package dev.weir.cdc.consumer;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What came from a stream, by what it means to a consumer. A {@code switch} over it says what becomes of each, so that a gap, a loss or a hole can't be overlooked.
 */
public sealed interface Outcome {
    /** Where a change was read. */
    enum Source {
        /** The log: seqs rise within a partition. */
        LOG,
        /** A row of a table as it stood at the cut of a snapshot; told by its place, not by its seq. */
        SNAPSHOT,
        /** A row that survived of a stretch which the log no longer has; told by its place, too. */
        BACKFILL
    }

    /** The cursor behind this; to be stored with the results of everything up to it. Null where it states none. */
    default @Nullable String place() {
        return null;
    }

    /** The how-manieth connection of its stream it came by; 0 where it is no part of one. */
    default long connection() {
        return 0;
    }

    /** A change event. */
    record Change(SseFrame frame, ChangeHead head, long connection) implements Outcome {
        /** Such as {@code point_written}. */
        public String type() {
            return frame.event();
        }

        /** One line of JSON, as CDC.md has it. */
        public String data() {
            return frame.data();
        }

        public Source source() {
            return head.source();
        }

        @Override
        public @Nullable String place() {
            return frame.id();
        }
    }

    /** Nothing passed the filter up to this place. */
    record Progress(String place, long connection) implements Outcome {}

    /**
     * Everything committed up to these times has come, or was reported as a gap.
     *
     * @param all of the whole stream; empty where it is not known
     */
    record Resolved(String place, String all, String data, long connection) implements Outcome {}

    /**
     * Events that were left out and are named, both ends among them: by a slow reader at most once ({@code slow}, {@code retention}), or since of a backfill no row
     * survived ({@code compacted}).
     */
    record Gap(
            int partition,
            long firstSeq,
            long lastSeq,
            String reason,
            @Nullable String place,
            long connection) implements Outcome {}

    /**
     * The tables are complete; what follows is the log.
     *
     * @param next by partition the seq that comes first
     */
    record SnapshotEnd(String place, SortedMap<Integer, Long> next, long connection) implements Outcome {
        public SnapshotEnd {
            next = Collections.unmodifiableSortedMap(new TreeMap<>(next));
        }
    }

    /**
     * A stream of a named subscription begins at what the cluster has as acknowledged. What was handed out before and not acknowledged will come again, here or to another
     * member: drop what was made of it, or make it in such a way that it may be made twice.
     *
     * @param generation of the subscription, or of the member
     * @param partitions that come by this stream
     */
    record Begun(long generation, SortedSet<Integer> partitions) implements Outcome {
        public Begun {
            partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
        }
    }

    /** An event came whose predecessor did not: nothing that Weir promises lets that happen. */
    record Hole(Deduplicator.Hole hole) implements Outcome {}

    /**
     * The log no longer reaches back to where the stream stood: events are missing. Nothing goes on by itself: begin at {@code oldestCursor}, at {@code from=snapshot},
     * or with {@code on_gap=backfill}; a subscription is moved by a seek.
     *
     * @param code such as {@code cursor_too_old}
     * @param oldestCursor empty where none is named
     */
    record Lost(String code, String error, String oldestCursor) implements Outcome {}

    /** Beginning failed after the answer had begun, as a snapshot may; the stream asks again by itself. */
    record Refused(String code, String error) implements Outcome {}

    /** A frame that this client does not know, of a later server. */
    record Unknown(SseFrame frame) implements Outcome {}

    /** @throws IllegalArgumentException the frame is not what its type has */
    static Outcome of(SseFrame frame, long connection) {
        return switch (frame.event()) {
            case "checkpoint" -> new Progress(placeOf(frame), connection);
            case "resolved" ->
                new Resolved(
                        placeOf(frame),
                        ControlJson.text(ControlJson.object(frame.data()), "resolved_at"),
                        frame.data(),
                        connection);
            case "gap" -> gap(frame, connection);
            case "snapshot_end" ->
                new SnapshotEnd(
                        placeOf(frame), ControlJson.places(ControlJson.object(frame.data()), "next"), connection);
            case "lost" -> lost(frame.data());
            case "refused" -> refused(frame.data());
            default -> frame.isChange() ? new Change(frame, frame.head(), connection) : new Unknown(frame);
        };
    }

    /** @param json of a frame {@code lost}, or the body of a 410 */
    static Lost lost(String json) {
        Map<String, Object> members = ControlJson.object(json);
        return new Lost(
                ControlJson.text(members, "code"),
                ControlJson.text(members, "error"),
                ControlJson.text(members, "oldest_cursor"));
    }

    private static Outcome refused(String json) {
        Map<String, Object> members = ControlJson.object(json);
        String code = ControlJson.text(members, "code");
        return code.equals("cursor_too_old") ? lost(json) : new Refused(code, ControlJson.text(members, "error"));
    }

    private static Gap gap(SseFrame frame, long connection) {
        Map<String, Object> members = ControlJson.object(frame.data());
        return new Gap(
                Math.toIntExact(ControlJson.number(members, "partition")),
                ControlJson.number(members, "first_seq"),
                ControlJson.number(members, "last_seq"),
                ControlJson.text(members, "reason"),
                frame.id(),
                connection);
    }

    private static String placeOf(SseFrame frame) {
        if (frame.id() == null) {
            throw new IllegalArgumentException(frame.event() + ": expected an id, found none");
        }
        return frame.id();
    }
}
