package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What pages of other origins may do. Requests by hand: HTTP clients don't let a program say what its origin is. */
final class CorsTest {
    private static final String SOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    private static final String PREFLIGHT = "Access-Control-Request-Method: POST\r\n";

    private RawServer server;

    private void open(boolean callersAreKnown, String... origins) throws Exception {
        server = new RawServer(router -> {
            router.route().handler(new Cors(List.of(origins), callersAreKnown));
            router.route().handler(context -> context.response().end("carried out"));
        });
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    private String answer(String method, String origin, String headers) throws IOException {
        String ofPage = origin == null ? "" : "Origin: " + origin + "\r\n";
        return server.answer(method + " /api/v1/cdc/stream", ofPage + headers).toLowerCase(Locale.ROOT);
    }

    @Test
    void tellsNobodyAnythingByDefault() throws Exception {
        open(true);

        assertThat(answer("GET", "https://app.example.org", ""))
                .contains("carried out")
                .doesNotContain("access-control");
        assertThat(answer("OPTIONS", "https://app.example.org", PREFLIGHT)).doesNotContain("access-control");
    }

    @Test
    void letsPagesOfNamedOriginsReadAnswersAndWhatTheirHeadersSay() throws Exception {
        open(true, "https://app.example.org", "http://localhost:3000");

        assertThat(answer("GET", "https://app.example.org", ""))
                .contains("carried out")
                .contains("access-control-allow-origin: https://app.example.org\r\n")
                .contains("vary: origin\r\n")
                .contains("access-control-expose-headers: retry-after, weir-commit, weir-complete-until, weir-cursor,"
                        + " weir-dedup, weir-generation, weir-merged, weir-partitions, weir-read, weir-served-by,"
                        + " weir-warning\r\n")
                .doesNotContain("credentials");
        assertThat(answer("GET", "https://app.example.org.evil.org", "")).doesNotContain("access-control");
        assertThat(answer("GET", null, "")).contains("carried out").doesNotContain("access-control");
    }

    /** A cache that took the answer to a program for one to all would give pages one that they may not read. */
    @Test
    void tellsCachesWhereAnswersDifferByOrigin() throws Exception {
        open(true, "https://app.example.org", "http://localhost:3000");

        for (String origin : Arrays.asList("https://app.example.org", "https://other.example.org", null)) {
            assertThat(answer("GET", origin, "")).contains("carried out").contains("vary: origin\r\n");
        }
        assertThat(answer("OPTIONS", "https://app.example.org", PREFLIGHT)).contains("vary: origin\r\n");
        assertThat(answer("OPTIONS", "https://other.example.org", PREFLIGHT)).contains("vary: origin\r\n");
    }

    @Test
    void answersToAllAreOneForCaches() throws Exception {
        open(true, "*", "https://app.example.org");

        for (String origin : Arrays.asList("https://app.example.org", "https://other.example.org", null)) {
            assertThat(answer("GET", origin, ""))
                    .contains("carried out")
                    .contains("access-control-allow-origin: *\r\n")
                    .contains("access-control-expose-headers: ")
                    .doesNotContain("vary:");
        }
    }

    @Test
    void answersToNoPageAreOneForCaches() throws Exception {
        open(true);

        assertThat(answer("GET", "https://app.example.org", "")).doesNotContain("vary:");
        assertThat(answer("GET", null, "")).doesNotContain("vary:");
    }

    @Test
    void answersThePreflight() throws Exception {
        open(true, "https://app.example.org");

        assertThat(answer("OPTIONS", "https://app.example.org", PREFLIGHT))
                .startsWith("http/1.1 204")
                .contains("access-control-allow-methods: get, head, post, put, delete\r\n")
                .contains("authorization")
                .contains("last-event-id")
                .contains("access-control-max-age: 600\r\n")
                .doesNotContain("carried out");
        assertThat(answer("OPTIONS", "https://other.example.org", PREFLIGHT)).doesNotContain("access-control");
    }

    @Test
    void allowsAllWithoutCredentials() throws Exception {
        open(true, "*");

        assertThat(answer("GET", "https://any.example.org", ""))
                .contains("access-control-allow-origin: *\r\n")
                .doesNotContain("credentials");
    }

    @Test
    void refusesSocketsOfForeignPagesWhereCallersNeedNoToken() throws Exception {
        open(false, "https://app.example.org");

        assertThat(answer("GET", "https://evil.example.org", SOCKET))
                .startsWith("http/1.1 403")
                .contains("http.cors.origins");
        assertThat(answer("GET", "null", SOCKET)).startsWith("http/1.1 403");
        assertThat(answer("GET", "https://app.example.org", SOCKET)).contains("carried out");
        assertThat(answer("GET", "http://weir:7070", SOCKET)).contains("carried out");
        assertThat(answer("GET", null, SOCKET)).contains("carried out");
    }

    @Test
    void leavesSocketsToTheirTicketsWhereCallersNeedOne() throws Exception {
        open(true);

        assertThat(answer("GET", "https://app.example.org", SOCKET)).contains("carried out");
    }
}
