package dev.weir.query.sql.run;

import dev.weir.query.sql.statement.ClusterQueries;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The view over all nodes where there is one: also what each node answers of its own when others ask. */
public final class LocalQueries implements ClusterQueries {
    private final String node;
    private final QueryRegistry registry;

    public LocalQueries(String node, QueryRegistry registry) {
        this.node = node;
        this.registry = registry;
    }

    @Override
    public CompletionStage<List<QueryRow>> running(String tenant) {
        return CompletableFuture.completedFuture(
                registry.of(tenant).stream().map(this::row).toList());
    }

    @Override
    public CompletionStage<Boolean> kill(String tenant, String id) {
        return CompletableFuture.completedFuture(registry.kill(tenant, id));
    }

    private QueryRow row(RunningQuery query) {
        return new QueryRow(
                query.id(), node, query.isRunning() ? "running" : "waiting", query.since(), query.rows(), query.text());
    }
}
