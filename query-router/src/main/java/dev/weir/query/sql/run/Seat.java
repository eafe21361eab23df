package dev.weir.query.sql.run;

import dev.weir.query.sql.gate.SelectShapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place for one statement at a time: an instance of DuckDB, opened when first used and anew after it broke. Used by its own thread alone. */
final class Seat {
    private final SqlConfig config;
    private final List<Path> readable;
    private final Path spill;
    private final SelectShapes shapes;
    private @Nullable DuckInstance instance;

    Seat(SqlConfig config, List<Path> readable, Path spill, SelectShapes shapes) {
        this.config = config;
        this.readable = readable;
        this.spill = spill;
        this.shapes = shapes;
    }

    DuckInstance instance() throws SQLException {
        DuckInstance open = instance;
        if (open == null) {
            // DuckDB makes one level of a folder, not its parents.
            try {
                Files.createDirectories(spill);
            } catch (IOException e) {
                throw new SQLException(
                        "the folder for what does not fit in memory could not be made: " + e.getMessage(), e);
            }
            open = DuckInstance.open(config, readable, spill, shapes);
            instance = open;
        }
        return open;
    }

    /** DuckDB refuses all further work after an internal error: the next statement gets a fresh one. */
    void discard() {
        DuckInstance broken = instance;
        instance = null;
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                throw new IllegalStateException("an instance of DuckDB could not be closed", e);
            }
        }
    }
}
