package dev.weir.query.sql.answer;

import dev.weir.query.sql.run.ResultHead;
import java.io.IOException;
import java.nio.channels.Channels;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.jspecify.annotations.Nullable;

/** An Arrow IPC stream; its end-of-stream mark is written by {@link #tail} alone. The root stays its owner's, so the writer is never closed. */
final class ArrowRows implements RowEncoder {
    private final AnswerBytes out;
    private @Nullable ArrowStreamWriter writer;
    private @Nullable VectorSchemaRoot root;

    ArrowRows(AnswerBytes out) {
        this.out = out;
    }

    @Override
    public void head(ResultHead head, VectorSchemaRoot rows) throws IOException {
        ArrowStreamWriter stream = new ArrowStreamWriter(rows, null, Channels.newChannel(out));
        stream.start();
        writer = stream;
        root = rows;
    }

    /** A batch is one message: it goes out with its last row. */
    @Override
    public void rows(int from, int to) throws IOException {
        if (root != null && to == root.getRowCount()) {
            begun().writeBatch();
        }
    }

    @Override
    public void tail(long rowCount) throws IOException {
        begun().end();
    }

    private ArrowStreamWriter begun() {
        if (writer == null) {
            throw new IllegalStateException("rows before the head");
        }
        return writer;
    }
}
