package dev.weir.cdc;

import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.model.ErrorCode;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the body of a PUT asks for: {@code {"filter":{"measurement":"cpu","tag.host":["a","b"]},"from":"earliest","budget":{"bytes":"1GiB","age":"7d"}}}, all
 * of it optional.
 *
 * @param filter as {@link dev.weir.partition.catalog.SubscriptionRecord#filter}
 */
record SubscriptionWish(SortedMap<String, List<String>> filter, String from, SubscriptionBudget budget) {
    private static final Set<String> MEMBERS = Set.of("filter", "from", "budget");
    private static final Set<String> FILTERS = Set.of("measurement", "event_type", "partition");
    private static final int VALUES_MAX = 1_000;
    /** Of names and values of a filter together, and of {@code from}: every node keeps them in memory, and in its image of the catalog. */
    static final int TEXT_BYTES_MAX = 8 << 10;

    static SubscriptionWish read(JsonObject body) {
        onlyKnown("", body, MEMBERS);
        String from = body.getString("from", "now");
        bounded("from", bytes(from));
        JsonObject budget = body.getJsonObject("budget", new JsonObject());
        onlyKnown("budget.", budget, Set.of("bytes", "age"));
        return new SubscriptionWish(
                filter(body.getJsonObject("filter", new JsonObject())),
                from.isEmpty() || from.equals("latest") ? "now" : from,
                new SubscriptionBudget(
                        BudgetText.bytes(budget.getValue("bytes")), BudgetText.age(budget.getValue("age"))));
    }

    /** The stream's parameters that say the same. */
    static MultiMap parameters(SortedMap<String, List<String>> filter) {
        MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
        filter.forEach(parameters::add);
        return parameters;
    }

    /** Whether a parameter of the stream is one of its filters. */
    static boolean isFilter(String parameter) {
        return FILTERS.contains(parameter) || parameter.startsWith("tag.");
    }

    private static SortedMap<String, List<String>> filter(JsonObject json) {
        SortedMap<String, List<String>> filter = new TreeMap<>();
        int values = 0;
        int bytes = 0;
        for (String name : json.fieldNames()) {
            if (!isFilter(name)) {
                throw bad("filter." + name + " is not known; known are measurement, event_type, tag.<key>, partition");
            }
            List<String> texts = texts(name, json.getValue(name));
            values += texts.size();
            bytes += bytes(name)
                    + texts.stream().mapToInt(SubscriptionWish::bytes).sum();
            filter.put(name, texts);
        }
        if (values > VALUES_MAX) {
            throw bad("filter: found " + values + " values, expected at most " + VALUES_MAX);
        }
        bounded("filter", bytes);
        return filter;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void bounded(String what, int bytes) {
        if (bytes > TEXT_BYTES_MAX) {
            throw RequestRefused.of(
                    ErrorCode.TOO_LARGE,
                    what + ": found " + bytes + " bytes of text, expected at most " + TEXT_BYTES_MAX);
        }
    }

    private static List<String> texts(String name, Object value) {
        List<String> texts = new ArrayList<>();
        for (Object each : value instanceof JsonArray array ? array : new JsonArray().add(value)) {
            if (!(each instanceof String) && !(each instanceof Integer)) {
                throw bad("filter." + name + ": expected a text, a number, or a list of them, found " + each);
            }
            texts.add(each.toString());
        }
        if (texts.isEmpty()) {
            throw bad("filter." + name + ": expected at least one value, found none");
        }
        return texts.stream().sorted().distinct().toList();
    }

    private static void onlyKnown(String where, JsonObject json, Set<String> known) {
        for (String name : json.fieldNames()) {
            if (!known.contains(name)) {
                throw bad(where + name + " is not known; known are "
                        + known.stream().sorted().toList());
            }
        }
    }

    private static RequestRefused bad(String message) {
        return RequestRefused.of(ErrorCode.BAD_REQUEST, message);
    }
}
