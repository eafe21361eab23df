package dev.weir.partition.catalog;

import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.placement.PlacementPlanner;
import java.util.List;

/** Commands that tests begin with. */
final class CatalogSamples {
    static final NodeRecord N1 = new NodeRecord("n1", "h1", 7070, 7071, 7072, 0);
    static final NodeRecord N2 = new NodeRecord("n2", "h2", 7070, 7071, 7072, 0);
    static final NodeRecord N3 = new NodeRecord("n3", "h3", 7070, 7071, 7072, 0);

    private CatalogSamples() {}

    static CatalogCommand.Birth birth() {
        return new CatalogCommand.Birth(
                "c-1", 3, List.of(N1, N2, N3), PlacementPlanner.birth(4, 2, List.of("n1", "n2", "n3")));
    }

    static FoldedImage born() {
        return CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth())
                .image();
    }

    static ColumnWish tag(String name) {
        return new ColumnWish(name, ColumnRole.TAG, FieldType.STRING, false, false);
    }

    static ColumnWish field(String name, FieldType type) {
        return new ColumnWish(name, ColumnRole.FIELD, type, false, false);
    }

    static ColumnWish beyond(String name) {
        return new ColumnWish(name, ColumnRole.FIELD, FieldType.INT64, true, false);
    }

    static ColumnWish widening(String name) {
        return new ColumnWish(name, ColumnRole.FIELD, FieldType.FLOAT64, false, true);
    }

    static CatalogCommand.AgreeSchema agree(String table, ColumnWish... wishes) {
        return new CatalogCommand.AgreeSchema("default", table, List.of(wishes));
    }
}
