package dev.weir.query.sql.run;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.sql.gate.SelectParser;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.ImageRequest;
import dev.weir.query.sql.image.ImageSet;
import dev.weir.query.sql.image.ReadCut;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TableImages;
import dev.weir.query.sql.image.TableNeed;
import dev.weir.query.sql.plan.CounterFunctions;
import dev.weir.query.sql.plan.GapFill;
import dev.weir.query.sql.plan.Inlined;
import dev.weir.query.sql.plan.LateTimes;
import dev.weir.query.sql.plan.TimeFunctions;
import dev.weir.query.sql.run.ResultHead.ResultColumn;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/** One SELECT on one seat, from text to the last row. Blocks; a seat's thread. */
final class SelectRun {
    private static final long BATCH_ROWS = 2048;

    private final Ports ports;
    private final SqlRequest request;
    private final RunningQuery query;
    private final ResultSink sink;
    private final Explain explain;
    private boolean begun;

    /** What a run works with. */
    record Ports(Catalog catalog, TableImages images, BufferAllocator allocator, SqlConfig config) {}

    SelectRun(Ports ports, SqlRequest request, RunningQuery query, ResultSink sink, Explain explain) {
        this.explain = explain;
        this.ports = ports;
        this.request = request;
        this.query = query;
        this.sink = sink;
    }

    void on(Seat seat, long nowNanos) {
        try {
            boolean again = attempt(seat, nowNanos, true);
            if (again) {
                attempt(seat, nowNanos, false);
            }
        } catch (SqlRefusedException e) {
            sink.fail(query.because(e.refusal(), ports.config), e.position());
        } catch (RefusedException e) {
            sink.fail(query.because(e.refusal(), ports.config), OptionalInt.empty());
        } catch (RuntimeException | Error e) {
            sink.fail(Refusal.of(ErrorCode.INTERNAL, "the statement failed: " + e), OptionalInt.empty());
            throw e;
        }
    }

    /** True where a file was gone before the first row, and new images may help. */
    private boolean attempt(Seat seat, long nowNanos, boolean mayRetry) {
        try (Session session = new Session(seat.instance(), ports.allocator)) {
            SelectTree tree = session.parser().parse(request.text());
            Inlined text = Inlined.NONE;
            try {
                PlannedSelect plan = PlannedSelect.of(
                        tree,
                        new TenantTables(ports.catalog, request.tenant()),
                        new ConstantClock(session.connection(), session.parser()),
                        nowNanos);
                ImageSet images = session.keep(open(plan.needs()));
                Map<String, TableImage> tables = byTable(plan.needs(), images);
                LateTimes late = late(plan.places(), tables);
                ViewSet views = ViewSet.of(tree, plan.places(), tables);
                views.makeIn(session);
                text = views.into(text(session.parser(), plan, late));
                answer(seat, session, plan, images, views, text);
                return false;
            } catch (FailedException e) {
                return failed(e.error, seat, session, tree, text, mayRetry);
            } catch (SQLException e) {
                return failed(DuckErrors.of(e), seat, session, tree, text, mayRetry);
            }
        } catch (SQLException e) {
            throw SqlRefusedException.nowhere(ErrorCode.INTERNAL, "DuckDB gave no session: " + e.getMessage());
        }
    }

    private void answer(Seat seat, Session session, PlannedSelect plan, ImageSet images, ViewSet views, Inlined text)
            throws SQLException {
        Optional<ReadCut> cut = plan.needs().isEmpty() ? Optional.empty() : Optional.of(images.cut());
        try {
            if (explain == Explain.NO) {
                execute(session.connection(), text.text(), cut);
            } else {
                ResultRoot.send(
                        ExplainedPlan.of(plan, images, explain, session.connection(), text.text()),
                        cut,
                        sink,
                        query.cancellation(),
                        ports.allocator);
            }
        } catch (SQLException e) {
            DuckErrors error = DuckErrors.of(e).movedBy(-explain.prefix().length());
            if (!error.isLost()) {
                throw new FailedException(error);
            }
            stopIfCanceled();
            try (Session again = new Session(seat.instance(), ports.allocator)) {
                throw new FailedException(LostError.find(again, views, text.text(), query));
            }
        } catch (IOException e) {
            throw new FailedException(DuckErrors.of(e));
        }
    }

    /** The text that DuckDB runs. */
    private static String text(SelectParser parser, PlannedSelect plan, LateTimes late) throws SQLException {
        CounterFunctions.overGroups(plan.tree());
        TimeFunctions.apply(plan.tree().query(), late);
        for (GapFill gap : plan.gaps()) {
            gap.compose(parser);
        }
        return parser.print(plan.tree().statement());
    }

    private static LateTimes late(List<PlannedSelect.Place> places, Map<String, TableImage> tables) {
        TableImage image = places.size() == 1 ? tables.get(places.getFirst().table()) : null;
        return image == null
                ? LateTimes.NONE
                : LateTimes.of(places.getFirst().use(), image, places.getFirst().times());
    }

    private ImageSet open(List<TableNeed> needs) {
        stopIfCanceled();
        if (needs.isEmpty()) {
            return new NoImages();
        }
        return Awaiting.answer(
                ports.images.open(new ImageRequest(request.tenant(), needs, request.options()), query.cancellation()),
                query.cancellation(),
                ImageSet::close);
    }

    /** For a statement that reads no table. */
    private static final class NoImages implements ImageSet {
        @Override
        public List<TableImage> images() {
            return List.of();
        }

        @Override
        public ReadCut cut() {
            return new ReadCut(new Cursor(new java.util.TreeMap<>()), Optional.empty());
        }

        @Override
        public void close() {}
    }

    private static Map<String, TableImage> byTable(List<TableNeed> needs, ImageSet images) {
        Map<String, TableImage> byTable = new HashMap<>();
        for (int i = 0; i < needs.size(); i++) {
            byTable.put(needs.get(i).table(), images.images().get(i));
        }
        return byTable;
    }

    private void execute(DuckDBConnection connection, String text, Optional<ReadCut> cut)
            throws SQLException, IOException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            query.runs(statement);
            stopIfCanceled();
            try (ResultSet result = statement.executeQuery();
                    ArrowReader reader = (ArrowReader)
                            result.unwrap(DuckDBResultSet.class).arrowExportStream(ports.allocator, BATCH_ROWS)) {
                begun = true;
                sink.begin(
                        new ResultHead(columns(result.getMetaData()), cut, Optional.empty()),
                        reader.getVectorSchemaRoot(),
                        query.cancellation());
                sink.end(stream(reader));
            } finally {
                query.runs(null);
            }
        }
    }

    private long stream(ArrowReader reader) throws IOException {
        long total = 0;
        while (reader.loadNextBatch()) {
            total = query.addRows(reader.getVectorSchemaRoot().getRowCount());
            if (total > ports.config.rowsMax()) {
                throw SqlRefusedException.nowhere(
                        ErrorCode.LIMIT_QUERY,
                        "sql.rows-max: the answer has more than " + ports.config.rowsMax()
                                + " rows; narrow it, or add LIMIT");
            }
            stopIfCanceled();
            sink.batch();
        }
        stopIfCanceled();
        return total;
    }

    private static List<ResultColumn> columns(ResultSetMetaData data) throws SQLException {
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
            columns.add(new ResultColumn(data.getColumnLabel(i), data.getColumnTypeName(i)));
        }
        return columns;
    }

    /** Carries what DuckDB said about the statement itself. */
    private static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient DuckErrors error;

        FailedException(DuckErrors error) {
            super(error.message(), null, false, false);
            this.error = error;
        }
    }

    private boolean failed(
            DuckErrors error, Seat seat, Session session, SelectTree tree, Inlined text, boolean mayRetry) {
        stopIfCanceled();
        if (error.isFileTrouble() && mayRetry && !begun) {
            return true;
        }
        if (error.isBroken()) {
            seat.discard();
            throw SqlRefusedException.nowhere(error.code(), error.words(ports.config));
        }
        throw new SqlRefusedException(error.code(), error.words(ports.config), position(session, tree, text, error));
    }

    private static int position(Session session, SelectTree tree, Inlined text, DuckErrors error) {
        int location = error.location() < 0 ? -1 : text.namedLocation(error.location());
        if (text.named().isEmpty() || location < 0) {
            return 0;
        }
        try {
            return PositionMap.position(tree, session.parser().parse(text.named()), location);
        } catch (SQLException | SqlRefusedException e) {
            return 0;
        }
    }

    private void stopIfCanceled() {
        if (query.cancellation().isCanceled()) {
            throw Awaiting.canceled();
        }
    }
}
