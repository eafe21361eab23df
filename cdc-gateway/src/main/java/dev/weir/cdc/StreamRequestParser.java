package dev.weir.cdc;

import dev.weir.partition.model.BadCursorException;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.HistoryCursor;
import io.vertx.core.MultiMap;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the parameters and headers of {@code GET /api/v1/cdc/stream}. What is unknown is refused with what is known. */
final class StreamRequestParser {
    private static final String TAG = "tag.";
    private static final Set<String> KNOWN = Set.of(
            "measurement",
            "event_type",
            "partition",
            "from",
            "last_event_id",
            "int64",
            "mode",
            "queue_events",
            "resolved",
            "on_gap");
    private static final Set<String> OF_ARROW = Set.of("layout", "compression", "max_rows", "max_wait_ms");
    private static final Set<String> LATER = Set.of("snapshot", "subscription", "group");
    private static final String KNOWN_WORDS =
            "measurement, event_type, tag.<key>, partition, from, last_event_id, int64, mode, queue_events, resolved, on_gap; for Arrow also layout, compression, max_rows, max_wait_ms";
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}.*");
    private static final Pattern INTERVAL = Pattern.compile("(\\d{1,5})(ms|s)");

    private StreamRequestParser() {}

    /** @throws RequestRefused what the caller did wrong */
    static StreamRequest parse(String tenant, StreamFormat format, MultiMap parameters, @Nullable String lastEventId) {
        SortedSet<String> measurements = new TreeSet<>();
        Set<EventType> types = EnumSet.noneOf(EventType.class);
        SortedMap<String, SortedSet<String>> tags = new TreeMap<>();
        SortedSet<Integer> partitions = new TreeSet<>();
        for (Map.Entry<String, String> parameter : parameters) {
            String name = parameter.getKey();
            String value = parameter.getValue();
            switch (name) {
                case "measurement" -> measurements.add(notEmpty(name, value));
                case "event_type" -> types.add(type(value));
                case "partition" -> partitions.add(partition(value));
                default -> other(tags, format, name, value);
            }
        }
        StreamFilter filter = new StreamFilter(tenant, measurements, types, tags, partitions);
        return new StreamRequest(
                new RunKey(filter, int64AsString(parameters)),
                onGap(parameters, start(tenant, parameters, lastEventId)),
                delivery(parameters),
                format == StreamFormat.ARROW ? Optional.of(arrow(parameters)) : Optional.empty());
    }

    /** The format that the parameters are for, where no {@code Accept} says so. */
    static StreamFormat formatOf(MultiMap parameters) {
        return OF_ARROW.stream().anyMatch(parameters::contains) ? StreamFormat.ARROW : StreamFormat.SSE;
    }

    private static void other(
            SortedMap<String, SortedSet<String>> tags, StreamFormat format, String name, String value) {
        if (name.startsWith(TAG) && name.length() > TAG.length()) {
            tags.computeIfAbsent(name.substring(TAG.length()), key -> new TreeSet<>())
                    .add(value);
            return;
        }
        if (OF_ARROW.contains(name)) {
            if (format != StreamFormat.ARROW) {
                throw bad("parameter " + name + " is for Arrow, expected with it Accept: "
                        + StreamFormat.ARROW.contentType());
            }
            return;
        }
        if (LATER.contains(name)) {
            throw bad("parameter " + name + " is not offered yet; known are " + KNOWN_WORDS);
        }
        if (!KNOWN.contains(name)) {
            throw bad("unknown parameter " + name + "; known are " + KNOWN_WORDS);
        }
    }

    private static ArrowOptions arrow(MultiMap parameters) {
        String layout = single(parameters, "layout");
        String compression = single(parameters, "compression");
        if (compression != null && !compression.equals("zstd") && !compression.equals("none")) {
            throw bad("compression: found " + compression + ", expected zstd or none");
        }
        int rows = number(parameters, "max_rows", ArrowOptions.ROWS_MAX, 1, ArrowOptions.ROWS_LIMIT);
        int wait = number(parameters, "max_wait_ms", 0, 0, (int) ArrowOptions.WAIT_LIMIT.toMillis());
        return new ArrowOptions(
                layout == null ? StreamLayout.FULL : layout(layout),
                "zstd".equals(compression),
                rows,
                Duration.ofMillis(wait),
                ArrowWire.IPC);
    }

    private static StreamLayout layout(String value) {
        return StreamLayout.of(value)
                .orElseThrow(() -> bad("layout: found " + value + ", expected one of "
                        + Arrays.stream(StreamLayout.values())
                                .map(StreamLayout::wireName)
                                .collect(Collectors.joining(", "))));
    }

    private static int number(MultiMap parameters, String name, int absent, int least, int most) {
        String value = single(parameters, name);
        if (value == null) {
            return absent;
        }
        String wanted = name + ": expected a whole number from " + least + " to " + most + ", found " + value;
        try {
            int number = Integer.parseInt(value);
            if (number < least || number > most) {
                throw bad(wanted);
            }
            return number;
        } catch (NumberFormatException e) {
            throw bad(wanted);
        }
    }

    private static EventType type(String value) {
        for (EventType type : EventType.values()) {
            if (type.wireName().equals(value)) {
                return type;
            }
        }
        throw bad("event_type: found " + value + ", expected one of "
                + Arrays.stream(EventType.values()).map(EventType::wireName).collect(Collectors.joining(", ")));
    }

    private static int partition(String value) {
        try {
            return Integer.parseUnsignedInt(value);
        } catch (NumberFormatException e) {
            throw bad("partition: expected a number, found " + value);
        }
    }

    private static Delivery delivery(MultiMap parameters) {
        String wanted = single(parameters, "mode");
        DeliveryMode mode = wanted == null
                ? DeliveryMode.AT_LEAST_ONCE
                : DeliveryMode.of(wanted)
                        .orElseThrow(
                                () -> bad("mode: found " + wanted + ", expected one of " + DeliveryMode.wireNames()));
        if (parameters.contains("queue_events") && mode != DeliveryMode.AT_MOST_ONCE) {
            throw bad("queue_events bounds what waits under mode=at-most-once, found mode=" + mode.wireName());
        }
        int queue = number(parameters, "queue_events", Delivery.QUEUE_EVENTS, 1, Delivery.QUEUE_EVENTS_LIMIT);
        String interval = single(parameters, "resolved");
        return new Delivery(mode, queue, interval == null ? Optional.empty() : Optional.of(resolvedEvery(interval)));
    }

    private static Duration resolvedEvery(String text) {
        Matcher matcher = INTERVAL.matcher(text);
        Duration interval = Duration.ZERO;
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            interval = matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        }
        if (interval.compareTo(Delivery.RESOLVED_LEAST) < 0 || interval.compareTo(Delivery.RESOLVED_MOST) > 0) {
            throw bad("resolved: expected an interval from 100ms to 60s, such as 1s, found " + text);
        }
        return interval;
    }

    private static boolean int64AsString(MultiMap parameters) {
        String value = single(parameters, "int64");
        if (value != null && !value.equals("string") && !value.equals("number")) {
            throw bad("int64: found " + value + ", expected string or number");
        }
        return "string".equals(value);
    }

    /** Only where a stream begins in the log the log may be too short. */
    private static Start onGap(MultiMap parameters, Start start) {
        String value = single(parameters, "on_gap");
        if (value != null && !value.equals("backfill") && !value.equals("refuse")) {
            throw bad("on_gap: found " + value + ", expected backfill or refuse");
        }
        boolean mayBeShort =
                start instanceof Start.At || start instanceof Start.Since || start instanceof Start.Earliest;
        return "backfill".equals(value) && mayBeShort ? new Start.Backfill(start) : start;
    }

    /** The header wins over {@code last_event_id}, that over {@code from}. */
    private static Start start(String tenant, MultiMap parameters, @Nullable String lastEventId) {
        if (lastEventId != null && !lastEventId.isBlank()) {
            return cursor(tenant, "Last-Event-ID", lastEventId);
        }
        String parameter = single(parameters, "last_event_id");
        if (parameter != null && !parameter.isBlank()) {
            return cursor(tenant, "last_event_id", parameter);
        }
        String from = single(parameters, "from");
        if (from == null || from.equals("now")) {
            return new Start.Now();
        }
        if (from.equals("earliest")) {
            return new Start.Earliest();
        }
        if (from.equals("snapshot")) {
            return new Start.Snapshot();
        }
        return TIME.matcher(from).matches() ? new Start.Since(nanos(from)) : cursor(tenant, "from", from);
    }

    private static Start cursor(String tenant, String where, String text) {
        try {
            return HistoryCursor.isOne(text)
                    ? new Start.Within(HistoryCursor.decode(text, tenant))
                    : new Start.At(Cursor.decode(text, tenant));
        } catch (BadCursorException | ArithmeticException e) {
            String expected =
                    where.equals("from") ? "; from takes now, earliest, snapshot, a cursor or an RFC 3339 time" : "";
            throw RequestRefused.of(ErrorCode.BAD_CURSOR, where + ": " + e.getMessage() + expected);
        }
    }

    /** A plus that was sent without escaping arrives as a space. */
    private static long nanos(String text) {
        try {
            return Clocks.nanos(OffsetDateTime.parse(text.replace(' ', '+')).toInstant());
        } catch (DateTimeException | ArithmeticException e) {
            throw bad("from: expected a time such as 2026-11-01T00:00:00Z, found " + text);
        }
    }

    private static @Nullable String single(MultiMap parameters, String name) {
        List<String> values = parameters.getAll(name);
        if (values.size() > 1) {
            throw bad(name + " was given " + values.size() + " times, expected once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    private static String notEmpty(String name, String value) {
        if (value.isEmpty()) {
            throw bad(name + " is empty");
        }
        return value;
    }

    private static RequestRefused bad(String message) {
        return RequestRefused.of(ErrorCode.BAD_REQUEST, message);
    }
}
