package dev.weir.cdc.consumer;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to watch, and where.
 *
 * @param nodes base URLs such as {@code http://127.0.0.1:7070}, tried in turn
 * @param token sent as {@code Authorization: Bearer}; empty sends none
 * @param parameters of the query in order, names and values not yet encoded, {@code from} apart
 * @param from {@code now}, {@code earliest}, a cursor or an RFC 3339 time; used until a cursor is known
 * @param lastId the cursor to resume after; null begins at {@code from}
 * @param connectTimeout of one connection, until its headers came
 * @param silenceMax no byte for so long (the server sends one every 15 s) means that the connection is dead
 */
public record StreamOptions(
        List<URI> nodes,
        String token,
        List<Parameter> parameters,
        String from,
        @Nullable String lastId,
        Duration connectTimeout,
        Duration silenceMax) {
    /** A parameter of the query. */
    public record Parameter(String name, String value) {}

    public StreamOptions {
        nodes = List.copyOf(nodes);
        parameters = List.copyOf(parameters);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("expected at least one node's URL, found none");
        }
    }

    /** Everything from now on. */
    public static StreamOptions of(URI... nodes) {
        return new StreamOptions(
                List.of(nodes), "", List.of(), "now", null, Duration.ofSeconds(15), Duration.ofSeconds(45));
    }

    public StreamOptions withToken(String newToken) {
        return new StreamOptions(nodes, newToken, parameters, from, lastId, connectTimeout, silenceMax);
    }

    /** One more parameter, such as {@code measurement}, {@code event_type}, {@code tag.host} or {@code partition}. */
    public StreamOptions with(String name, String value) {
        List<Parameter> more = new ArrayList<>(parameters);
        more.add(new Parameter(name, value));
        return new StreamOptions(nodes, token, more, from, lastId, connectTimeout, silenceMax);
    }

    public StreamOptions from(String newFrom) {
        return new StreamOptions(nodes, token, parameters, newFrom, lastId, connectTimeout, silenceMax);
    }

    public StreamOptions after(@Nullable String newLastId) {
        return new StreamOptions(nodes, token, parameters, from, newLastId, connectTimeout, silenceMax);
    }

    public StreamOptions silenceMax(Duration newSilenceMax) {
        return new StreamOptions(nodes, token, parameters, from, lastId, connectTimeout, newSilenceMax);
    }

    /** @param resumeAfter a place that a header will name; null begins at {@code from}, where the stream's reader keeps its place */
    URI streamAt(URI node, StreamPath path, @Nullable String resumeAfter) {
        List<Parameter> all = new ArrayList<>(parameters);
        if (path.member() != null) {
            all.add(new Parameter("member", path.member()));
        }
        if (path.ownPlace() && resumeAfter == null) {
            all.add(new Parameter("from", from));
        }
        StringBuilder text = new StringBuilder(at(node, path.path()).toString());
        char separator = '?';
        for (Parameter parameter : all) {
            text.append(separator).append(encoded(parameter.name())).append('=').append(encoded(parameter.value()));
            separator = '&';
        }
        return URI.create(text.toString());
    }

    static URI at(URI node, String path) {
        return URI.create(node.toString().replaceAll("/+$", "") + path);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
