package dev.weir.query.sql.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of known shapes is what DuckDB says, node for node and byte for byte. */
final class SelectShapesTest {
    private static final List<String> VALUES = List.of(
            "",
            "a",
            "it's",
            "'",
            "2026-01-01T00:00:00Z",
            "1 minute",
            "5",
            "Zürich 日本",
            "year",
            "-- no",
            "a\"b",
            "%_",
            "\\n");

    private final SelectShapes shapes = new SelectShapes();
    private Connection duck;
    private SelectParser known;
    private SelectParser fresh;

    @BeforeEach
    void open() throws SQLException {
        duck = DriverManager.getConnection("jdbc:duckdb:");
        known = new SelectParser(duck, shapes);
        fresh = fresh();
    }

    /** One that has seen no statement yet. */
    private SelectParser fresh() {
        return new SelectParser(duck, new SelectShapes());
    }

    @AfterEach
    void close() throws SQLException {
        duck.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT time_bucket(INTERVAL ?, time) AS m, max(u) FROM cpu WHERE host = ? AND time >= ? GROUP BY m ORDER BY m",
                "SELECT * FROM \"it's ö\" WHERE \"a\"\"b\" IN (?, ?, ?) OR x LIKE ? AND é = ?",
                "SELECT ? AS \"?\", 'a' || ?, DATE ?, TIMESTAMP ?, ?::INTEGER, CAST(? AS BOOLEAN), -5",
                "WITH w AS (SELECT ? AS x) SELECT * FROM w WHERE x = ? UNION ALL SELECT CASE WHEN y > ? THEN ? ELSE z END FROM t",
                "SELECT EXTRACT('year' FROM time), date_trunc(?, time), x COLLATE NOCASE, trim(BOTH ? FROM s) FROM t",
                "SELECT f(a, ?), count(*) FROM t GROUP BY f(a, ?), f(a, ?)",
                "SELECT count(*) FILTER (WHERE a = ?), list_transform(l, lambda q: q || ?) FROM t LIMIT 5",
                "SELECT 'a'\n'b', ? FROM t",
                "SELECT E'a\\n', ? FROM t",
                "SELECT ? -- what's this?\nFROM t",
                "SELECT /* it's */ ? FROM t",
                "SELECT $$it's$$, ? FROM t",
                "SELECT 1",
            })
    void tellsWhatDuckDbSays(String pattern) throws SQLException {
        Random random = new Random(pattern.hashCode());
        for (int round = 0; round < 12; round++) {
            String text = filled(pattern, random);

            check(text);
        }
    }

    /** Also where a statement can't be parsed: then it is refused in the same words, known or not. */
    private void check(String text) throws SQLException {
        String expected = outcome(fresh(), text);

        assertThat(outcome(known, text)).as(text).isEqualTo(expected);
    }

    private static String outcome(SelectParser parser, String text) throws SQLException {
        try {
            ObjectNode tree = parser.parse(text).statement();
            return tree + "\n" + parser.print(tree);
        } catch (SqlRefusedException e) {
            return e.refusal().message() + " at " + e.position();
        }
    }

    private static String filled(String pattern, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char each = pattern.charAt(i);
            boolean isName = each == '?' && i > 0 && pattern.charAt(i - 1) == '"';
            text.append(
                    each == '?' && !isName
                            ? StringLiterals.quoted(VALUES.get(random.nextInt(VALUES.size())))
                            : String.valueOf(each));
        }
        return text.toString();
    }

    @Test
    void asksDuckDbOnlyUntilAShapeHasComeTwice() throws SQLException {
        List<String> asked = new ArrayList<>();
        for (String host : List.of("a", "bb", "c'c", "ddd")) {
            shapes.parsed("SELECT 1 FROM t WHERE host = " + StringLiterals.quoted(host), text -> {
                asked.add(text);
                return fresh.parse(text).statement();
            });
        }
        // The third is a probe with a literal of ours.
        assertThat(asked)
                .containsExactly(
                        "SELECT 1 FROM t WHERE host = 'a'",
                        "SELECT 1 FROM t WHERE host = 'bb'",
                        "SELECT 1 FROM t WHERE host = 'another 0'");

        List<String> printed = new ArrayList<>();
        for (String host : List.of("a", "bb", "c'c", "ddd")) {
            shapes.printed(fresh.parse("SELECT " + StringLiterals.quoted(host)).statement(), tree -> {
                printed.add(tree.toString());
                return fresh.print(tree);
            });
        }
        assertThat(printed).hasSize(3);
    }

    @Test
    void aTreeIsItsTakersOwn() throws SQLException {
        for (int i = 0; i < 4; i++) {
            ObjectNode tree = known.parse("SELECT 'x'").statement();
            assertThat(known.print(tree)).isEqualTo("SELECT 'x'");
            tree.removeAll();
        }
    }

    @Test
    void isBounded() throws SQLException {
        for (int i = 0; i < 120; i++) {
            String text = "SELECT '" + i + "' AS " + "c".repeat(15_000) + i;
            for (int k = 0; k < 2; k++) {
                known.parse(text);
            }
        }

        assertThat(shapes.bytes())
                .isGreaterThan(SelectShapes.BYTES_MAX / 2)
                .isLessThanOrEqualTo(2 * SelectShapes.BYTES_MAX);
    }

    @Test
    void keepsNothingOfWhatLiteralsSay() throws SQLException {
        assertThat(lengthOf("SELECT '" + "long".repeat(2_000) + "' AS c")).isLessThan(lengthOf("SELECT '' AS c") + 20);
    }

    /** With the length of the literal, which has more digits where it is longer. */
    private int lengthOf(String text) throws SQLException {
        return ParsedShape.of(
                        fresh.parse(text).statement(),
                        StringLiterals.of(text).orElseThrow().literals())
                .orElseThrow()
                .length();
    }
}
