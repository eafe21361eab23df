package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Statements with words lost, doubled and swapped: answered or refused, never a fault, and never a row of somebody else. */
class SqlFuzzTest {
    private static final int ROUNDS = 250;
    private static final List<String> SEEDS = List.of(
            "SELECT time_bucket ( '1 hour' , time , 'Europe/Berlin' ) AS b , host , avg ( v ) FROM fuzz WHERE time >= '2024-01-01' AND host IN ( 'a' , 'b' ) GROUP BY b , host ORDER BY b DESC LIMIT 5",
            "SELECT time_bucket_gapfill ( '1 hour' , time ) AS b , host , locf ( last ( v , time ) , INTERVAL '1 day' ) , interpolate ( avg ( v ) ) FROM fuzz WHERE time BETWEEN '2024-01-01' AND '2024-01-02' GROUP BY b , host",
            "WITH x AS ( SELECT host , rate ( v , time ) AS r , increase ( v , time , 100 ) FROM fuzz GROUP BY host ) SELECT * FROM x JOIN x AS y USING ( host ) WHERE r > 1",
            "SELECT DISTINCT ON ( host ) * EXCLUDE ( v ) FROM fuzz AS f ASOF JOIN fuzz AS g ON f . host = g . host AND f . time >= g . time ORDER BY host",
            "SELECT row_number ( ) OVER ( PARTITION BY host ORDER BY time ) , CASE WHEN v > 1 THEN 'x' ELSE host END FROM fuzz QUALIFY true",
            "INSERT INTO fuzz ( time , host , v ) SELECT time , host , v * 2 FROM fuzz WHERE v IS NOT NULL",
            "DELETE FROM fuzz WHERE host = 'a' AND time < now ( ) - INTERVAL '2 days'",
            "CREATE TABLE IF NOT EXISTS fuzz ( host TAG , v DOUBLE ) WITH ( retention = '30d' , schema = 'strict' )",
            "EXPLAIN SELECT count ( * ) FROM information_schema . columns , generate_series ( 1 , 3 ) AS s ( i ) WHERE lpad ( table_name , 3 , 'x' ) <> ''");

    @Test
    void answersOrRefusesWhateverComes() throws Exception {
        SqlServer server = SqlServer.shared();
        TableSchema mine = TestRows.schema("fuzz", "fuzz", tag(1, "host"), field(2, "v", FieldType.FLOAT64));
        TableSchema theirs = TestRows.schema("victim", "hidden", field(2, "v", FieldType.INT64));
        server.tables.put(new TableImage(
                mine,
                List.of(new TablePart(
                        0,
                        List.of(),
                        List.of(new TestRows(mine, 1)
                                .row(1704110400000000000L, "host", "a", "v", 1.0)
                                .row(1704114000000000000L, "host", "b", "v", 2.0)
                                .buffer()),
                        List.of()))));
        server.tables.put(new TableImage(
                theirs,
                List.of(new TablePart(
                        0,
                        List.of(),
                        List.of(new TestRows(theirs, 1)
                                .row(1, "v", 161_803_398_874_989L)
                                .buffer()),
                        List.of()))));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            String statement = mutated(SEEDS.get(random.nextInt(SEEDS.size())), random);
            HttpResponse<String> answer = server.post(statement, "Tenant", "fuzz");
            assertThat(answer.statusCode())
                    .as("seed " + seed + ": " + statement + " " + answer.body())
                    .isLessThan(500);
            assertThat(answer.body()).as("seed " + seed + ": " + statement).doesNotContain("161803398874989");
        }
    }

    private static String mutated(String statement, Random random) {
        List<String> words = new ArrayList<>(List.of(statement.split(" ")));
        String[] others = {
            "hidden",
            "\"hidden\"",
            "duckdb_settings()",
            "*",
            "(",
            ")",
            ",",
            "NULL",
            "SELECT",
            "FROM",
            "'",
            ";",
            "-1",
            "[1]",
            "ü",
            "/*"
        };
        for (int changes = 1 + random.nextInt(3); changes > 0 && !words.isEmpty(); changes--) {
            int place = random.nextInt(words.size());
            switch (random.nextInt(4)) {
                case 0 -> words.remove(place);
                case 1 -> words.add(place, words.get(random.nextInt(words.size())));
                case 2 -> words.set(place, words.get(random.nextInt(words.size())));
                default -> words.set(place, others[random.nextInt(others.length)]);
            }
        }
        return String.join(" ", words);
    }
}
