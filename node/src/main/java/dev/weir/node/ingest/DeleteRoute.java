package dev.weir.node.ingest;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /api/v1/delete}: drops a table, or deletes one series. */
final class DeleteRoute {
    private static final Logger LOG = LoggerFactory.getLogger(DeleteRoute.class);
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final Set<String> MEMBERS = Set.of("measurement", "tags");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final BytesBudget budget;
    private final Deletes deletes;

    DeleteRoute(IngestPorts ports, BytesBudget budget) {
        this.budget = budget;
        this.deletes = new Deletes(ports);
    }

    /** @param tags null where the whole table is meant */
    record Target(String measurement, @Nullable List<Tag> tags) {}

    void take(Exchange exchange, TenantOf.Caller caller) {
        GrowingBody body = new GrowingBody(budget, BODY_BYTES_MAX, "of a delete");
        BodyReceiver.receive(
                exchange,
                body,
                whole -> Thread.ofVirtual().name("weir-delete").start(() -> delete(exchange, caller.tenant(), whole)));
    }

    private void delete(Exchange exchange, String tenant, GrowingBody body) {
        Answer answer = Answer.refusal(ErrorCode.INTERNAL, "internal error; the node's log has the reason");
        try {
            Target target = target(body);
            Optional<Cursor> commit = target.tags() == null
                    ? deletes.drop(tenant, target.measurement())
                    : deletes.deleteSeries(tenant, target.measurement(), target.tags());
            answer = commit.map(cursor -> Answer.noContent().with("Weir-Commit", cursor.encode(tenant)))
                    .orElse(Answer.noContent());
        } catch (RefusedException e) {
            answer = Answer.refusal(e.refusal());
        } catch (RuntimeException e) {
            LOG.error("a delete of tenant {} failed", tenant, e);
        } finally {
            body.release();
            exchange.answer(answer);
        }
    }

    private static Target target(GrowingBody body) {
        JsonNode root;
        try (JsonParser json = JSON.createParser(body.bytes(), 0, body.length())) {
            root = JSON.readTree(json);
            if (json.nextToken() != null) {
                throw bad("text follows the JSON object");
            }
        } catch (JacksonException e) {
            throw bad("the body is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw bad("the body is no JSON");
        }
        if (root == null || !root.isObject()) {
            throw bad("expected an object with measurement, and tags for one series");
        }
        root.fieldNames().forEachRemaining(name -> {
            if (!MEMBERS.contains(name)) {
                throw bad("unknown member \"" + printable(name) + "\", expected measurement and tags");
            }
        });
        JsonNode measurement = root.get("measurement");
        if (measurement == null
                || !measurement.isTextual()
                || measurement.textValue().isEmpty()) {
            throw bad("measurement: expected the name of a table");
        }
        return new Target(measurement.textValue(), root.has("tags") ? tags(root.get("tags")) : null);
    }

    private static List<Tag> tags(JsonNode node) {
        if (!node.isObject()) {
            throw bad("tags: expected an object; {} means the series without tags");
        }
        List<Tag> tags = new ArrayList<>();
        node.properties().forEach(member -> {
            JsonNode value = member.getValue();
            if (!value.isTextual() && !value.isNull()) {
                throw bad("tags." + printable(member.getKey()) + ": expected text");
            }
            if (value.isTextual() && !value.textValue().isEmpty()) {
                tags.add(new Tag(member.getKey(), value.textValue()));
            }
        });
        return tags;
    }

    private static String printable(String name) {
        return (name.length() > 64 ? name.substring(0, 64) + "…" : name).replaceAll("\\p{Cntrl}", "?");
    }

    private static RefusedException bad(String message) {
        return new RefusedException(
                Refusal.of(ErrorCode.BAD_REQUEST, "delete: " + message.replaceAll("\\p{Cntrl}", " ")));
    }
}
