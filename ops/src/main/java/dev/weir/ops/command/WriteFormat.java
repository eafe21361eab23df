package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Where rows of a kind go.
 *
 * @param whole the input is one body, not rows by line
 */
record WriteFormat(boolean lineProtocol, boolean whole, String path, String contentType) {
    /** What the user says that the input is. */
    enum Kind {
        auto,
        lp,
        json,
        csv,
        parquet
    }

    /** Flat JSON objects, a line each. */
    static WriteFormat rows(String table, List<String> tags, String time) {
        String path = "/api/v1/write?measurement=" + ClusterClient.encoded(table)
                + (tags.isEmpty() ? "" : "&tags=" + ClusterClient.encoded(String.join(",", tags)))
                + "&time=" + ClusterClient.encoded(time);
        return new WriteFormat(false, false, path, "application/x-ndjson");
    }

    private static final int PEEK_BYTES = 4096;

    /** @param in supports marks; is left where it was */
    static WriteFormat of(
            Kind kind,
            InputStream in,
            Optional<String> precision,
            Optional<String> measurement,
            Optional<String> tags,
            Optional<String> time)
            throws IOException {
        String start = peek(in).stripLeading();
        boolean json = kind == Kind.json
                || (kind == Kind.auto && (start.startsWith("{") || start.startsWith("[") || measurement.isPresent()));
        if (!json) {
            return new WriteFormat(
                    true,
                    false,
                    "/api/v2/write?precision=" + ClusterClient.encoded(precision.orElse("ns")),
                    "text/plain; charset=utf-8");
        }
        StringBuilder path = new StringBuilder("/api/v1/write");
        String separator = "?";
        separator = append(path, separator, "measurement", measurement);
        separator = append(path, separator, "tags", tags);
        append(path, separator, "time", time);
        boolean whole = !start.startsWith("{")
                || start.lines().findFirst().orElse("").strip().equals("{");
        return new WriteFormat(false, whole, path.toString(), whole ? "application/json" : "application/x-ndjson");
    }

    private static String append(StringBuilder path, String separator, String name, Optional<String> value) {
        if (value.isEmpty()) {
            return separator;
        }
        path.append(separator).append(name).append('=').append(ClusterClient.encoded(value.get()));
        return "&";
    }

    private static String peek(InputStream in) throws IOException {
        in.mark(PEEK_BYTES);
        byte[] start = in.readNBytes(PEEK_BYTES);
        in.reset();
        return new String(start, java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
