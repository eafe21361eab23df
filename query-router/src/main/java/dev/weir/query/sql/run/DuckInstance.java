package dev.weir.query.sql.run;

import dev.weir.query.sql.gate.SelectParser;
import dev.weir.query.sql.gate.SelectShapes;
import dev.weir.query.sql.plan.Quoted;
import dev.weir.query.sql.plan.TimeFunctions;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/**
 * A DuckDB of its own, in memory, with its settings locked: it reads Parquet below the given folders and nothing else of the machine. Its memory limit
 * is one statement's, since one statement runs in it at a time.
 */
final class DuckInstance implements AutoCloseable {
    private final DuckDBConnection root;
    private final SelectParser parser;

    private DuckInstance(DuckDBConnection root, SelectShapes shapes) throws SQLException {
        this.root = root;
        this.parser = new SelectParser(root.duplicate(), shapes);
    }

    static DuckInstance open(SqlConfig config, List<Path> readable, Path spill, SelectShapes shapes)
            throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("jdbc_stream_results", "true");
        DuckDBConnection root =
                DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class);
        try (Statement statement = root.createStatement()) {
            for (String setting : settings(config, readable, spill)) {
                statement.execute(setting);
            }
        } catch (SQLException e) {
            root.close();
            throw e;
        }
        return new DuckInstance(root, shapes);
    }

    /** The one parser of all statements that run here. */
    SelectParser parser() {
        return parser;
    }

    /** A session for one statement: its views and tables go with it. */
    DuckDBConnection connect() throws SQLException {
        return root.duplicate();
    }

    @Override
    public void close() throws SQLException {
        parser.close();
        root.close();
    }

    private static List<String> settings(SqlConfig config, List<Path> readable, Path spill) {
        String folders = readable.stream()
                .map(folder -> Quoted.text(folder.toAbsolutePath() + "/"))
                .collect(Collectors.joining(", "));
        List<String> settings = new ArrayList<>(List.of(
                "SET GLOBAL threads = " + config.threads(),
                "SET GLOBAL memory_limit = '" + config.memoryBytes() + " B'",
                "SET GLOBAL temp_directory = "
                        + Quoted.text(spill.toAbsolutePath().toString()),
                "SET GLOBAL max_temp_directory_size = '" + config.spillBytes() + " B'",
                // Files never change: what their footers say can be kept.
                "SET GLOBAL parquet_metadata_cache = true",
                "SET GLOBAL TimeZone = 'UTC'",
                "SET GLOBAL Calendar = 'gregorian'",
                "SET GLOBAL errors_as_json = true"));
        settings.addAll(TimeFunctions.MACROS);
        settings.addAll(List.of(
                "SET GLOBAL autoinstall_known_extensions = false",
                "SET GLOBAL autoload_known_extensions = false",
                "SET GLOBAL allow_community_extensions = false",
                "SET GLOBAL allowed_directories = [" + folders + "]",
                "SET GLOBAL enable_external_access = false",
                "SET GLOBAL lock_configuration = true"));
        return settings;
    }
}
