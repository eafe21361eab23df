package dev.weir.node.auth;

import dev.weir.partition.catalog.Scope;
import java.util.Set;

/**
 * Who calls.
 *
 * @param tenant whose data the caller may use; empty for the admin, who reads none
 * @param tokenId for the log; {@code admin} for the admin token of the configuration, empty without authentication
 * @param authenticated false where the node runs without authentication
 */
public record Caller(String tenant, Set<Scope> scopes, String tokenId, boolean authenticated) {
    public Caller {
        scopes = Set.copyOf(scopes);
    }

    /** Whether the caller has the scope, and for the data scopes a tenant to use it on. */
    public boolean may(Scope scope) {
        return scopes.contains(scope) && (scope == Scope.ADMIN || !tenant.isEmpty());
    }
}
