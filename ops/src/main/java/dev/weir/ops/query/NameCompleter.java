package dev.weir.ops.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes words of SQL and names of tables and columns, which are asked for again after a while. */
final class NameCompleter implements Completer {
    private static final long KEPT_NANOS = 30_000_000_000L;
    private static final String NAMES =
            "SELECT DISTINCT table_name AS name, 'table' AS kind FROM information_schema.tables"
                    + " UNION ALL SELECT DISTINCT column_name, 'column' FROM information_schema.columns LIMIT 10000";
    private static final List<String> WORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "LIMIT",
            "AND",
            "OR",
            "NOT",
            "IN",
            "BETWEEN",
            "AS",
            "JOIN",
            "ASOF JOIN",
            "ON",
            "USING",
            "WITH",
            "DISTINCT",
            "HAVING",
            "UNION ALL",
            "INTERVAL",
            "DESC",
            "ASC",
            "NULL",
            "IS",
            "time_bucket",
            "time_bucket_gapfill",
            "locf",
            "interpolate",
            "first",
            "last",
            "rate",
            "increase",
            "delta",
            "now()",
            "count(*)",
            "avg",
            "sum",
            "min",
            "max",
            "INSERT INTO",
            "VALUES",
            "DELETE FROM",
            "CREATE TABLE",
            "ALTER TABLE",
            "DROP TABLE",
            "FLUSH TABLE",
            "COMPACT TABLE",
            "SHOW TABLES",
            "SHOW COLUMNS FROM",
            "SHOW CREATE TABLE",
            "SHOW QUERIES",
            "KILL QUERY",
            "EXPLAIN");

    private final ClusterClient client;
    private List<Candidate> names = List.of();
    private long askedNanos;
    private boolean asked;

    NameCompleter(ClusterClient client) {
        this.client = client;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        renew();
        boolean lower = line.word().equals(line.word().toLowerCase(java.util.Locale.ROOT));
        for (String word : WORDS) {
            candidates.add(new Candidate(lower ? word.toLowerCase(java.util.Locale.ROOT) : word));
        }
        candidates.addAll(names);
    }

    private void renew() {
        long now = System.nanoTime();
        if (asked && now - askedNanos < KEPT_NANOS) {
            return;
        }
        asked = true;
        askedNanos = now;
        try {
            JsonNode answer = client.send("POST", "/api/v1/sql", Map.of("query", NAMES));
            List<Candidate> found = new ArrayList<>();
            for (JsonNode row : answer.path("rows")) {
                String name = quoted(row.path(0).asText());
                found.add(new Candidate(name, name, row.path(1).asText() + "s", null, null, null, true));
            }
            names = found;
        } catch (CommandFailedException e) {
            names = List.of(); // words complete without names
        }
    }

    private static String quoted(String name) {
        return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
