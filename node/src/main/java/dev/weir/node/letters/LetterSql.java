package dev.weir.node.letters;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements of a tenant, with small answers. Blocks. */
interface LetterSql {
    /**
     * The rows, of Long, Boolean, String, or null.
     *
     * @throws dev.weir.partition.model.RefusedException the statement was
     */
    List<@Nullable Object[]> run(String tenant, String statement);

    /** The only cell of the only row; 0 where it is NULL. */
    default long number(String tenant, String statement) {
        List<@Nullable Object[]> rows = run(tenant, statement);
        return rows.isEmpty() || rows.getFirst()[0] == null ? 0 : ((Number) rows.getFirst()[0]).longValue();
    }
}
