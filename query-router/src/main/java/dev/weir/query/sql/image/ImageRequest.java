package dev.weir.query.sql.image;

import java.util.List;

/**
 * What one statement reads.
 *
 * @param needs one per table, in no order; each table once
 */
public record ImageRequest(String tenant, List<TableNeed> needs, ReadOptions options) {
    public ImageRequest {
        needs = List.copyOf(needs);
    }
}
