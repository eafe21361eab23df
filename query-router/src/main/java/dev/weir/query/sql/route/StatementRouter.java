package dev.weir.query.sql.route;

import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Has statements answered by another node where that is better. Implemented in node. */
public interface StatementRouter {
    /** Answers everything here. */
    StatementRouter LOCAL = new StatementRouter() {
        @Override
        public Optional<String> target(String tenant) {
            return Optional.empty();
        }

        @Override
        public void send(String node, RoutedStatement statement, HttpServerResponse response, Runnable otherwise) {
            otherwise.run();
        }
    };

    /** The node that should answer a statement that reads; empty: this one. Never blocks. */
    Optional<String> target(String tenant);

    /**
     * Passes the node's answer on, as it comes, at the client's pace. The answer that breaks off breaks off here too; a client that leaves ends the
     * statement there.
     *
     * @param otherwise run on the caller's context, once at most: the node did not take the statement, and the client has got nothing yet
     */
    void send(String node, RoutedStatement statement, HttpServerResponse response, Runnable otherwise);
}
