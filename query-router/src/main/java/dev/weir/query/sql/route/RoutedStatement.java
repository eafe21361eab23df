package dev.weir.query.sql.route;

import java.util.List;

/**
 * A statement that reads, as one node gives it to another.
 *
 * @param accept the client's header; empty where it sent none
 * @param parameters of the address, but for the statement and secrets
 */
public record RoutedStatement(String tenant, String user, String text, String accept, List<Parameter> parameters) {
    public RoutedStatement {
        parameters = List.copyOf(parameters);
    }

    /** One of them; a name may occur again. */
    public record Parameter(String name, String value) {}
}
