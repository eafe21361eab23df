package dev.weir.query;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The formats of answers, chosen by {@code Accept}. */
enum RowFormat {
    JSON("application/json"),
    NDJSON("application/x-ndjson"),
    CSV("text/csv; charset=utf-8");

    private final String contentType;

    RowFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /** The format that the client likes best; empty where it takes none. The first of equals wins. */
    static Optional<RowFormat> choose(@Nullable String accept) {
        if (accept == null || accept.isBlank()) {
            return Optional.of(JSON);
        }
        RowFormat best = null;
        double bestQuality = 0;
        for (String range : accept.split(",")) {
            String[] parts = range.split(";");
            RowFormat format = of(parts[0].strip().toLowerCase(Locale.ROOT));
            double quality = quality(parts);
            if (format != null && quality > bestQuality) {
                best = format;
                bestQuality = quality;
            }
        }
        return Optional.ofNullable(best);
    }

    private static @Nullable RowFormat of(String media) {
        return switch (media) {
            case "*/*", "application/*", "application/json" -> JSON;
            case "application/x-ndjson", "application/ndjson", "application/jsonl" -> NDJSON;
            case "text/csv", "text/*" -> CSV;
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
