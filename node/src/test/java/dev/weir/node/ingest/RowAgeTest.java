package dev.weir.node.ingest;

import static dev.weir.node.ingest.WriteContractTest.counts;
import static dev.weir.node.ingest.WriteContractTest.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.TableAlteration;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** IN-12: rows older than their table's retention. */
class RowAgeTest {
    private static final long NOW = IngestServer.NOW_NANOS;
    private static final long WEEK = Duration.ofDays(7).toNanos();

    private final IngestServer server = new IngestServer(2);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void refusesWhatIsOlderByItsLineAndStoresTheRest() {
        keepAWeek("m");

        JsonObject body = error(
                server.lines("m v=1i 1400000000000000000\nm v=2i " + (NOW - WEEK) + "\nother v=3i 5\nm v=4i "
                        + (NOW - WEEK - 1)),
                400);

        assertThat(counts(body)).isEqualTo("accepted 2 rejected 2 retry 0 unknown 0");
        assertThat(body.getString("code")).isEqualTo("older_than_retention");
        assertThat(body.getJsonArray("rows").getJsonObject(0).getInteger("line"))
                .isEqualTo(1);
        assertThat(body.getJsonArray("rows").getJsonObject(0).getString("message"))
                .contains("2014-05-13T16:53:20Z", "older than the retention of table \"m\"", "limit 7d");
        assertThat(server.stored())
                .containsExactlyInAnyOrder("m[] {v=0} @" + NOW, "m[] {v=2} @" + (NOW - WEEK), "other[] {v=3} @5");
        assertThat(server.meters
                        .counter("weir_ingest_rows_refused", "code", "older_than_retention")
                        .count())
                .isEqualTo(2);
    }

    @Test
    void aRowThatIsTooOldMakesNoColumn() {
        keepAWeek("m");
        error(server.json("{\"measurement\":\"m\",\"fields\":{\"fresh\":1},\"timestamp\":5}"), 400);
        assertThat(server.catalog.image().table("acme", "m").orElseThrow().column("fresh"))
                .isEmpty();
    }

    private void keepAWeek(String table) {
        assertThat(server.lines(table + " v=0i").statusCode()).isEqualTo(204);
        server.catalog.fold(new CatalogCommand.AlterTable(
                "acme",
                table,
                new TableAlteration.Set(
                        Optional.empty(), Optional.of(Duration.ofDays(7)), Optional.empty(), Optional.empty())));
    }
}
