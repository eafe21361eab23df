package dev.weir.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.query.sql.route.StatementRouter;
import dev.weir.query.sql.run.LocalQueries;
import dev.weir.query.sql.run.SqlConfig;
import dev.weir.query.sql.run.SqlEngine;
import dev.weir.query.sql.run.SqlPorts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An engine behind HTTP over tables of a test. One is shared by all tests that need no limits of their own: the first DuckDB of a JVM opens slowly. */
final class SqlServer implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();

    final StoredTables tables = new StoredTables();
    final RecordedStatements statements = new RecordedStatements();
    final Path folder;
    final SqlEngine engine;
    final HttpClient client = HttpClient.newHttpClient();
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    private static final class Shared {
        static final SqlServer SERVER = new SqlServer(SqlConfig.defaults());
    }

    static SqlServer shared() {
        return Shared.SERVER;
    }

    SqlServer(SqlConfig config) {
        try {
            folder = Files.createTempDirectory("weir-sql");
            folder.toFile().deleteOnExit();
            Path data = Files.createDirectory(folder.resolve("data"));
            SqlPorts ports = new SqlPorts(
                    tables, tables, statements, registry -> new LocalQueries("n1", registry, Clock.systemUTC()));
            engine = new SqlEngine(
                    ports, config, "n1", List.of(data), folder.resolve("spill"), new SimpleMeterRegistry());
            Router router = Router.router(vertx);
            new SqlRoutes(engine, new HeaderCaller(), StatementRouter.LOCAL).mount(router);
            server = vertx.createHttpServer()
                    .requestHandler(router)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tenant is in a header, since nothing here checks tokens. */
    private static final class HeaderCaller implements SqlCaller {
        @Override
        public String tenant(RoutingContext context) {
            String tenant = context.request().getHeader("Tenant");
            return tenant == null ? "default" : tenant;
        }

        @Override
        public String user(RoutingContext context) {
            return "token-1";
        }

        @Override
        public boolean mayWrite(RoutingContext context) {
            return context.request().getHeader("Read-Only") == null;
        }
    }

    Path file(String name) {
        return folder.resolve("data").resolve(name);
    }

    int port() {
        return server.actualPort();
    }

    HttpResponse<String> post(String statement, String... headers) throws Exception {
        return postTo("/api/v1/sql", statement, headers);
    }

    HttpResponse<String> postTo(String path, String statement, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(statement));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The rows of an answer that must be 200. */
    JsonNode rows(String statement, String... headers) throws Exception {
        HttpResponse<String> answer = post(statement, headers);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body()).get("rows");
    }

    /** The refusal of an answer that must not be 200. */
    JsonNode refusal(int status, String statement, String... headers) throws Exception {
        HttpResponse<String> answer = post(statement, headers);
        if (answer.statusCode() != status) {
            throw new AssertionError(
                    statement + ": expected " + status + ", found " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    @Override
    public void close() throws Exception {
        client.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        engine.close();
    }
}
