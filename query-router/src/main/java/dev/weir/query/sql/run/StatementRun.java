package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.statement.ClusterQueries;
import dev.weir.query.sql.statement.ClusterQueries.Killed;
import dev.weir.query.sql.statement.ClusterQueries.QueryRow;
import dev.weir.query.sql.statement.ClusterQueries.Running;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.StatementResult.Column;
import dev.weir.query.sql.statement.TableStatements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Carries out a statement that needs no DuckDB. Blocks; a virtual thread of its own. */
final class StatementRun {
    private final TableStatements statements;
    private final ClusterQueries cluster;
    private final RunningQuery query;
    private final ResultSink sink;
    private final BufferAllocator allocator;
    private final SqlConfig config;

    StatementRun(
            TableStatements statements,
            ClusterQueries cluster,
            RunningQuery query,
            ResultSink sink,
            BufferAllocator allocator,
            SqlConfig config) {
        this.statements = statements;
        this.cluster = cluster;
        this.query = query;
        this.sink = sink;
        this.allocator = allocator;
        this.config = config;
    }

    void run(Statement statement) {
        int position = statement.position();
        try {
            ResultRoot.send(result(statement), Optional.empty(), sink, query.cancellation(), allocator);
        } catch (SqlRefusedException e) {
            sink.fail(query.because(e.refusal(), config), e.position());
        } catch (RefusedException e) {
            sink.fail(query.because(e.refusal(), config), OptionalInt.of(position));
        } catch (RuntimeException e) {
            sink.fail(Refusal.of(ErrorCode.INTERNAL, "the statement failed: " + e.getMessage()), OptionalInt.empty());
            throw e;
        }
    }

    private StatementResult result(Statement statement) {
        return switch (statement) {
            case Statement.OnTable onTable ->
                Awaiting.answer(
                        statements.execute(query.tenant(), onTable, query.cancellation()),
                        query.cancellation(),
                        late -> {});
            case Statement.ShowQueries show ->
                queries(Awaiting.answer(cluster.running(query.tenant()), query.cancellation(), late -> {}));
            case Statement.KillQuery kill -> kill(kill);
            case Statement.ShowTables show ->
                Awaiting.answer(statements.tables(query.tenant()), query.cancellation(), late -> {});
            case Statement.ShowColumns show -> throw elsewhere(show);
            case Statement.Insert insert -> throw elsewhere(insert);
        };
    }

    private static IllegalStateException elsewhere(Statement statement) {
        return new IllegalStateException("runs on a seat: " + statement);
    }

    private StatementResult kill(Statement.KillQuery kill) {
        Killed outcome = Awaiting.answer(cluster.kill(query.tenant(), kill.id()), query.cancellation(), late -> {});
        if (!outcome.killed()) {
            throw notKilled(kill, outcome.silent());
        }
        return StatementResult.text("killed", kill.id());
    }

    private static SqlRefusedException notKilled(Statement.KillQuery kill, List<String> silent) {
        return silent.isEmpty()
                ? new SqlRefusedException(ErrorCode.NOT_FOUND, "no query " + kill.id() + " is running", kill.position())
                : new SqlRefusedException(
                        ErrorCode.UNKNOWN_OUTCOME,
                        "query " + kill.id() + " runs on no node that answered; no answer from "
                                + String.join(", ", silent),
                        kill.position());
    }

    /** All but this statement itself. A node that did not answer has a row that says so. */
    private StatementResult queries(Running running) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (QueryRow row : running.queries()) {
            if (row.id().equals(query.id())) {
                continue;
            }
            double age = row.age().toMillis() / 1000.0;
            rows.add(new Object[] {row.id(), row.node(), row.user(), row.state(), age, row.rows(), row.text()});
        }
        for (String node : running.silent()) {
            rows.add(new @Nullable Object[] {null, node, null, "no answer", null, null, null});
        }
        return new StatementResult(
                List.of(
                        new Column("id", "VARCHAR"),
                        new Column("node", "VARCHAR"),
                        new Column("user", "VARCHAR"),
                        new Column("state", "VARCHAR"),
                        new Column("age_seconds", "DOUBLE"),
                        new Column("rows", "BIGINT"),
                        new Column("query", "VARCHAR")),
                rows,
                Optional.empty());
    }
}
