package dev.weir.query.sql.run;

import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.image.ReadOptions;
import java.util.Optional;

/**
 * A statement of a tenant.
 *
 * @param user the token that asks; empty without authentication
 * @param noWrite what is answered where the statement would change something; empty where it may
 */
public record SqlRequest(String tenant, String user, String text, ReadOptions options, Optional<Refusal> noWrite) {
    SqlRequest withText(String other) {
        return new SqlRequest(tenant, user, other, options, noWrite);
    }
}
