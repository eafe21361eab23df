package dev.weir.node.server;

import dev.weir.node.letters.LetterDesk;
import dev.weir.node.letters.LetterFilter;
import dev.weir.node.letters.Letters;
import dev.weir.node.letters.Quarantine;
import dev.weir.node.letters.StoredLetter;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/dead-letters}: lists, replays and purges the caller's own, and sets rows aside. What each answers is in ops/docs/HTTP.md. */
final class LetterRoutes {
    private static final int BODY_BYTES_MAX = 16 << 10;
    private static final int LIST_DEFAULT = 100;
    private static final String PATH = "/api/v1/dead-letters";
    private static final List<String> QUARANTINE_MEMBERS = List.of("table", "where", "dry_run");
    private static final List<String> MEMBERS = List.of("table", "code", "since", "before", "after", "dry_run");

    private final Access access;
    private final LetterDesk desk;
    private final Quarantine quarantine;
    private final Executor blocking;

    LetterRoutes(Access access, Letters letters, Executor blocking) {
        this.access = access;
        this.desk = letters.desk();
        this.quarantine = letters.quarantine();
        this.blocking = blocking;
    }

    void mount(Router router) {
        router.get(PATH).handler(access.require(Scope.READ)).handler(this::list);
        router.post(PATH + "/replay")
                .handler(access.require(Scope.WRITE))
                .handler(context -> post(context, this::replay));
        router.post(PATH + "/purge")
                .handler(access.require(Scope.WRITE))
                .handler(context -> post(context, this::purge));
        router.post(PATH + "/quarantine").handler(access.require(Scope.WRITE)).handler(this::quarantine);
    }

    private void quarantine(RoutingContext context) {
        String tenant = Access.caller(context).tenant();
        Answers.withJson(context, BODY_BYTES_MAX, body -> {
            Optional<String> fault = fault(body, QUARANTINE_MEMBERS);
            if (fault.isPresent() || !body.containsKey("table")) {
                Answers.refuse(context, ErrorCode.BAD_REQUEST, fault.orElse("expected the member table"));
                return;
            }
            String table = body.getString("table");
            Optional<String> where = Optional.ofNullable(body.getString("where"));
            boolean dryRun = body.getBoolean("dry_run", false);
            answer(context, () -> dryRun ? meant(tenant, table, where) : setAside(tenant, table, where));
        });
    }

    private JsonObject meant(String tenant, String table, Optional<String> where) {
        Quarantine.Meant meant = quarantine.meant(tenant, table, where);
        return new JsonObject()
                .put("rows", meant.rows())
                .put("where", meant.where().orElse(null));
    }

    private JsonObject setAside(String tenant, String table, Optional<String> where) {
        Quarantine.Done done = quarantine.setAside(tenant, table, where);
        return new JsonObject()
                .put("quarantined", done.rows())
                .put("more", done.more())
                .put("where", done.where().orElse(null));
    }

    /** What is asked of a tenant's letters. */
    private record Question(String tenant, LetterFilter filter, Optional<String> after, boolean dryRun) {}

    private void list(RoutingContext context) {
        String tenant = Access.caller(context).tenant();
        Function<String, Optional<String>> given =
                name -> Optional.ofNullable(context.request().getParam(name));
        answer(context, () -> {
            LetterDesk.Page page = desk.list(tenant, filter(given), given.apply("after"), limit(given.apply("limit")));
            JsonArray letters = new JsonArray();
            page.letters().forEach(letter -> letters.add(json(letter)));
            return new JsonObject()
                    .put("letters", letters)
                    .put("after", page.after().orElse(null));
        });
    }

    private void post(RoutingContext context, Function<Question, JsonObject> work) {
        String tenant = Access.caller(context).tenant();
        Answers.withJson(context, BODY_BYTES_MAX, body -> {
            Optional<String> fault = fault(body, MEMBERS);
            if (fault.isPresent()) {
                Answers.refuse(context, ErrorCode.BAD_REQUEST, fault.get());
                return;
            }
            Function<String, Optional<String>> given = name -> Optional.ofNullable(body.getString(name));
            boolean dryRun = body.getBoolean("dry_run", false);
            answer(context, () -> work.apply(new Question(tenant, filter(given), given.apply("after"), dryRun)));
        });
    }

    /** What is wrong with the members of a body: one that is null must not be taken for one that is left out. */
    static Optional<String> fault(JsonObject body, List<String> members) {
        for (String name : body.fieldNames()) {
            if (!members.contains(name)) {
                return Optional.of("unknown member " + name + "; expected " + String.join(", ", members));
            }
            if (body.getValue(name) == null) {
                return Optional.of("member " + name + ": expected a value, found null: leave it out");
            }
        }
        return Optional.empty();
    }

    private JsonObject replay(Question question) {
        if (question.dryRun) {
            return counted(question);
        }
        LetterDesk.Replayed done = desk.replay(question.tenant, question.filter, question.after);
        JsonArray left = new JsonArray();
        for (LetterDesk.Left each : done.left()) {
            left.add(new JsonObject()
                    .put("id", each.letter().id())
                    .put("code", each.why().code().wireName())
                    .put("message", each.why().message()));
        }
        return new JsonObject()
                .put("replayed", done.stored())
                .put("left", left)
                .put("truncated", done.cut())
                .put("after", done.after().orElse(null));
    }

    private JsonObject purge(Question question) {
        if (question.dryRun) {
            return counted(question);
        }
        LetterDesk.Purged done = desk.purge(question.tenant, question.filter);
        return new JsonObject().put("purged", done.letters()).put("more", done.more());
    }

    private JsonObject counted(Question question) {
        return new JsonObject().put("letters", desk.count(question.tenant, question.filter));
    }

    private interface Work {
        JsonObject run();
    }

    private void answer(RoutingContext context, Work work) {
        Answers.when(context, CompletableFuture.supplyAsync(work::run, blocking), context::json);
    }

    private static LetterFilter filter(Function<String, Optional<String>> given) {
        return new LetterFilter(
                given.apply("table"),
                given.apply("code"),
                given.apply("since").map(text -> time("since", text)),
                given.apply("before").map(text -> time("before", text)));
    }

    private static int limit(Optional<String> text) {
        try {
            int limit = text.isEmpty() ? LIST_DEFAULT : Integer.parseInt(text.get());
            if (limit >= 1 && limit <= LetterDesk.LIST_MAX) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // Falls through: no number at all.
        }
        throw bad("limit: expected 1 to " + LetterDesk.LIST_MAX);
    }

    /** A plus that was sent without escaping arrives as a space. */
    private static Instant time(String name, String text) {
        try {
            return OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
        } catch (DateTimeException e) {
            throw bad(name + ": expected a time such as 2026-11-01T00:00:00Z");
        }
    }

    private static JsonObject json(StoredLetter letter) {
        @Nullable String measurement = letter.measurement();
        return new JsonObject()
                .put("id", letter.id())
                .put("time", Instant.ofEpochSecond(0, letter.timeNanos()).toString())
                .put("code", letter.code())
                .put("node", letter.node())
                .put("measurement", measurement)
                .put("message", letter.message())
                .put("line", letter.line())
                .put("format", letter.format())
                .put("parameters", new JsonObject(letter.parameters()))
                .put("text", letter.text())
                .put("truncated", letter.truncated());
    }

    private static RefusedException bad(String message) {
        return new RefusedException(Refusal.of(ErrorCode.BAD_REQUEST, message));
    }
}
