package dev.weir.node.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.TenantRecord;
import dev.weir.partition.model.ErrorCode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What Influx's clients ask beside writing: whether somebody is there, and whether their database is. */
final class InfluxRoutes {
    private static final int QUERY_BYTES_MAX = 64 << 10;
    private static final String VERSION = "1.8.10-weir";
    private static final Pattern CREATE = Pattern.compile("(?is)\\s*create\\s+database\\s+\\S.*");
    private static final Pattern SHOW = Pattern.compile("(?is)\\s*show\\s+databases\\s*;?\\s*");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Catalog catalog;
    private final TenantOf tenantOf;
    private final BytesBudget budget;
    private final Supplier<List<HealthCheck>> checks;

    InfluxRoutes(Catalog catalog, TenantOf tenantOf, BytesBudget budget, Supplier<List<HealthCheck>> checks) {
        this.checks = checks;
        this.catalog = catalog;
        this.tenantOf = tenantOf;
        this.budget = budget;
    }

    void mount(Router router) {
        for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST)) {
            router.route(method, "/ping").handler(IngestRoutes.guarded(this::ping));
        }
        router.route(HttpMethod.GET, "/health").handler(IngestRoutes.guarded(this::health));
        router.route(HttpMethod.GET, "/query").handler(IngestRoutes.guarded(this::query));
        router.route(HttpMethod.POST, "/query").handler(IngestRoutes.guarded(this::postedQuery));
    }

    private void ping(Exchange exchange) {
        String verbose = exchange.parameter("verbose");
        boolean wordy = verbose != null && !verbose.isEmpty() && !verbose.equals("0") && !verbose.equals("false");
        Answer answer = wordy ? new Answer(200, List.of(), bytes(Map.of("version", VERSION))) : Answer.noContent();
        BodyReceiver.ignore(exchange, answer.with("X-Influxdb-Version", VERSION).with("X-Influxdb-Build", "Weir"));
    }

    private void health(Exchange exchange) {
        boolean born = catalog.image().born();
        byte[] json = bytes(Map.of(
                "name",
                "weir",
                "message",
                born ? "ready for writes" : "starting",
                "status",
                born ? "pass" : "fail",
                "checks",
                checks.get().stream().map(InfluxRoutes::failed).toList(),
                "version",
                VERSION));
        BodyReceiver.ignore(exchange, new Answer(born ? 200 : 503, List.of(), json));
    }

    private static Map<String, String> failed(HealthCheck check) {
        return Map.of("name", check.name(), "status", "fail", "message", check.message());
    }

    private void query(Exchange exchange) {
        BodyReceiver.ignore(exchange, answer(exchange, exchange.parameter("q")));
    }

    private void postedQuery(Exchange exchange) {
        GrowingBody body = new GrowingBody(budget, QUERY_BYTES_MAX, "of a query");
        BodyReceiver.receive(exchange, body, whole -> {
            String text = new String(whole.bytes(), 0, whole.length(), StandardCharsets.UTF_8);
            whole.release();
            String inUrl = exchange.parameter("q");
            exchange.answer(answer(exchange, inUrl != null ? inUrl : form(text)));
        });
    }

    private static @Nullable String form(String text) {
        try {
            List<String> values =
                    new QueryStringDecoder(text, false).parameters().get("q");
            return values == null ? null : values.getFirst();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Answer answer(Exchange exchange, @Nullable String query) {
        if (query != null && CREATE.matcher(query).matches()) {
            return results(Map.of("statement_id", 0));
        }
        if (query != null && SHOW.matcher(query).matches()) {
            return results(Map.of("statement_id", 0, "series", List.of(databases(exchange))));
        }
        return Answer.refusal(
                ErrorCode.BAD_REQUEST,
                "/query answers CREATE DATABASE and SHOW DATABASES only; for queries use SQL at /api/v1/sql");
    }

    private Map<String, Object> databases(Exchange exchange) {
        String tenant = tenantOf.of(exchange.routing()).tenant();
        TenantRecord record = catalog.image().tenants().get(tenant);
        TreeSet<String> names = new TreeSet<>(List.of(tenant));
        if (record != null) {
            names.addAll(record.aliases());
        }
        List<List<String>> rows = new ArrayList<>();
        names.forEach(name -> rows.add(List.of(name)));
        return Map.of("name", "databases", "columns", List.of("name"), "values", rows);
    }

    private static Answer results(Map<String, Object> result) {
        return new Answer(200, List.of(), bytes(Map.of("results", List.of(result))))
                .with("X-Influxdb-Version", VERSION);
    }

    private static byte[] bytes(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
