package dev.weir.partition.catalog;

import java.util.Set;

/**
 * A token, without its secret.
 *
 * @param id shown to people
 * @param sha256 of the secret, lower-case hex
 * @param tenant whose data it opens; empty for ADMIN alone
 */
public record TokenRecord(String id, String sha256, String tenant, Set<Scope> scopes, long createdAtNanos) {
    public TokenRecord {
        scopes = Set.copyOf(scopes);
    }
}
