package dev.weir.query.sql.statement;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What waits and runs on all nodes. Implemented in node, which asks each node's {@link dev.weir.query.sql.run.QueryRegistry}. */
public interface ClusterQueries {
    /** The tenant's statements, oldest first. Nodes that do not answer in time are left out. */
    CompletionStage<List<QueryRow>> running(String tenant);

    /** Cancels a statement of the tenant, wherever it runs; false where none has that id. */
    CompletionStage<Boolean> kill(String tenant, String id);

    /**
     * One statement.
     *
     * @param state waiting or running
     * @param rows answered so far
     */
    record QueryRow(String id, String node, String state, Instant since, long rows, String text) {}
}
