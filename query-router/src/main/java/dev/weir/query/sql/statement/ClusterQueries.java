package dev.weir.query.sql.statement;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What waits and runs on all nodes. Implemented in node, which asks each node's {@link dev.weir.query.sql.run.QueryRegistry}. */
public interface ClusterQueries {
    /** The tenant's statements, and which nodes did not say theirs in time. */
    CompletionStage<Running> running(String tenant);

    /** Cancels a statement of the tenant, wherever it runs. */
    CompletionStage<Killed> kill(String tenant, String id);

    /**
     * @param queries oldest first
     * @param silent nodes that did not answer
     */
    record Running(List<QueryRow> queries, List<String> silent) {
        public Running {
            queries = List.copyOf(queries);
            silent = List.copyOf(silent);
        }
    }

    /**
     * @param killed false where no node that answered has the statement
     * @param silent nodes that did not answer
     */
    record Killed(boolean killed, List<String> silent) {
        public Killed {
            silent = List.copyOf(silent);
        }
    }

    /**
     * One statement.
     *
     * @param node where it runs
     * @param user the token that asked for it; empty without authentication
     * @param state waiting or running
     * @param rows answered so far
     * @param text as {@link ShownText} shows it
     */
    record QueryRow(String id, String node, String user, String state, Duration age, long rows, String text) {}
}
