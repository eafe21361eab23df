package dev.weir.query.sql.run;

import dev.weir.query.sql.gate.SelectParser;
import dev.weir.query.sql.image.BufferImage;
import dev.weir.query.sql.image.ImageSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * One statement's session with DuckDB, and what it reads from. Closed in the order that is safe: DuckDB lets go first, then buffered rows are released,
 * then the images.
 */
final class Session implements AutoCloseable {
    private final DuckDBConnection connection;
    private final BufferAllocator allocator;
    private final SelectParser parser;
    private final List<AutoCloseable> streams = new ArrayList<>();
    private @Nullable ImageSet images;

    Session(DuckInstance instance, BufferAllocator allocator) throws SQLException {
        this.connection = instance.connect();
        this.allocator = allocator;
        this.parser = instance.parser();
    }

    DuckDBConnection connection() {
        return connection;
    }

    SelectParser parser() {
        return parser;
    }

    /** Takes the images over. */
    ImageSet keep(ImageSet opened) {
        images = opened;
        return opened;
    }

    /** Lets DuckDB know buffered rows by a name; they can be read once. All have the same columns: each stream costs DuckDB some milliseconds. */
    void register(String name, List<BufferImage> buffers) {
        ArrowReader reader =
                new ChainedReader(buffers.stream().map(BufferImage::batches).toList(), allocator);
        streams.add(reader);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        streams.add(stream);
        Data.exportArrayStream(allocator, reader, stream);
        connection.registerArrowStream(name, stream);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        try {
            connection.close();
        } finally {
            release();
            ImageSet kept = images;
            if (kept != null) {
                kept.close();
            }
        }
    }

    private void release() {
        for (AutoCloseable stream : streams.reversed()) {
            try {
                stream.close();
            } catch (Exception e) {
                throw new IllegalStateException("buffered rows could not be released", e);
            }
        }
    }
}
