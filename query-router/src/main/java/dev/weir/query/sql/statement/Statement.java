package dev.weir.query.sql.statement;

import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.query.sql.image.TimeRange;
import java.util.List;
import java.util.Map;

/** A statement that is no SELECT. Names are as the user wrote them, without their quotes; {@code position} is the character (from 1) of the table's name. */
public sealed interface Statement {
    int position();

    /** Those that node carries out. */
    sealed interface OnTable extends Statement {
        String table();
    }

    /** {@code INSERT INTO table (columns) query}; the query's rows are given to {@link TableStatements#insert}. */
    record Insert(String table, List<String> columns, String query, int position) implements Statement {
        public Insert {
            columns = List.copyOf(columns);
        }
    }

    /**
     * @param times rows outside are kept; both ends included
     * @param tags tag → values, one of which it must equal; an empty value matches the missing tag; all must hold
     */
    record Delete(String table, TimeRange times, Map<String, List<String>> tags, int position) implements OnTable {
        public Delete {
            tags = Map.copyOf(tags);
        }
    }

    record CreateTable(
            String table, boolean ifNotExists, List<ColumnDefinition> columns, TableOptions options, int position)
            implements OnTable {
        public CreateTable {
            columns = List.copyOf(columns);
        }
    }

    record AddColumn(String table, ColumnDefinition column, int position) implements OnTable {}

    record DropColumn(String table, String column, int position) implements OnTable {}

    record ColumnType(String table, String column, FieldType type, int position) implements OnTable {}

    record SetOptions(String table, TableOptions options, int position) implements OnTable {}

    record DropTable(String table, boolean ifExists, int position) implements OnTable {}

    record FlushTable(String table, int position) implements OnTable {}

    record CompactTable(String table, int position) implements OnTable {}

    record ShowCreateTable(String table, int position) implements OnTable {}

    record ShowTables(int position) implements Statement {}

    record ShowColumns(String table, int position) implements Statement {}

    record ShowQueries(int position) implements Statement {}

    record KillQuery(String id, int position) implements Statement {}

    /** @param type STRING for a tag */
    record ColumnDefinition(String name, ColumnRole role, FieldType type) {}

    /** Whether it changes something, so that the caller must be allowed to write. */
    default boolean writes() {
        return switch (this) {
            case ShowTables s -> false;
            case ShowColumns s -> false;
            case ShowCreateTable s -> false;
            case ShowQueries s -> false;
            case KillQuery s -> false;
            case Insert s -> true;
            case Delete s -> true;
            case CreateTable s -> true;
            case AddColumn s -> true;
            case DropColumn s -> true;
            case ColumnType s -> true;
            case SetOptions s -> true;
            case DropTable s -> true;
            case FlushTable s -> true;
            case CompactTable s -> true;
        };
    }
}
