package dev.weir.query.sql;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.answer.AnswerBytes;
import dev.weir.query.sql.answer.AnswerFormat;
import dev.weir.query.sql.answer.AnswerOptions;
import dev.weir.query.sql.answer.RowEncoder;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.image.ReadCut;
import dev.weir.query.sql.run.ResultHead;
import dev.weir.query.sql.run.ResultSink;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One answer over HTTP. Nothing is sent before a piece is full or the answer is whole, so an early failure still has its own status; a later one cuts
 * the connection, so that no client takes what it got for the whole.
 *
 * <p>Threading: called by a seat's thread, which waits while too many bytes are on their way; the response is touched on its event loop alone.
 */
final class HttpAnswer implements ResultSink {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int ROWS_AT_ONCE = 128;
    /** RFC 9113: without a code of an error HTTP/2 clients take a reset for the end of the answer. */
    private static final long INTERNAL_ERROR = 2;

    private final HttpServerResponse response;
    private final Context context;
    private final AnswerFormat format;
    private final String tenant;
    private final AnswerBytes bytes = new AnswerBytes();
    private final RowEncoder encoder;
    private final ByteBudget budget;
    private Optional<ReadCut> cut = Optional.empty();
    private Optional<Cursor> commit = Optional.empty();
    private boolean started;
    private VectorSchemaRoot rows = VectorSchemaRoot.of();

    HttpAnswer(
            HttpServerResponse response,
            Context context,
            AnswerFormat format,
            AnswerOptions options,
            String tenant,
            int bytesMax) {
        this.response = response;
        this.context = context;
        this.format = format;
        this.tenant = tenant;
        this.encoder = RowEncoder.of(format, options, bytes);
        this.budget = new ByteBudget(bytesMax);
    }

    @Override
    public void begin(ResultHead head, VectorSchemaRoot root, CancelSignal signal) {
        rows = root;
        cut = head.cut();
        commit = head.commit();
        signal.onCancel(budget::close);
        write(() -> encoder.head(head, root));
    }

    @Override
    public void batch() {
        int count = rows.getRowCount();
        for (int from = 0; from < count; from += ROWS_AT_ONCE) {
            int first = from;
            write(() -> encoder.rows(first, Math.min(count, first + ROWS_AT_ONCE)));
            if (bytes.size() >= PIECE_BYTES) {
                send(bytes.take());
            }
        }
    }

    @Override
    public void end(long rowCount) {
        write(() -> encoder.tail(rowCount));
        Buffer last = Buffer.buffer(bytes.take());
        boolean first = !started;
        context.runOnContext(nothing -> {
            if (response.closed() || response.ended()) {
                return;
            }
            if (first) {
                putHeaders();
            }
            response.end(last);
        });
    }

    @Override
    public void fail(Refusal refusal, OptionalInt position) {
        boolean cutOff = started;
        context.runOnContext(nothing -> {
            if (cutOff) {
                response.reset(INTERNAL_ERROR);
            } else {
                SqlErrors.send(response, refusal, position);
            }
        });
    }

    /** What may go wrong with memory only. */
    private interface Writing {
        void run() throws IOException;
    }

    private static void write(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    private void send(byte[] piece) {
        if (!budget.acquire(piece.length)) {
            throw SqlRefusedException.nowhere(ErrorCode.CANCELED, "canceled");
        }
        boolean first = !started;
        started = true;
        context.runOnContext(nothing -> {
            if (response.closed() || response.ended()) {
                budget.release(piece.length);
                return;
            }
            if (first) {
                putHeaders();
                response.setChunked(true);
            }
            response.write(Buffer.buffer(piece)).onComplete(done -> budget.release(piece.length));
        });
    }

    private void putHeaders() {
        response.putHeader("Content-Type", format.contentType());
        cut.ifPresent(reflected -> {
            response.putHeader("Weir-Read", reflected.cursor().encode(tenant));
            reflected
                    .completeUntil()
                    .ifPresent(time -> response.putHeader(
                            "Weir-Complete-Until",
                            time.truncatedTo(ChronoUnit.MILLIS).toString()));
        });
        commit.ifPresent(cursor -> response.putHeader("Weir-Commit", cursor.encode(tenant)));
    }
}
