package dev.weir.node.ingest.rows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Line protocol read the plain way, one character after the other, for comparison. Takes one line's text (without its end) and says what it
 * means, or null if it is no row.
 */
final class SlowLineParser {
    record Parsed(String measurement, Map<String, String> tags, List<String> fields, BigInteger time) {}

    private final String text;
    private int at;

    private SlowLineParser(String text) {
        this.text = text;
    }

    static Parsed parse(String line) {
        try {
            return new SlowLineParser(line).line();
        } catch (IllegalArgumentException | ArithmeticException | StringIndexOutOfBoundsException e) {
            return null;
        }
    }

    private Parsed line() {
        String measurement = name(", ");
        fit(NameRule.table(measurement));
        Map<String, String> tags = new TreeMap<>();
        while (text.charAt(at) == ',') {
            at++;
            String key = name(",= ");
            expect('=');
            String value = name(",= ");
            require(text.charAt(at) != '=');
            require(!key.isEmpty());
            if (!value.isEmpty()) {
                require(tags.put(key, value) == null);
                fit(NameRule.column(key));
            }
        }
        spaces();
        List<String> fields = new ArrayList<>();
        do {
            if (!fields.isEmpty()) {
                expect(',');
            }
            String key = name(",= ");
            require(!key.isEmpty() && key.indexOf('\n') < 0);
            fit(NameRule.column(key));
            expect('=');
            fields.add(key + "=" + value());
        } while (at < text.length() && text.charAt(at) == ',');
        require(at == text.length() || text.charAt(at) == ' ');
        spaces();
        BigInteger time = null;
        if (at < text.length()) {
            int from = at;
            while (at < text.length() && text.charAt(at) != ' ') {
                at++;
            }
            String digits = text.substring(from, at);
            require(digits.matches("[-+]?[0-9]+"));
            time = new BigInteger(digits);
            require(time.abs().compareTo(BigInteger.valueOf(Precision.TIME_MAX_NANOS)) <= 0);
            spaces();
            require(at == text.length());
        }
        require(measurement.indexOf('\n') < 0 && tags.toString().indexOf('\n') < 0);
        return new Parsed(measurement, tags, fields, time);
    }

    private String name(String delimiters) {
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            int run = 0;
            while (at + run < text.length() && text.charAt(at + run) == '\\') {
                run++;
            }
            boolean before = at + run < text.length() && delimiters.indexOf(text.charAt(at + run)) >= 0;
            if (!before) {
                out.repeat('\\', run);
                at += run;
                if (at < text.length()) {
                    out.append(text.charAt(at++));
                }
                continue;
            }
            out.repeat('\\', run / 2);
            at += run;
            if (run % 2 == 0) {
                return out.toString();
            }
            out.append(text.charAt(at++));
        }
        throw new IllegalArgumentException("no delimiter");
    }

    private String value() {
        if (text.charAt(at) == '"') {
            at++;
            StringBuilder out = new StringBuilder("s:");
            while (text.charAt(at) != '"') {
                if (text.charAt(at) == '\\' && (text.charAt(at + 1) == '"' || text.charAt(at + 1) == '\\')) {
                    at++;
                }
                out.append(text.charAt(at++));
            }
            at++;
            return out.toString();
        }
        int from = at;
        while (at < text.length() && text.charAt(at) != ' ' && text.charAt(at) != ',') {
            at++;
        }
        return typed(text.substring(from, at));
    }

    private static String typed(String token) {
        if (token.matches("t|T|true|True|TRUE")) {
            return "b:true";
        }
        if (token.matches("f|F|false|False|FALSE")) {
            return "b:false";
        }
        if (token.matches("[-+]?[0-9]+i")) {
            return "i:" + new BigDecimal(token.substring(0, token.length() - 1)).longValueExact();
        }
        if (token.matches("\\+?[0-9]+u")) {
            BigInteger value = new BigInteger(token.substring(0, token.length() - 1));
            require(value.bitLength() <= 64);
            return "u:" + value;
        }
        require(token.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"));
        double value = Double.parseDouble(token);
        require(!Double.isInfinite(value));
        return "d:" + value;
    }

    private void spaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private void expect(char wanted) {
        require(text.charAt(at) == wanted);
        at++;
    }

    private static void fit(RowFault fault) {
        require(fault == null);
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException();
        }
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
