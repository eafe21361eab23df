package dev.weir.query.sql.answer;

import dev.weir.query.Accept;
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
        return Accept.best(accept, AnswerFormat::of);
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
}
