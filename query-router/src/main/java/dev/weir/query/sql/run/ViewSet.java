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
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;

/**
 * One view per place in one session. An Arrow stream can be read once: each place has its own, and where a place may be read twice (in a WITH) the
 * rows go to a temporary table first. Closed after the statement ended.
 */
final class ViewSet implements AutoCloseable {
    private final DuckDBConnection connection;
    private final BufferAllocator allocator;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Making> makings = new ArrayList<>();
    private int relations;

    ViewSet(DuckDBConnection connection, BufferAllocator allocator) {
        this.connection = connection;
        this.allocator = allocator;
    }

    /** A step of making the views, to be done again in another session. */
    private interface Making {
        void in(ViewSet views) throws SQLException;
    }

    /** The same views, over the same images, in another session. */
    ViewSet again(DuckDBConnection session) throws SQLException {
        ViewSet views = new ViewSet(session, allocator);
        try {
            for (Making making : makings) {
                making.in(views);
            }
        } catch (SQLException e) {
            views.close();
            throw e;
        }
        return views;
    }

    /** Makes the views, and lets the places name them. */
    void create(SelectTree tree, List<Place> places, Map<String, TableImage> images) {
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            String view = "_weir_t" + i;
            String rows = place.isTable() ? table(tree, place, images) : place.rows();
            make(views -> views.execute("CREATE TEMP VIEW " + view + " AS " + rows));
            Nodes.pointTo(place.use().reference(), view);
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
        make(views -> views.register(name, buffer));
        if (twice) {
            String table = "_weir_b" + relations++;
            make(views -> views.execute("CREATE TEMP TABLE " + table + " AS SELECT * FROM " + Quoted.name(name)));
            return table;
        }
        return Quoted.name(name);
    }

    /** Carries DuckDB's own failure out of a callback. */
    static final class ViewFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final SQLException failure;

        ViewFailedException(SQLException failure) {
            super(failure);
            this.failure = failure;
        }

        SQLException failure() {
            return failure;
        }
    }

    private void make(Making making) {
        makings.add(making);
        try {
            making.in(this);
        } catch (SQLException e) {
            throw new ViewFailedException(e);
        }
    }

    private void register(String name, BufferImage buffer) {
        ArrowReader reader = buffer.batches().open(allocator);
        open.add(reader);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        open.add(stream);
        Data.exportArrayStream(allocator, reader, stream);
        connection.registerArrowStream(name, stream);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        for (AutoCloseable resource : open.reversed()) {
            try {
                resource.close();
            } catch (Exception e) {
                throw new IllegalStateException("buffered rows could not be released", e);
            }
        }
        open.clear();
    }
}
