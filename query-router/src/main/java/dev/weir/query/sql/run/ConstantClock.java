package dev.weir.query.sql.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectParser;
import dev.weir.query.sql.plan.Constants;
import dev.weir.query.sql.plan.FixedWidth;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/** What time an expression without columns stands for, as DuckDB itself sees it; empty where it is none. A seat's thread. */
final class ConstantClock implements Constants {
    private final Connection connection;
    private final SelectParser parser;

    ConstantClock(Connection connection, SelectParser parser) {
        this.connection = connection;
        this.parser = parser;
    }

    @Override
    public OptionalLong apply(JsonNode expression) {
        if (Nodes.function(expression).equals("make_timestamp_ns")) {
            String digits =
                    Nodes.argument(expression, 0).path("literal").path("text").asText();
            try {
                return OptionalLong.of(Long.parseLong(digits));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
        try {
            return integer("epoch_ns(CAST((" + parser.printExpression(expression) + ") AS TIMESTAMP_NS))");
        } catch (SQLException e) {
            // The statement itself will say what is wrong with it.
            return OptionalLong.empty();
        }
    }

    @Override
    public OptionalLong width(JsonNode interval) {
        OptionalLong fixed = FixedWidth.of(interval);
        if (fixed.isPresent()) {
            return fixed;
        }
        try {
            return integer("epoch_ns(CAST((" + parser.printExpression(interval) + ") AS INTERVAL))");
        } catch (SQLException e) {
            return OptionalLong.empty();
        }
    }

    private OptionalLong integer(String expression) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT " + expression)) {
            answer.next();
            long value = answer.getLong(1);
            return answer.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
        }
    }
}
