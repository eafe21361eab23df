package dev.weir.query.sql.gate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Text to tree and back, by DuckDB's own parser and printer; what differs from known ones in its string literals alone is told by {@link SelectShapes}. Keeps
 * its two questions prepared. Blocks; used by a seat's thread.
 */
public final class SelectParser implements AutoCloseable {
    private static final int DEPTH_MAX = 6000;
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxStringLength(64 << 20)
                    .build())
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .build());

    private final Connection connection;
    private final SelectShapes shapes;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private @Nullable SelectTree frame;

    /**
     * @param connection its own, closed with it
     * @param shapes shared by many
     */
    public SelectParser(Connection connection, SelectShapes shapes) {
        this.connection = connection;
        this.shapes = shapes;
    }

    /** @throws SqlRefusedException a syntax error, or not exactly one SELECT */
    public SelectTree parse(String text) throws SQLException {
        return new SelectTree(text, shapes.parsed(text, this::parsed));
    }

    private ObjectNode parsed(String text) throws SQLException {
        JsonNode answer = json(ask("SELECT json_serialize_sql(?::VARCHAR)", text));
        if (answer.path("error").asBoolean()) {
            int position = SelectTree.position(text, answer.path("position").asInt(-1));
            if (answer.path("error_type").asText().equals("parser")) {
                throw new SqlRefusedException(
                        ErrorCode.SYNTAX, answer.path("error_message").asText(), position);
            }
            throw new SqlRefusedException(
                    ErrorCode.NOT_ALLOWED,
                    "expected one SELECT, or one of the statements INSERT, DELETE, CREATE TABLE, ALTER TABLE, DROP"
                            + " TABLE, FLUSH TABLE, COMPACT TABLE, SHOW, KILL QUERY, EXPLAIN",
                    position);
        }
        JsonNode statements = answer.path("statements");
        if (statements.size() != 1) {
            throw SqlRefusedException.nowhere(ErrorCode.SYNTAX, "expected one statement, found " + statements.size());
        }
        return (ObjectNode) statements.get(0);
    }

    public String print(JsonNode statement) throws SQLException {
        return shapes.printed(statement, this::printed);
    }

    private String printed(JsonNode statement) throws SQLException {
        ObjectNode whole = JSON.createObjectNode();
        whole.put("error", false).putArray("statements").add(statement);
        return ask("SELECT json_deserialize_sql(?::JSON)", json(whole));
    }

    static String json(JsonNode tree) {
        try {
            return JSON.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree that was read cannot be written", e);
        }
    }

    /** Text of one expression, for composing a query around it. */
    public String printExpression(JsonNode expression) throws SQLException {
        SelectTree around = frame;
        if (around == null) {
            around = parse("SELECT 1");
            frame = around;
        }
        ObjectNode bare = expression.deepCopy();
        bare.put("alias", "");
        around.query().putArray("select_list").add(bare);
        return print(around.statement()).substring("SELECT ".length());
    }

    /** The tree of one expression. */
    public ObjectNode expression(String text) throws SQLException {
        return (ObjectNode) parse("SELECT " + text).query().path("select_list").get(0);
    }

    private String ask(String question, String argument) throws SQLException {
        PreparedStatement statement = prepared.get(question);
        if (statement == null) {
            statement = connection.prepareStatement(question);
            prepared.put(question, statement);
        }
        statement.setString(1, argument);
        try (ResultSet answer = statement.executeQuery()) {
            answer.next();
            return answer.getString(1);
        } catch (SQLException e) {
            // A statement that failed once is not to be used again.
            prepared.remove(question);
            statement.close();
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.LIMIT_QUERY, "the statement is nested deeper than is taken: " + e.getOriginalMessage());
        }
    }
}
