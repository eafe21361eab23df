package dev.weir.node.ingest;

import static dev.weir.node.ingest.WriteContractTest.counts;
import static dev.weir.node.ingest.WriteContractTest.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Types and roles are agreed on before rows are acknowledged. */
class SchemaTest {
    private final IngestServer server = new IngestServer(2);

    @AfterEach
    void close() {
        server.close();
    }

    /** LP-12. */
    @Test
    void refusesAKeyAsTagAndField() {
        JsonObject inOneRow = error(server.lines("tank,unit=7 level=4i,unit=9i 77"), 400);
        assertThat(inOneRow.getString("code")).isEqualTo("role_conflict");
        assertThat(inOneRow.getString("error")).contains("\"unit\"", "tag", "field");
        assertThat(server.lines("tank,unit=7 level=4i 77").statusCode()).isEqualTo(204);
        JsonObject asField = error(server.lines("tank level=4i,unit=9i 78"), 400);
        assertThat(asField.getString("error")).contains("\"unit\" is a tag of table \"tank\"");
        JsonObject asTag = error(server.lines("tank,level=x other=1i 78"), 400);
        assertThat(asTag.getString("error")).contains("\"level\" is a field of table \"tank\"");
        assertThat(server.stored()).containsExactly("tank[unit=7] {level=4} @77");
        assertThat(schema("tank").column("other")).isEmpty();
    }

    /** LP-12. */
    @Test
    void letsExactlyOneOfTwoRacingRolesWin() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 20; i++) {
                String table = "t" + i;
                Callable<HttpResponse<String>> tag = () -> server.lines(table + ",unit=7 level=4i 1");
                Callable<HttpResponse<String>> field = () -> server.lines(table + " unit=9i 2");
                List<Future<HttpResponse<String>>> both = pool.invokeAll(List.of(tag, field));
                List<Integer> statuses = List.of(
                        both.get(0).get().statusCode(), both.get(1).get().statusCode());
                assertThat(statuses).containsExactlyInAnyOrder(204, 400);
            }
        }
    }

    /** IN-03. */
    @Test
    void keepsTypesOfLineProtocolStrict() {
        assertThat(server.lines("m t=7i 1").statusCode()).isEqualTo(204);
        JsonObject body = error(server.lines("m t=7.5 2"), 400);
        assertThat(body.getString("code")).isEqualTo("type_conflict");
        assertThat(body.getString("error")).contains("\"t\"", "\"m\"", "is int64", "float64 was sent");
        assertThat(error(server.lines("m t=7u 2"), 400).getString("code")).isEqualTo("type_conflict");
        assertThat(error(server.lines("m t=\"7\" 2"), 400).getString("code")).isEqualTo("type_conflict");
        assertThat(error(server.lines("m t=t 2"), 400).getString("code")).isEqualTo("type_conflict");
    }

    /** IN-03. */
    @Test
    void widensByJsonAlone() {
        assertThat(flat("{\"time\":1,\"t\":7}").statusCode()).isEqualTo(204);
        assertThat(flat("{\"time\":2,\"t\":7.5}").statusCode()).isEqualTo(204);
        assertThat(schema("m").column("t").orElseThrow().type()).isEqualTo(FieldType.FLOAT64);
        assertThat(schema("m").version()).isEqualTo(2);
        assertThat(flat("{\"time\":3,\"t\":8}").statusCode()).isEqualTo(204);
        assertThat(server.lines("m t=9i 4").statusCode()).isEqualTo(204);
        assertThat(server.stored())
                .containsExactly("m[] {t=7} @1", "m[] {t=7.5} @2", "m[] {t=8.0} @3", "m[] {t=9.0} @4");
        assertThat(server.partitions.rows().stream().map(StoredRow::schemaVersion))
                .containsExactly(1, 2, 2, 2);
        assertThat(error(flat("{\"t\":9007199254740993}"), 400).getString("code"))
                .isEqualTo("number_out_of_range");
    }

    @Test
    void widensWithinOneBody() {
        assertThat(flat("[{\"time\":1,\"t\":7},{\"time\":2,\"t\":7.5}]").statusCode())
                .isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[] {t=7.0} @1", "m[] {t=7.5} @2");
    }

    @Test
    void refusesToWidenWhereAnIntegerBeyondDoubleWasStored() {
        assertThat(flat("{\"time\":1,\"t\":7}").statusCode()).isEqualTo(204);
        assertThat(server.lines("m t=9007199254740993i 2").statusCode()).isEqualTo(204);
        Column column = schema("m").column("t").orElseThrow();
        assertThat(column.beyondDouble()).isTrue();
        JsonObject body = error(flat("{\"time\":3,\"t\":7.5}"), 400);
        assertThat(body.getString("code")).isEqualTo("type_conflict");
        assertThat(schema("m").column("t").orElseThrow().type()).isEqualTo(FieldType.INT64);
    }

    /** JS-01. */
    @Test
    void storesIntegersOfJsonExactly() {
        assertThat(flat("{\"time\":1,\"id\":9007199254740993,\"u\":18446744073709551615}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[] {id=9007199254740993, u=18446744073709551615} @1");
        assertThat(flat("{\"time\":2,\"u\":5}").statusCode()).isEqualTo(204);
        assertThat(error(flat("{\"time\":3,\"u\":-5}"), 400).getString("code")).isEqualTo("number_out_of_range");
        assertThat(error(flat("{\"time\":3,\"u\":18446744073709551616}"), 400).getString("code"))
                .isEqualTo("number_out_of_range");
    }

    @Test
    void asksTheCatalogOnlyForWhatIsNew() {
        server.lines("m,h=a v=1i 1");
        int asked = server.catalog.proposals().size();
        server.catalog.quorum(false);
        assertThat(server.lines("m,h=b v=2i 2").statusCode()).isEqualTo(204);
        JsonObject body = error(server.lines("m,h=c v=3i 3\nm,h=c w=3i 3\nn v=1i 1"), 503);
        assertThat(body.getString("code")).isEqualTo("no_quorum");
        assertThat(body.getString("error")).contains("no quorum");
        assertThat(counts(body)).isEqualTo("accepted 1 rejected 0 retry 2 unknown 0");
        server.catalog.quorum(true);
        assertThat(server.catalog.proposals()).hasSize(asked);
    }

    @Test
    void makesNoColumnForARowThatConflictsElsewhere() {
        server.lines("m v=1i 1");
        error(server.lines("m v=\"x\",fresh=1i 2"), 400);
        assertThat(schema("m").column("fresh")).isEmpty();
    }

    @Test
    void refusesFieldsGivenTwice() {
        assertThat(error(server.lines("m a=1i,a=2i 1"), 400).getString("error")).contains("twice");
        server.lines("m a=1i 1");
        assertThat(error(server.lines("m a=1i,a=2i 1"), 400).getString("error")).contains("twice");
        assertThat(server.stored()).hasSize(1);
    }

    @Test
    void namesTheLimitOfColumnsAndTables() {
        try (IngestServer small =
                new IngestServer(new FoldingCatalog(1, new CatalogLimits(3, 2)), IngestLimits.defaults())) {
            JsonObject columns = error(small.lines("m a=1i,b=1i,c=1i 1\nm d=1i 2\nm a=5i 3"), 400);
            assertThat(columns.getString("code")).isEqualTo("limit_columns");
            assertThat(counts(columns)).isEqualTo("accepted 2 rejected 1 retry 0 unknown 0");
            JsonObject tables = error(small.lines("n a=1i 1\no a=1i 1\np a=1i 1"), 400);
            assertThat(tables.getString("code")).isEqualTo("limit_columns");
            assertThat(tables.getInteger("accepted")).isEqualTo(1);
            assertThat(tables.getString("error")).contains("tables");
        }
    }

    @Test
    void writesATableMadeAgainAfterADrop() {
        server.lines("m,h=a v=1i 1");
        int dropped = schema("m").tableId();
        assertThat(server.post("/api/v1/delete", "{\"measurement\":\"m\"}").statusCode())
                .isEqualTo(204);
        server.partitions.dropped(dropped);
        assertThat(server.lines("m,h=a v=\"text\" 2").statusCode()).isEqualTo(204);
        assertThat(schema("m").tableId()).isNotEqualTo(dropped);
    }

    @Test
    void writesToTheNewTableWhereOnlyThePartitionKnowsOfTheDrop() {
        server.lines("m,h=a v=1i 1");
        int dropped = schema("m").tableId();
        server.catalog.lagging(true);
        server.catalog.fold(new CatalogCommand.DropTable("acme", "m", "x-1"));
        server.partitions.dropped(dropped);
        server.catalog.lagging(false);
        HttpResponse<String> answer = server.lines("m,h=a v=2i 2");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[h=a] {v=1} @1", "m[h=a] {v=2} @2");
        assertThat(schema("m").tableId()).isNotEqualTo(dropped);
    }

    @Test
    void takesManyNewTablesAndColumnsAtOnce() {
        String body = IntStream.range(0, 200)
                .mapToObj(i -> "t" + i + ",h=a "
                        + IntStream.range(0, 20)
                                .mapToObj(f -> "f" + f + "=" + i + "i")
                                .collect(Collectors.joining(",")) + " 1")
                .collect(Collectors.joining("\n"));
        assertThat(server.lines(body).statusCode()).isEqualTo(204);
        assertThat(server.stored()).hasSize(200);
        assertThat(server.catalog.proposals()).hasSize(200);
    }

    private HttpResponse<String> flat(String body) {
        return server.post("/api/v1/write?measurement=m", body);
    }

    private TableSchema schema(String table) {
        return server.catalog.image().table("acme", table).orElseThrow();
    }
}
