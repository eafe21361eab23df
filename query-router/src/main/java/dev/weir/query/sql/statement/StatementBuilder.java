package dev.weir.query.sql.statement;

import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.statement.Statement.ColumnDefinition;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.AddColumnContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.AlterTableContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ColumnDefinitionContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ColumnTypeContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.CreateTableContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.DropColumnContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.DropTableContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.InsertContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.NameContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.OptionContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.SetOptionsContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ShowColumnsContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ShowContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ShowCreateTableContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ShowQueriesContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.StatementContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.TypeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;

/** Makes records of what the grammar recognized. */
final class StatementBuilder {
    private static final String TYPES = "TAG, BIGINT, DOUBLE, UBIGINT, BOOLEAN or VARCHAR";

    private final String text;
    private final long nowNanos;

    StatementBuilder(String text, long nowNanos) {
        this.text = text;
        this.nowNanos = nowNanos;
    }

    Statement statement(StatementContext node) {
        if (node.insert() != null) {
            return insert(node.insert());
        }
        if (node.delete() != null) {
            return new DeleteConditions(this, nowNanos).delete(node.delete());
        }
        if (node.createTable() != null) {
            return createTable(node.createTable());
        }
        if (node.alterTable() != null) {
            return alterTable(node.alterTable());
        }
        if (node.dropTable() != null) {
            DropTableContext drop = node.dropTable();
            return new Statement.DropTable(name(drop.table), drop.EXISTS() != null, position(drop.table));
        }
        if (node.flushTable() != null) {
            return new Statement.FlushTable(name(node.flushTable().table), position(node.flushTable().table));
        }
        if (node.compactTable() != null) {
            return new Statement.CompactTable(name(node.compactTable().table), position(node.compactTable().table));
        }
        if (node.killQuery() != null) {
            ParserRuleContext kill = node.killQuery();
            String id = source(kill.getStart().getStartIndex(), kill.getStop().getStopIndex())
                    .replaceFirst("(?is)\\A\\S+\\s+query\\s+", "");
            return new Statement.KillQuery(unquoted(id), position(kill));
        }
        return show(node.show());
    }

    private Statement insert(InsertContext node) {
        String query = source(node.query().getStart().getStartIndex(), Integer.MAX_VALUE);
        return new Statement.Insert(
                name(node.table), node.columns.stream().map(this::name).toList(), query, position(node.table));
    }

    private Statement createTable(CreateTableContext node) {
        List<ColumnDefinition> columns = new ArrayList<>();
        for (ColumnDefinitionContext column : node.columnDefinition()) {
            if (!isTime(column)) {
                columns.add(definition(column));
            }
        }
        TableOptions options = node.options_() == null
                ? TableOptions.NONE
                : options(node.options_().option());
        return new Statement.CreateTable(
                name(node.table), node.EXISTS() != null, columns, options, position(node.table));
    }

    private Statement alterTable(AlterTableContext node) {
        String table = name(node.table);
        int position = position(node.table);
        return switch (node.alteration()) {
            case AddColumnContext add -> new Statement.AddColumn(table, definition(add.columnDefinition()), position);
            case DropColumnContext drop -> new Statement.DropColumn(table, name(drop.column), position);
            case ColumnTypeContext type ->
                new Statement.ColumnType(table, name(type.column), fieldType(type.type()), position);
            case SetOptionsContext set -> {
                List<OptionContext> options =
                        set.options_() == null ? set.option() : set.options_().option();
                yield new Statement.SetOptions(table, options(options), position);
            }
            default -> throw new IllegalStateException("alteration " + node.alteration());
        };
    }

    private Statement show(ShowContext node) {
        return switch (node) {
            case ShowColumnsContext columns -> new Statement.ShowColumns(name(columns.table), position(columns.table));
            case ShowCreateTableContext create ->
                new Statement.ShowCreateTable(name(create.table), position(create.table));
            case ShowQueriesContext queries -> new Statement.ShowQueries(position(queries));
            default -> new Statement.ShowTables(position(node));
        };
    }

    private boolean isTime(ColumnDefinitionContext column) {
        String type = column.type().getText().toUpperCase(Locale.ROOT);
        return name(column.column).equalsIgnoreCase("time") && type.startsWith("TIMESTAMP");
    }

    private ColumnDefinition definition(ColumnDefinitionContext node) {
        boolean tag = node.type().getText().equalsIgnoreCase("TAG");
        return new ColumnDefinition(
                name(node.column),
                tag ? ColumnRole.TAG : ColumnRole.FIELD,
                tag ? FieldType.STRING : fieldType(node.type()));
    }

    private FieldType fieldType(TypeContext node) {
        return switch (node.getText().toUpperCase(Locale.ROOT)) {
            case "BIGINT", "INT64", "INT8", "LONG" -> FieldType.INT64;
            case "DOUBLE", "DOUBLEPRECISION", "FLOAT64", "FLOAT8" -> FieldType.FLOAT64;
            case "UBIGINT", "UINT64" -> FieldType.UINT64;
            case "BOOLEAN", "BOOL" -> FieldType.BOOL;
            case "VARCHAR", "TEXT", "STRING" -> FieldType.STRING;
            default -> throw refused(node, "type " + node.getText() + ": expected " + TYPES);
        };
    }

    private TableOptions options(List<OptionContext> nodes) {
        TableOptions options = TableOptions.NONE;
        for (OptionContext node : nodes) {
            String value = unquoted(node.optionValue().getText());
            options = switch (name(node.key).toLowerCase(Locale.ROOT)) {
                case "retention" ->
                    new TableOptions(
                            Optional.of(OptionValues.retention(value)
                                    .orElseThrow(() -> refused(
                                            node,
                                            "retention: expected such as '30d', '12h' or 'forever', found " + value))),
                            options.strict(),
                            options.timeUnit(),
                            options.published());
                case "schema" ->
                    new TableOptions(
                            options.retention(),
                            Optional.of(OptionValues.strict(value)
                                    .orElseThrow(() ->
                                            refused(node, "schema: expected 'open' or 'strict', found " + value))),
                            options.timeUnit(),
                            options.published());
                case "time_unit" ->
                    new TableOptions(
                            options.retention(),
                            options.strict(),
                            Optional.of(OptionValues.timeUnit(value)
                                    .orElseThrow(() -> refused(
                                            node, "time_unit: expected 'ns', 'us', 'ms' or 's', found " + value))),
                            options.published());
                case "published" ->
                    new TableOptions(
                            options.retention(),
                            options.strict(),
                            options.timeUnit(),
                            Optional.of(Publication.ofWord(value)
                                    .orElseThrow(() ->
                                            refused(node, "published: expected 'delta' or 'none', found " + value))));
                default ->
                    throw refused(
                            node, "option " + name(node.key) + ": expected retention, schema, time_unit or published");
            };
        }
        return options;
    }

    String name(NameContext node) {
        return unquoted(node.getText());
    }

    static String unquoted(String text) {
        char quote = text.isEmpty() ? ' ' : text.charAt(0);
        return quote == '"' || quote == '\''
                ? text.substring(1, text.length() - 1).replace(("" + quote).repeat(2), "" + quote)
                : text;
    }

    int position(ParserRuleContext node) {
        return StatementParser.position(text, node.getStart().getStartIndex());
    }

    SqlRefusedException refused(ParserRuleContext node, String message) {
        return new SqlRefusedException(ErrorCode.SYNTAX, message, position(node));
    }

    /** By code points, both included. */
    private String source(int from, int to) {
        int points = text.codePointCount(0, text.length());
        int end = to >= points - 1 ? points : to + 1;
        return text.substring(text.offsetByCodePoints(0, from), text.offsetByCodePoints(0, end));
    }
}
