package dev.weir.node.ingest.write;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand.AgreeSchema;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.ColumnWish;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The schemas by which one body is judged: the catalog's image, and over it what the catalog answered to this body's wishes. Only tables with wishes
 * cost a round trip, all of them at once.
 */
final class SchemaView {
    /** Proposals under way at once. */
    private static final int PROPOSALS_MAX = 16;

    private final Catalog catalog;
    private final String tenant;
    private CatalogImage image;
    private final Map<String, TableSchema> agreed = new HashMap<>();
    private final Map<String, Refusal> refused = new HashMap<>();
    private final Map<String, Map<String, String>> overLimit = new HashMap<>();
    private @Nullable String tenantLimit;

    SchemaView(Catalog catalog, String tenant) {
        this.catalog = catalog;
        this.tenant = tenant;
        this.image = catalog.image();
    }

    CatalogImage image() {
        return image;
    }

    /** Takes the newest image, and forgets what was agreed: it is in there, or gone. */
    void renew() {
        image = catalog.image();
        agreed.clear();
        refused.clear();
        overLimit.clear();
    }

    /** The table's schema, null where there is none yet. */
    @Nullable
    TableSchema schema(String table) {
        TableSchema newer = agreed.get(table);
        return newer != null ? newer : image.table(tenant, table).orElse(null);
    }

    /** Why the catalog did not take wishes for this table, null where it did. */
    @Nullable
    Refusal refusal(String table) {
        return refused.get(table);
    }

    /** Why this column was not added; null where it was not refused. */
    @Nullable
    String limit(String table, String column) {
        String ofTenant = tenantLimit;
        if (ofTenant != null && schema(table) == null) {
            return ofTenant;
        }
        return overLimit.getOrDefault(table, Map.of()).get(column);
    }

    /** Proposes the wishes of each table. Blocks until the catalog has answered, or could not be reached. */
    void agree(Map<String, List<ColumnWish>> wishes) {
        List<Map.Entry<String, List<ColumnWish>>> all = new ArrayList<>(wishes.entrySet());
        for (int from = 0; from < all.size(); from += PROPOSALS_MAX) {
            List<Map.Entry<String, List<ColumnWish>>> some =
                    all.subList(from, Math.min(all.size(), from + PROPOSALS_MAX));
            Refusal unreachable = agreeAtOnce(some);
            if (unreachable != null) {
                all.subList(from, all.size()).forEach(wish -> refused.putIfAbsent(wish.getKey(), unreachable));
                return;
            }
            if (tenantLimit != null) {
                return;
            }
        }
    }

    /** Returns the refusal if the catalog can't be reached at present. */
    private @Nullable Refusal agreeAtOnce(List<Map.Entry<String, List<ColumnWish>>> wishes) {
        Map<String, CompletableFuture<CatalogReply>> replies = new HashMap<>();
        wishes.forEach(wish -> replies.put(
                wish.getKey(),
                catalog.propose(new AgreeSchema(tenant, wish.getKey(), wish.getValue()))
                        .toCompletableFuture()));
        Refusal unreachable = null;
        for (Map.Entry<String, CompletableFuture<CatalogReply>> reply : replies.entrySet()) {
            try {
                take(reply.getKey(), reply.getValue().join());
            } catch (CompletionException e) {
                Refusal refusal = refusalOf(e);
                refused.put(reply.getKey(), refusal);
                unreachable = refusal.code().status() == 503 ? refusal : unreachable;
            }
        }
        return unreachable;
    }

    private void take(String table, CatalogReply reply) {
        switch (reply) {
            case CatalogReply.Schema schema -> {
                if (schema.schema().version() > 0) {
                    agreed.put(table, schema.schema());
                } else {
                    tenantLimit = schema.limitMessage();
                }
                Map<String, String> limited = overLimit.computeIfAbsent(table, name -> new HashMap<>());
                schema.overLimit().forEach(column -> limited.put(column, schema.limitMessage()));
            }
            case CatalogReply.Refused no -> refused.put(table, no.refusal());
            case CatalogReply.Done done -> throw unexpected(done);
            case CatalogReply.Incarnation incarnation -> throw unexpected(incarnation);
            case CatalogReply.Dropped dropped -> throw unexpected(dropped);
        }
    }

    private static IllegalStateException unexpected(CatalogReply reply) {
        return new IllegalStateException("the catalog answered a schema proposal with " + reply);
    }

    static Refusal refusalOf(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof RefusedException refusal
                ? refusal.refusal()
                : Refusal.of(ErrorCode.NO_QUORUM, "no quorum: the catalog could not be asked (" + cause + ")");
    }

    /** Tables that this body has agreed on anew; for metrics. */
    Set<String> agreedTables() {
        return agreed.keySet();
    }
}
