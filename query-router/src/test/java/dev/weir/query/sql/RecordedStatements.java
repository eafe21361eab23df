package dev.weir.query.sql;

import dev.weir.partition.model.Cursor;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.TableStatements;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it was told to carry out. */
final class RecordedStatements implements TableStatements {
    /** One call. */
    record Inserted(String tenant, String table, List<String> columns, InsertRows rows) {}

    final List<Statement> executed = new CopyOnWriteArrayList<>();
    final List<Inserted> inserted = new CopyOnWriteArrayList<>();
    volatile List<RefusedRow> refuse = List.of();

    @Override
    public CompletionStage<StatementResult> execute(String tenant, Statement.OnTable statement, CancelSignal cancel) {
        executed.add(statement);
        return CompletableFuture.completedFuture(StatementResult.text("done", statement.table()));
    }

    @Override
    public CompletionStage<StatementResult> tables(String tenant) {
        return CompletableFuture.completedFuture(StatementResult.text("name", "tables of " + tenant));
    }

    @Override
    public CompletionStage<InsertOutcome> insert(String tenant, String table, List<String> columns, InsertRows rows) {
        inserted.add(new Inserted(tenant, table, columns, rows));
        return CompletableFuture.completedFuture(
                new InsertOutcome(rows.rows().size() - refuse.size(), refuse, Optional.of(Cursor.of(0, 7))));
    }
}
