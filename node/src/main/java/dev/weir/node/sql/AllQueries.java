package dev.weir.node.sql;

import dev.weir.node.internal.QueryCalls;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.statement.ClusterQueries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Statements of all nodes: asks each node of the catalog at once, and says which of them did not answer. Any thread. */
public final class AllQueries implements ClusterQueries {
    private final String self;
    private final Supplier<Collection<NodeRecord>> nodes;
    private final QueryCalls calls;
    private final ClusterQueries here;

    /** @param here this node's own */
    public AllQueries(String self, Supplier<Collection<NodeRecord>> nodes, QueryCalls calls, ClusterQueries here) {
        this.self = self;
        this.nodes = nodes;
        this.calls = calls;
        this.here = here;
    }

    @Override
    public CompletionStage<Running> running(String tenant) {
        CompletionStage<Running> own = here.running(tenant);
        return askOthers(node -> calls.running(node, tenant)).thenCombine(own, (others, mine) -> {
            List<QueryRow> all = new ArrayList<>(mine.queries());
            others.values().stream().flatMap(List::stream).forEach(all::add);
            all.sort(Comparator.comparing(QueryRow::age).reversed());
            return new Running(all, others.silent());
        });
    }

    @Override
    public CompletionStage<Killed> kill(String tenant, String id) {
        QueryCalls.Named query = new QueryCalls.Named(tenant, id);
        CompletionStage<Killed> own = here.kill(tenant, id);
        return askOthers(node -> calls.kill(node, query))
                .thenCombine(
                        own,
                        (others, mine) ->
                                new Killed(mine.killed() || others.values().contains(true), others.silent()));
    }

    /** What the other nodes said, and those that said nothing. */
    private record Answers<T>(List<T> values, List<String> silent) {}

    private <T> CompletionStage<Answers<T>> askOthers(Function<NodeRecord, CompletionStage<T>> question) {
        Map<String, CompletableFuture<@Nullable T>> asked = new TreeMap<>();
        for (NodeRecord node : nodes.get()) {
            if (!node.id().equals(self)) {
                asked.put(
                        node.id(),
                        question.apply(node)
                                .<@Nullable T>handle((answer, failure) -> failure == null ? answer : null)
                                .toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<T> values = new ArrayList<>();
                    List<String> silent = new ArrayList<>();
                    asked.forEach((node, answer) -> {
                        T value = answer.join();
                        if (value == null) {
                            silent.add(node);
                        } else {
                            values.add(value);
                        }
                    });
                    return new Answers<>(values, silent);
                });
    }
}
