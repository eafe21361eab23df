package dev.weir.query;

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
        return Accept.best(accept, RowFormat::of);
    }

    private static @Nullable RowFormat of(String media) {
        return switch (media) {
            case "*/*", "application/*", "application/json" -> JSON;
            case "application/x-ndjson", "application/ndjson", "application/jsonl" -> NDJSON;
            case "text/csv", "text/*" -> CSV;
            default -> null;
        };
    }
}
