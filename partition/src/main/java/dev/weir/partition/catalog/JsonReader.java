package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads one JSON object of the catalog's formats; says what was expected and what was found. */
record JsonReader(String what, JsonNode json) {
    JsonReader {
        if (!json.isObject()) {
            throw new IllegalArgumentException(what + ": expected an object, found " + json.getNodeType());
        }
    }

    boolean has(String name) {
        return json.has(name);
    }

    String text(String name) {
        JsonNode value = json.path(name);
        if (!value.isTextual()) {
            throw unexpected(name, "text", value);
        }
        return value.textValue();
    }

    long integer(String name) {
        JsonNode value = json.path(name);
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw unexpected(name, "an integer", value);
        }
        return value.longValue();
    }

    int int32(String name) {
        long value = integer(name);
        if (value != (int) value) {
            throw new IllegalArgumentException(what + ": " + name + ": expected a 32-bit integer, found " + value);
        }
        return (int) value;
    }

    /** A flag is written only where it is true. */
    boolean flag(String name) {
        JsonNode value = json.path(name);
        if (value.isMissingNode()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw unexpected(name, "true or false", value);
        }
        return value.booleanValue();
    }

    JsonReader object(String name) {
        return new JsonReader(what + "." + name, json.path(name));
    }

    <T> List<T> list(String name, Function<JsonReader, T> item) {
        List<T> items = new ArrayList<>();
        for (JsonNode element : array(name)) {
            items.add(item.apply(new JsonReader(what + "." + name, element)));
        }
        return items;
    }

    List<String> texts(String name) {
        List<String> items = new ArrayList<>();
        for (JsonNode element : array(name)) {
            if (!element.isTextual()) {
                throw unexpected(name, "a list of texts", element);
            }
            items.add(element.textValue());
        }
        return items;
    }

    List<Integer> integers(String name) {
        List<Integer> items = new ArrayList<>();
        for (JsonNode element : array(name)) {
            if (!element.isIntegralNumber() || !element.canConvertToInt()) {
                throw unexpected(name, "a list of integers", element);
            }
            items.add(element.intValue());
        }
        return items;
    }

    private JsonNode array(String name) {
        JsonNode value = json.path(name);
        if (!value.isArray()) {
            throw unexpected(name, "a list", value);
        }
        return value;
    }

    private IllegalArgumentException unexpected(String name, String expected, JsonNode found) {
        return new IllegalArgumentException(
                what + ": " + name + ": expected " + expected + ", found " + found.getNodeType());
    }
}
