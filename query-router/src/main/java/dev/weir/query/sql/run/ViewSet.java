package dev.weir.query.sql.run;

import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.image.BufferImage;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.plan.CounterFunctions;
import dev.weir.query.sql.plan.Inlined;
import dev.weir.query.sql.plan.NewestRows;
import dev.weir.query.sql.plan.Quoted;
import dev.weir.query.sql.plan.TableView;
import dev.weir.query.sql.plan.VisibleColumns;
import dev.weir.query.sql.run.PlannedSelect.Place;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What stands at each place where a statement names a table. An Arrow stream can be read once: each place has its own, and where a place may be read twice (in
 * a WITH) the rows go to a temporary table first.
 */
final class ViewSet {
    private static final long SMALL_ROWS = 100_000;

    /** Unknown to users, so that they cannot write such a name. */
    private static final String MARK = UUID.randomUUID().toString().replace("-", "");

    private static final Pattern NAME = Pattern.compile("_weir_" + MARK + "_\\d+");

    private final List<Making> makings = new ArrayList<>();
    private final Map<String, String> views = new HashMap<>();
    private int relations;

    /** A step of making what the views read. */
    private interface Making {
        void in(Session session) throws SQLException;
    }

    /** Plans the views, and lets the places name them. */
    static ViewSet of(SelectTree tree, List<Place> places, Map<String, TableImage> images) {
        ViewSet set = new ViewSet();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            String view = "_weir_" + MARK + "_" + i;
            set.views.put(view, place.isTable() ? set.table(tree, place, images) : place.rows());
            Nodes.pointTo(place.use().reference(), view);
        }
        return set;
    }

    /** The text with the views in the place of their names. */
    Inlined into(String text) {
        return Inlined.of(text, NAME, views);
    }

    /** Makes what they read; in as many sessions as need be. */
    void makeIn(Session session) throws SQLException {
        for (Making making : makings) {
            making.in(session);
        }
    }

    private String table(SelectTree tree, Place place, Map<String, TableImage> images) {
        TableImage image = images.get(place.table());
        if (image == null) {
            throw new IllegalStateException("the images lack table " + place.table());
        }
        VisibleColumns columns = VisibleColumns.of(image.schema());
        List<String> newest = isSmall(image) ? List.of() : NewestRows.tags(place.use(), columns);
        boolean twice = place.use().maybeTwice() || !newest.isEmpty();
        Optional<UnaryOperator<String>> steps =
                newest.isEmpty() ? CounterFunctions.overTable(tree, place.use(), columns) : Optional.empty();
        TableView view = new TableView(
                image,
                place.times(),
                // Steps are taken within a series, which all tags name.
                column -> place.shown().test(column.name()) || (steps.isPresent() && column.isTag()),
                buffers -> relation(buffers, twice));
        return newest.isEmpty()
                ? steps.orElse(UnaryOperator.identity()).apply(view.select())
                : NewestRows.of(view.select(), newest);
    }

    /** Sorted whole in less time than it takes to look for the newest rows first. */
    private static boolean isSmall(TableImage image) {
        return image.parts().stream().allMatch(part -> part.files().isEmpty())
                && image.parts().stream()
                                .flatMap(part -> part.buffers().stream())
                                .mapToLong(BufferImage::rows)
                                .sum()
                        <= SMALL_ROWS;
    }

    private String relation(List<BufferImage> buffers, boolean twice) {
        String name = "_weir_b" + relations++;
        makings.add(session -> session.register(name, buffers));
        if (!twice) {
            return Quoted.name(name);
        }
        String table = "_weir_b" + relations++;
        makings.add(
                session -> session.execute("CREATE TEMP TABLE " + table + " AS SELECT * FROM " + Quoted.name(name)));
        return table;
    }
}
