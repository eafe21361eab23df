package dev.weir.partition.engine;

import java.util.List;

/**
 * Tables of which a lease is to hold a cut.
 *
 * @param tables names; empty for all of the tenant but its dead letters
 * @param leaseId 16 hex digits
 */
public record CutRequest(String tenant, List<String> tables, String leaseId) {
    public CutRequest {
        tables = List.copyOf(tables);
    }
}
