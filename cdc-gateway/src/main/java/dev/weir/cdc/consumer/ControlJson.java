package dev.weir.cdc.consumer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the small JSON objects of control frames and refusals without a JSON library: members that are texts ({@code String}), integers ({@code Long}) and objects
 * ({@code Map}); all others are read over, since no control frame says something by them.
 */
final class ControlJson {
    private static final int DEPTH_MAX = 16;

    private final String text;
    private int at;

    private ControlJson(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException it is no JSON object */
    static Map<String, Object> object(String text) {
        ControlJson json = new ControlJson(text);
        Map<String, Object> members = json.members(0);
        if (json.next() != 0) {
            throw json.unexpected("the end");
        }
        return members;
    }

    /** Empty where the member is no text. */
    static String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    /**
     * An integer, quoted ({@code int64=string}) or not.
     *
     * @throws IllegalArgumentException the member is none
     */
    static long number(Map<String, Object> members, String name) {
        return number(name, members.get(name));
    }

    private static long number(String name, @Nullable Object found) {
        if (found instanceof Long number) {
            return number;
        }
        if (found instanceof String text && text.matches("-?[0-9]{1,19}")) {
            return Long.parseLong(text);
        }
        throw new IllegalArgumentException(name + ": expected an integer, found " + found);
    }

    /** A member such as {@code "next":{"0":17}}. */
    static SortedMap<Integer, Long> places(Map<String, Object> members, String name) {
        SortedMap<Integer, Long> places = new TreeMap<>();
        if (members.get(name) instanceof Map<?, ?> found) {
            found.forEach((partition, next) ->
                    places.put(Integer.valueOf(String.valueOf(partition)), number(String.valueOf(partition), next)));
        }
        return places;
    }

    private Map<String, Object> members(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        take('{');
        while (next() != '}') {
            if (!members.isEmpty()) {
                take(',');
            }
            String name = string();
            take(':');
            Object value = value(depth + 1);
            members.put(name, value == null ? "" : value);
        }
        take('}');
        return members;
    }

    private @Nullable Object value(int depth) {
        if (depth > DEPTH_MAX) {
            throw unexpected("at most " + DEPTH_MAX + " values within each other");
        }
        return switch (next()) {
            case '{' -> members(depth);
            case '"' -> string();
            case '[' -> array(depth);
            default -> literal();
        };
    }

    private @Nullable Object array(int depth) {
        take('[');
        for (boolean first = true; next() != ']'; first = false) {
            if (!first) {
                take(',');
            }
            value(depth + 1);
        }
        take(']');
        return null;
    }

    private @Nullable Object literal() {
        int from = at;
        while (at < text.length() && ",}] \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == from) {
            throw unexpected("a value");
        }
        try {
            return Long.valueOf(text.substring(from, at));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private String string() {
        take('"');
        StringBuilder all = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char found = text.charAt(at++);
            all.append(found == '\\' ? escaped() : found);
        }
        take('"');
        return all.toString();
    }

    private char escaped() {
        char code = at < text.length() ? text.charAt(at++) : 0;
        return switch (code) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            case '"', '\\', '/' -> code;
            default -> throw unexpected("an escaped character");
        };
    }

    private char unicode() {
        if (at + 4 > text.length()) {
            throw unexpected("four hex digits");
        }
        at += 4;
        return (char) Integer.parseInt(text, at - 4, at, 16);
    }

    /** The next character that is no space; 0 at the end. */
    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void take(char wanted) {
        if (next() != wanted) {
            throw unexpected(String.valueOf(wanted));
        }
        at++;
    }

    private IllegalArgumentException unexpected(String wanted) {
        String shown = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return new IllegalArgumentException("expected " + wanted + " at character " + at + ", found " + shown);
    }
}
