package dev.weir.query.sql.answer;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The formats of answers, chosen by {@code Accept}. */
public enum AnswerFormat {
    JSON("application/json"),
    NDJSON("application/x-ndjson"),
    CSV("text/csv; charset=utf-8"),
    ARROW("application/vnd.apache.arrow.stream");

    public static final String OFFERED =
            "application/json, application/x-ndjson, text/csv, application/vnd.apache.arrow.stream";

    private final String contentType;

    AnswerFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /** The format that the client likes best; empty where it takes none. The first of equals wins. */
    public static Optional<AnswerFormat> choose(@Nullable String accept) {
        if (accept == null || accept.isBlank()) {
            return Optional.of(JSON);
        }
        AnswerFormat best = null;
        double bestQuality = 0;
        for (String range : accept.split(",")) {
            String[] parts = range.split(";");
            AnswerFormat format = of(parts[0].strip().toLowerCase(Locale.ROOT));
            double quality = quality(parts);
            if (format != null && quality > bestQuality) {
                best = format;
                bestQuality = quality;
            }
        }
        return Optional.ofNullable(best);
    }

    private static @Nullable AnswerFormat of(String media) {
        return switch (media) {
            case "*/*", "application/*", "application/json" -> JSON;
            case "application/x-ndjson", "application/ndjson", "application/jsonl" -> NDJSON;
            case "text/csv", "text/*" -> CSV;
            case "application/vnd.apache.arrow.stream" -> ARROW;
            default -> null;
        };
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.startsWith("q=")) {
                try {
                    return Double.parseDouble(part.substring(2));
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
