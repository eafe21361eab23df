package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cdc.CallerTenant;
import dev.weir.node.auth.Authenticator;
import dev.weir.node.auth.Caller;
import dev.weir.node.auth.Tickets;
import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.catalog.TokenRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may open a stream, by what. Requests by hand: HTTP clients don't let a program say what its origin is. */
final class StreamAccessTest {
    private static final String TOKEN = "what-was-told-once";
    private static final String STREAM = "/api/v1/cdc/stream";
    private static final String FOREIGN = "Origin: https://evil.example.org\r\n";
    private static final String SOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    /** What a browser adds by itself, for an address that its user has signed in at. */
    private static final String PASSWORD = "Authorization: Basic "
            + Base64.getEncoder().encodeToString(("any:" + TOKEN).getBytes(StandardCharsets.UTF_8)) + "\r\n";

    private final FoldingCatalog catalog = new FoldingCatalog(1);
    private final Authenticator authenticator = new Authenticator(Optional.of("an-admin-token-of-16"), catalog::image);
    private final Tickets tickets = new Tickets(authenticator, catalog::image, InstantSource.system());
    /** Of the requests that were served. */
    private final List<BooleanSupplier> admissions = new CopyOnWriteArrayList<>();

    private RawServer server;
    private String ticket;

    @BeforeEach
    void open() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.UTF_8));
        catalog.fold(new CatalogCommand.CreateToken(
                new TokenRecord("0a1b2c", HexFormat.of().formatHex(digest), "default", Set.of(Scope.CDC), 17)));
        Caller caller = authenticator.authenticate("Bearer " + TOKEN, null).orElseThrow();
        ticket = "ticket=" + tickets.make(caller, "measurement=cpu").text();
        Access access = new Access(authenticator, catalog, new SimpleMeterRegistry());
        CallerTenant callers = StreamAccess.callers(access);
        server = new RawServer(router -> {
            router.route().handler(new Cors(List.of("https://app.example.org", "*"), true));
            router.route("/api/v1/cdc/*").handler(new StreamAccess(access, tickets));
            router.route("/api/v1/cdc/*").handler(context -> {
                admissions.add(callers.admission(context));
                context.response().end("served " + callers.boundQuery(context).orElse("anything"));
            });
        });
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    private String answer(String path, String headers) throws IOException {
        return server.answer("GET " + path, headers);
    }

    @Test
    void aTicketOpensItsStreamAndNothingElse() throws Exception {
        assertThat(answer(STREAM + "?" + ticket, "")).contains("served measurement=cpu");
        assertThat(answer(STREAM + "?" + ticket + "x", "")).startsWith("HTTP/1.1 401");
        for (String path : List.of("/api/v1/cdc/tickets", "/api/v1/cdc/subscriptions", STREAM + "/x")) {
            assertThat(answer(path + "?" + ticket, "")).as(path).startsWith("HTTP/1.1 401");
        }
        assertThat(answer("/api/v1/cdc/subscriptions/x/stream?" + ticket, "")).startsWith("HTTP/1.1 401");
    }

    @Test
    void whoHasOpenedAStreamMayReadUntilTheTokenIsRevoked() throws Exception {
        assertThat(answer(STREAM + "?" + ticket, "")).contains("served");
        assertThat(answer(STREAM, PASSWORD)).contains("served");
        assertThat(admissions).hasSize(2).allMatch(BooleanSupplier::getAsBoolean);

        catalog.fold(new CatalogCommand.RevokeToken("0a1b2c"));

        assertThat(admissions).noneMatch(BooleanSupplier::getAsBoolean);
    }

    @Test
    void aForeignPageOpensASocketByATicketAlone() throws Exception {
        assertThat(answer(STREAM, FOREIGN + SOCKET + PASSWORD))
                .startsWith("HTTP/1.1 403")
                .contains("expected a ticket");
        assertThat(answer("/api/v1/cdc/subscriptions/x/stream?" + ticket, FOREIGN + SOCKET + PASSWORD))
                .startsWith("HTTP/1.1 403");
        assertThat(answer(STREAM + "?" + ticket, FOREIGN + SOCKET)).contains("served measurement=cpu");
        assertThat(answer(STREAM, "Origin: https://app.example.org\r\n" + SOCKET + PASSWORD))
                .contains("served anything");
        assertThat(answer(STREAM, "Origin: http://weir:7070\r\n" + SOCKET + PASSWORD))
                .contains("served anything");
        assertThat(answer(STREAM, SOCKET + PASSWORD)).contains("served anything");
    }
}
