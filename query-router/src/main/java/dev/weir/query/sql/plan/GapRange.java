package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.Pruning;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.gate.TimeText;
import dev.weir.query.sql.image.TimeRange;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Which buckets a call of {@code time_bucket_gapfill(width, time [, zone] [, start, finish])} gives.
 *
 * @param times both ends included, exact
 * @param stepNanos a quarter of the width: no bucket of a zone or calendar is shorter
 */
record GapRange(TimeRange times, long stepNanos) {
    private static final long BUCKETS_MAX = 1_000_000;

    /** @throws SqlRefusedException the range is not known, or too long */
    static GapRange of(
            SelectTree tree,
            ObjectNode call,
            JsonNode where,
            Predicate<JsonNode> isTime,
            Constants constants,
            long nowNanos) {
        Reading reading = new Reading(tree, call, constants);
        TimeRange times = reading.times(where, isTime, nowNanos);
        long step = reading.step();
        double buckets = ((double) times.toNanos() - (double) times.fromNanos()) / step / 4;
        if (buckets > BUCKETS_MAX) {
            throw reading.refused(ErrorCode.LIMIT_QUERY, "the range has more than " + BUCKETS_MAX + " buckets");
        }
        return new GapRange(times, step);
    }

    static boolean hasZone(JsonNode call) {
        JsonNode third = Nodes.argument(call, 2);
        String text = Nodes.isClass(third, "CONSTANT") ? Nodes.text(third) : null;
        return text != null && TimeText.nanos(text).isEmpty();
    }

    private record Reading(SelectTree tree, ObjectNode call, Constants constants) {
        long step() {
            long width = constants
                    .width(Nodes.argument(call, 0))
                    .orElseThrow(() -> refused(ErrorCode.BAD_REQUEST, "expected a width, such as INTERVAL '1 hour'"));
            if (width <= 0) {
                throw refused(ErrorCode.BAD_REQUEST, "expected a positive width");
            }
            return Math.max(1, width / 4);
        }

        TimeRange times(JsonNode where, Predicate<JsonNode> isTime, long nowNanos) {
            int given = hasZone(call) ? 3 : 2;
            if (Nodes.arguments(call) == given + 2) {
                return new TimeRange(moment(Nodes.argument(call, given)), moment(Nodes.argument(call, given + 1)) - 1);
            }
            if (Nodes.arguments(call) != given) {
                throw refused(ErrorCode.BAD_REQUEST, "expected (width, time [, zone] [, start, finish])");
            }
            TimeRange implied = new Pruning(constants).times(where, isTime);
            if (implied.fromNanos() == Long.MIN_VALUE) {
                throw refused(
                        ErrorCode.BAD_REQUEST,
                        "expected a start: time >= … in WHERE, or start and finish as arguments");
            }
            return implied.toNanos() == Long.MAX_VALUE ? new TimeRange(implied.fromNanos(), nowNanos) : implied;
        }

        private long moment(JsonNode node) {
            String text = Nodes.text(node);
            OptionalLong nanos = text == null ? constants.apply(node) : TimeText.nanos(text);
            return nanos.orElseThrow(
                    () -> refused(ErrorCode.BAD_REQUEST, "start and finish: expected times that no column is part of"));
        }

        SqlRefusedException refused(ErrorCode code, String message) {
            return new SqlRefusedException(
                    code, "time_bucket_gapfill: " + message, tree.position(Nodes.location(call)));
        }
    }
}
