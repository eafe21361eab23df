package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.auth.Authenticator;
import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.catalog.TokenRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A token that was made at another node a moment ago. */
final class AccessTest {
    private static final String WRITE = "POST /write";
    private static final String TOKEN = "Authorization: Bearer made-just-now\r\nConnection: close\r\n";

    private final FoldingCatalog catalog = new FoldingCatalog(1);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private RawServer server;

    @BeforeEach
    void open() throws Exception {
        Access access =
                new Access(new Authenticator(Optional.of("an-admin-token-of-16"), catalog::image), catalog, metrics);
        server = new RawServer(router -> {
            router.route("/write").handler(access.require(Scope.WRITE));
            router.route("/write")
                    .handler(context -> context.request()
                            .body()
                            .onSuccess(body -> context.response().end("took " + body + "!")));
        });
        catalog.lagging(true);
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    private void make(String token) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        catalog.fold(new CatalogCommand.CreateToken(
                new TokenRecord("0a1b2c", HexFormat.of().formatHex(digest), "acme", Set.of(Scope.WRITE), 17)));
    }

    @Test
    void isGoodAtEveryNodeAtOnceAndNothingOfTheBodyIsLost() throws Exception {
        make("made-just-now");

        assertThat(server.answerUpTo('!', WRITE, TOKEN + "Content-Length: 12\r\n", "all the body"))
                .startsWith("HTTP/1.1 200")
                .contains("took all the body!");
        assertThat(catalog.linearized()).isEqualTo(1);
        assertThat(server.answer(WRITE, TOKEN)).startsWith("HTTP/1.1 200");
        assertThat(catalog.linearized()).as("asked of a token that is known").isEqualTo(1);
    }

    @Test
    void ofUnknownTokensTheCatalogIsAskedSoOftenAtMost() throws Exception {
        int requests = 5 * NewTokens.ASKED_PER_SECOND_MAX;
        long began = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            assertThat(server.answer(WRITE, TOKEN)).startsWith("HTTP/1.1 401").contains("expected a token");
        }
        long seconds = 2 + (System.nanoTime() - began) / 1_000_000_000;

        assertThat(catalog.linearized()).isBetween(1, (int) seconds * NewTokens.ASKED_PER_SECOND_MAX);
        assertThat(metrics.get("weir_auth_unknown_tokens").counter().count()).isEqualTo(requests);
        assertThat(metrics.get("weir_auth_catalog_asked").counter().count()).isEqualTo(catalog.linearized());
    }

    @Test
    void isUnknownWhereTheCatalogHasNoQuorum() throws Exception {
        make("made-just-now");
        catalog.quorum(false);

        assertThat(server.answer(WRITE, TOKEN)).startsWith("HTTP/1.1 401");
    }
}
