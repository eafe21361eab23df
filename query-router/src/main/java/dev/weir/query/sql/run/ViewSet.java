package dev.weir.query.sql.run;

import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.image.BufferImage;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.plan.CounterFunctions;
import dev.weir.query.sql.plan.Quoted;
import dev.weir.query.sql.plan.TableView;
import dev.weir.query.sql.plan.VisibleColumns;
import dev.weir.query.sql.run.PlannedSelect.Place;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One view per place where a statement names a table. An Arrow stream can be read once: each place has its own, and where a place may be read twice (in
 * a WITH) the rows go to a temporary table first.
 */
final class ViewSet {
    private final List<Making> makings = new ArrayList<>();
    private int relations;

    /** A step of making the views. */
    private interface Making {
        void in(Session session) throws SQLException;
    }

    /** Plans the views, and lets the places name them. */
    static ViewSet of(SelectTree tree, List<Place> places, Map<String, TableImage> images) {
        ViewSet views = new ViewSet();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            String view = "_weir_t" + i;
            String rows = place.isTable() ? views.table(tree, place, images) : place.rows();
            views.makings.add(session -> session.execute("CREATE TEMP VIEW " + view + " AS " + rows));
            Nodes.pointTo(place.use().reference(), view);
        }
        return views;
    }

    /** Makes them; in as many sessions as need be. */
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
        boolean twice = place.use().maybeTwice();
        String rows = new TableView(image, place.bounds().times(), buffer -> relation(buffer, twice)).select();
        return CounterFunctions.overTable(tree, place.use(), VisibleColumns.of(image.schema()))
                .apply(rows);
    }

    private String relation(BufferImage buffer, boolean twice) {
        String name = "_weir_b" + relations++;
        makings.add(session -> session.register(name, buffer));
        if (!twice) {
            return Quoted.name(name);
        }
        String table = "_weir_b" + relations++;
        makings.add(
                session -> session.execute("CREATE TEMP TABLE " + table + " AS SELECT * FROM " + Quoted.name(name)));
        return table;
    }
}
