package dev.weir.query.sql.run;

import dev.weir.query.sql.statement.ClusterQueries;
import dev.weir.query.sql.statement.ShownText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The view over all nodes where there is one: also what each node answers of its own when others ask. */
public final class LocalQueries implements ClusterQueries {
    private final String node;
    private final QueryRegistry registry;
    private final InstantSource clock;

    public LocalQueries(String node, QueryRegistry registry, InstantSource clock) {
        this.node = node;
        this.registry = registry;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Running> running(String tenant) {
        return CompletableFuture.completedFuture(
                new Running(registry.of(tenant).stream().map(this::row).toList(), List.of()));
    }

    @Override
    public CompletionStage<Killed> kill(String tenant, String id) {
        return CompletableFuture.completedFuture(new Killed(registry.kill(tenant, id), List.of()));
    }

    private QueryRow row(RunningQuery query) {
        return new QueryRow(
                query.id(),
                node,
                query.user(),
                query.isRunning() ? "running" : "waiting",
                Duration.between(query.since(), clock.instant()),
                query.rows(),
                ShownText.of(query.text()));
    }
}
