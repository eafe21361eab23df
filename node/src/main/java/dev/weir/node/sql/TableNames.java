package dev.weir.node.sql;

import dev.weir.node.ingest.Awaiting;
import dev.weir.node.ingest.rows.NameRule;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds what statements name: the exact name, else the only one that differs in case, as SELECT does. Blocks; called on virtual threads. */
final class TableNames {
    private final Catalog catalog;

    TableNames(Catalog catalog) {
        this.catalog = catalog;
    }

    /** @throws RefusedException there is none */
    TableSchema table(String tenant, String name) {
        return find(tenant, name)
                .orElseThrow(
                        () -> new RefusedException(Refusal.of(ErrorCode.NOT_FOUND, "no table " + name + " is known")));
    }

    /** @throws RefusedException it is Weir's own */
    static void checkChange(String table) {
        RowFault own = NameRule.change(table);
        if (own != null) {
            throw new RefusedException(Refusal.of(own.code(), own.message()));
        }
    }

    /** One that is not known here is asked for once more in the newest image. */
    Optional<TableSchema> find(String tenant, String name) {
        Optional<TableSchema> here = known(tenant, name);
        if (here.isPresent()) {
            return here;
        }
        Awaiting.await(catalog.linearize());
        return known(tenant, name);
    }

    /** The column's name as the table spells it; the name itself where it has none. */
    static String column(TableSchema table, String name) {
        if (table.column(name).isPresent()) {
            return name;
        }
        return alike(table.columns(), Column::name, name).map(Column::name).orElse(name);
    }

    private Optional<TableSchema> known(String tenant, String name) {
        Optional<TableSchema> exact = catalog.image().table(tenant, name);
        return exact.isPresent() ? exact : alike(List.copyOf(catalog.image().tables(tenant)), TableSchema::name, name);
    }

    private static <T> Optional<T> alike(List<T> all, Function<T, String> nameOf, String name) {
        List<T> found = all.stream()
                .filter(each -> nameOf.apply(each).equalsIgnoreCase(name))
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }
}
