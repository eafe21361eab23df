package dev.weir.partition.catalog;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.util.List;

/** What deciding a command came to: what it changes, and what it answers. */
record CatalogDecision(List<CatalogChange> changes, CatalogReply reply) {
    static CatalogDecision done(long version, CatalogChange... changes) {
        return new CatalogDecision(List.of(changes), new CatalogReply.Done(version));
    }

    static CatalogDecision refused(long version, ErrorCode code, String message) {
        return new CatalogDecision(List.of(), new CatalogReply.Refused(version, Refusal.of(code, message)));
    }
}
