package dev.weir.node.server;

import dev.weir.node.auth.NewToken;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.catalog.TenantRecord;
import dev.weir.partition.catalog.TokenRecord;
import dev.weir.partition.model.ErrorCode;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** {@code /api/v1/admin}: status, nodes, partitions, tenants, tokens. Scope admin. */
final class AdminRoutes {
    private static final int BODY_BYTES_MAX = 64 << 10;
    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
    private static final int ALIAS_LENGTH_MAX = 128;

    private final Access access;
    private final Catalog catalog;
    private final Status status;
    private final SecureRandom random;
    private final InstantSource clock;

    AdminRoutes(Access access, Catalog catalog, Status status, SecureRandom random, InstantSource clock) {
        this.access = access;
        this.catalog = catalog;
        this.status = status;
        this.random = random;
        this.clock = clock;
    }

    void mount(Router router) {
        router.route("/api/v1/admin/*").handler(access.require(Scope.ADMIN));
        router.get("/api/v1/admin/status").handler(context -> Answers.when(context, status.cluster(), context::json));
        router.get("/api/v1/admin/nodes").handler(context -> part(context, "nodes"));
        router.get("/api/v1/admin/partitions").handler(context -> part(context, "partitions"));
        router.get("/api/v1/admin/tenants").handler(this::listTenants);
        router.route(HttpMethod.POST, "/api/v1/admin/tenants").handler(this::createTenant);
        router.route(HttpMethod.POST, "/api/v1/admin/tenants/:tenant/aliases").handler(this::addAlias);
        router.get("/api/v1/admin/tokens").handler(this::listTokens);
        router.route(HttpMethod.POST, "/api/v1/admin/tokens").handler(this::createToken);
        router.delete("/api/v1/admin/tokens/:id").handler(this::revokeToken);
    }

    private void part(RoutingContext context, String name) {
        Answers.when(
                context, status.cluster(), all -> context.json(new JsonObject().put(name, all.getJsonArray(name))));
    }

    private void listTenants(RoutingContext context) {
        JsonArray tenants = new JsonArray();
        for (TenantRecord tenant : catalog.image().tenants().values()) {
            tenants.add(new JsonObject()
                    .put("name", tenant.name())
                    .put(
                            "aliases",
                            new JsonArray(
                                    new TreeSet<>(tenant.aliases()).stream().toList())));
        }
        context.json(new JsonObject().put("tenants", tenants));
    }

    private void createTenant(RoutingContext context) {
        Answers.withJson(context, BODY_BYTES_MAX, body -> {
            String name = body.getString("name", "");
            if (!TENANT.matcher(name).matches()) {
                Answers.refuse(
                        context,
                        ErrorCode.INVALID_NAME,
                        "name: expected 1 to 64 letters, digits, '_', '-' or '.', beginning with a letter or digit");
                return;
            }
            Answers.when(context, catalog.propose(new CatalogCommand.CreateTenant(name)), done -> {
                context.response().setStatusCode(201);
                context.json(new JsonObject().put("name", name));
            });
        });
    }

    private void addAlias(RoutingContext context) {
        String tenant = context.pathParam("tenant");
        Answers.withJson(context, BODY_BYTES_MAX, body -> {
            String alias = body.getString("alias", "");
            if (alias.isEmpty() || alias.length() > ALIAS_LENGTH_MAX) {
                Answers.refuse(
                        context, ErrorCode.INVALID_NAME, "alias: expected 1 to " + ALIAS_LENGTH_MAX + " characters");
                return;
            }
            Answers.when(
                    context, catalog.propose(new CatalogCommand.AddAlias(tenant, alias)), done -> noContent(context));
        });
    }

    private void listTokens(RoutingContext context) {
        JsonArray tokens = new JsonArray();
        for (TokenRecord token : catalog.image().tokens()) {
            tokens.add(new JsonObject()
                    .put("id", token.id())
                    .put("tenant", token.tenant())
                    .put("scopes", scopes(token.scopes()))
                    .put(
                            "created_at",
                            Instant.ofEpochSecond(0, token.createdAtNanos()).toString()));
        }
        context.json(new JsonObject().put("tokens", tokens));
    }

    private void createToken(RoutingContext context) {
        Answers.withJson(context, BODY_BYTES_MAX, body -> {
            String tenant = body.getString("tenant", "");
            Set<Scope> scopes = EnumSet.noneOf(Scope.class);
            for (Object each : body.getJsonArray("scopes", new JsonArray())) {
                Optional<Scope> scope = scope(String.valueOf(each));
                if (scope.isEmpty()) {
                    Answers.refuse(
                            context,
                            ErrorCode.BAD_REQUEST,
                            "scopes: expected some of write, read, cdc, admin; found '" + each + "'");
                    return;
                }
                scopes.add(scope.get());
            }
            boolean adminAlone = scopes.equals(EnumSet.of(Scope.ADMIN));
            if (scopes.isEmpty() || (tenant.isEmpty() && !adminAlone)) {
                Answers.refuse(
                        context,
                        ErrorCode.BAD_REQUEST,
                        "expected {\"tenant\":…,\"scopes\":[…]} with at least one scope; a tenant may be left out for"
                                + " scope admin alone");
                return;
            }
            if (!tenant.isEmpty() && !catalog.image().tenants().containsKey(tenant)) {
                Answers.refuse(context, ErrorCode.NOT_FOUND, "no such tenant");
                return;
            }
            Instant now = clock.instant();
            NewToken token =
                    NewToken.create(random, tenant, scopes, now.getEpochSecond() * 1_000_000_000L + now.getNano());
            Answers.when(context, catalog.propose(new CatalogCommand.CreateToken(token.record())), done -> {
                context.response().setStatusCode(201);
                context.json(new JsonObject()
                        .put("id", token.record().id())
                        .put("token", token.secret().reveal())
                        .put("tenant", tenant)
                        .put("scopes", scopes(scopes)));
            });
        });
    }

    private void revokeToken(RoutingContext context) {
        String id = context.pathParam("id");
        boolean known =
                catalog.image().tokens().stream().anyMatch(token -> token.id().equals(id));
        if (!known) {
            Answers.refuse(context, ErrorCode.NOT_FOUND, "no token with that id");
            return;
        }
        Answers.when(context, catalog.propose(new CatalogCommand.RevokeToken(id)), done -> noContent(context));
    }

    private static void noContent(RoutingContext context) {
        context.response().setStatusCode(204).end();
    }

    private static Optional<Scope> scope(String name) {
        for (Scope scope : Scope.values()) {
            if (scope.wireName().equals(name.toLowerCase(Locale.ROOT))) {
                return Optional.of(scope);
            }
        }
        return Optional.empty();
    }

    private static JsonArray scopes(Set<Scope> scopes) {
        JsonArray names = new JsonArray();
        scopes.stream().sorted().map(Scope::wireName).forEach(names::add);
        return names;
    }
}
