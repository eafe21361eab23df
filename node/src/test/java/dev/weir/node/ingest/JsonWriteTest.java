package dev.weir.node.ingest;

import static dev.weir.node.ingest.WriteContractTest.counts;
import static dev.weir.node.ingest.WriteContractTest.error;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON bodies: shapes, values, times. */
class JsonWriteTest {
    private final IngestServer server = new IngestServer(1);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void takesAnObjectAnArrayAndLines() {
        String a =
                "{\"measurement\":\"m\",\"tags\":{\"h\":\"a\"},\"fields\":{\"v\":1,\"s\":\"x\",\"b\":true,\"f\":1.5},\"timestamp\":5}";
        String b = "{\"fields\":{\"v\":2},\"table\":\"m\",\"time\":\"1970-01-01T00:00:00.000000006Z\"}";
        assertThat(server.json(a).statusCode()).isEqualTo(204);
        assertThat(server.json(" [" + a + ",\n" + b + "] ").statusCode()).isEqualTo(204);
        assertThat(server.json(a + "\n\r\n" + b + "\n").statusCode()).isEqualTo(204);
        assertThat(server.json("{\n \"measurement\": \"m\",\n \"fields\": {\"v\": 3}\n}\n")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.stored())
                .containsExactly(
                        "m[h=a] {b=true, f=1.5, s=x, v=1} @5",
                        "m[h=a] {b=true, f=1.5, s=x, v=1} @5",
                        "m[] {v=2} @6",
                        "m[h=a] {b=true, f=1.5, s=x, v=1} @5",
                        "m[] {v=2} @6",
                        "m[] {v=3} @" + IngestServer.NOW_NANOS);
    }

    @Test
    void takesFlatObjects() {
        HttpResponse<String> answer = server.post(
                "/api/v1/write?measurement=cpu&tags=host,region&time=ts&precision=ms",
                "{\"ts\":7,\"host\":\"a\",\"region\":3,\"idle\":1.5}\n{\"ts\":null,\"host\":true,\"idle\":2}\n");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        assertThat(server.stored())
                .containsExactly(
                        "cpu[host=a,region=3] {idle=1.5} @7000000",
                        "cpu[host=true] {idle=2.0} @" + IngestServer.NOW_NANOS);
    }

    /** JS-06. */
    @Test
    void keepsNanosecondsOfTimes() {
        assertThat(server.post(
                                "/api/v1/write?measurement=m",
                                "[{\"time\":\"2024-01-01T00:00:00.500000007Z\",\"v\":1},{\"time\":\"2024-01-01T00:00:00.500000000Z\",\"v\":2}]")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.partitions.rows())
                .extracting(StoredRow::time)
                .containsExactly(1704067200500000007L, 1704067200500000000L);
    }

    /** JS-06. */
    @ParameterizedTest
    @CsvSource({
        "2024-01-01T05:00:00+05:00, 1704067200000000000",
        "2024-01-01t00:00:00z, 1704067200000000000",
        "2024-01-01 00:00:00.1Z, 1704067200100000000",
        "1969-12-31T23:59:59.999999999Z, -1",
        "1700-01-01T00:00:00Z, -8520336000000000000",
        "2024-02-29T23:59:59-00:30, 1709252999000000000",
        "1704067200000000000, 1704067200000000000"
    })
    void readsTimes(String text, long nanos) {
        assertThat(server.json("{\"measurement\":\"m\",\"fields\":{\"v\":1},\"time\":\"" + text + "\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.partitions.rows().getFirst().time()).isEqualTo(nanos);
    }

    /** JS-06. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"2024-01-01T00:00:00\"",
                "\"2016-12-31T23:59:60Z\"",
                "\"2024-01-01\"",
                "\"2024-02-30T00:00:00Z\"",
                "\"2024-01-01T24:00:00Z\"",
                "\"2024-01-01T00:00:00.Z\"",
                "\"2024-01-01T00:00:00.0000000001Z\"",
                "\"2024-01-01T00:00:00Zx\"",
                "\"9999-01-01T00:00:00Z\"",
                "\"now\"",
                "\"\"",
                "1.5",
                "true",
                "[1]",
                "9223372036854775808",
                "{}"
            })
    void refusesWhatIsNoTime(String time) {
        JsonObject body = error(
                server.json("[{\"measurement\":\"m\",\"fields\":{\"v\":1},\"time\":" + time + "},"
                        + "{\"measurement\":\"m\",\"fields\":{\"v\":1},\"time\":1}]"),
                400);
        assertThat(counts(body)).isEqualTo("accepted 1 rejected 1 retry 0 unknown 0");
        assertThat(body.getJsonArray("rows").getJsonObject(0).getString("message"))
                .startsWith("element 0: time: ");
    }

    /** JS-02, JS-05. */
    @Test
    void fixesNoTypeByNullAndEmptyArrays() {
        assertThat(flat("{\"time\":1,\"a\":null,\"b\":[],\"c\":1}").statusCode())
                .isEqualTo(204);
        assertThat(flat("{\"time\":2,\"a\":\"x\",\"b\":true}").statusCode()).isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[] {c=1} @1", "m[] {a=x, b=true} @2");
        JsonObject body = error(flat("[{\"time\":3,\"a\":{\"b\":1}},{\"time\":4,\"a\":\"y\"}]"), 400);
        assertThat(counts(body)).isEqualTo("accepted 1 rejected 1 retry 0 unknown 0");
        assertThat(body.getString("error")).isEqualTo("element 0: a: objects can't be stored in a field");
    }

    /** JS-02. */
    @Test
    void takesRowsOfNullsAlone() {
        assertThat(flat("{\"time\":1,\"a\":null}").statusCode()).isEqualTo(204);
        assertThat(flat("{\"time\":2,\"a\":\"x\"}").statusCode()).isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[] {} @1", "m[] {a=x} @2");
    }

    /** JS-05. */
    @ParameterizedTest
    @ValueSource(strings = {"[1,2.5]", "[2.5,1]", "[1,\"x\"]", "[null]", "[[]]", "[{\"a\":[1]}]", "{}", "{\"x\":[{}]}"})
    void refusesArraysAndObjectsByPath(String value) {
        JsonObject body = error(
                server.json("{\"measurement\":\"m\",\"fields\":{\"a\":" + value
                        + ",\"v\":1}}\n{\"measurement\":\"m\",\"fields\":{\"v\":1}}"),
                400);
        assertThat(body.getString("code")).isEqualTo("unsupported_value");
        assertThat(body.getString("error")).startsWith("line 1: fields.a: ");
        assertThat(body.getInteger("accepted")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\"}",
                "{\"measurement\":\"m\",\"fields\":{}}",
                "{\"measurement\":7,\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\",\"fields\":[1]}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":1},\"value\":1}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":1,\"v\":2}}",
                "{\"measurement\":\"m\",\"table\":\"n\",\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":1},\"time\":1,\"timestamp\":1}",
                "{\"measurement\":\"m\",\"tags\":{\"a\":{}},\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\",\"tags\":{\"a\":\"1\",\"a\":\"2\"},\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":1e999}}",
                "{\"measurement\":\"m\",\"fields\":{\"time\":1}}",
                "{\"measurement\":\"_m\",\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\",\"fields\":{\"\":1}}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":\"\\ud800\"}}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":123456789012345678901234567890}}",
                "7",
                "null",
                "\"m v=1\"",
                "[]"
            })
    void refusesOneElementAndKeepsTheOthers(String bad) {
        JsonObject body = error(
                server.json("[{\"measurement\":\"m\",\"fields\":{\"v\":1},\"time\":1}," + bad
                        + ",{\"measurement\":\"m\",\"fields\":{\"v\":2},\"time\":2}]"),
                400);
        assertThat(counts(body)).isEqualTo("accepted 2 rejected 1 retry 0 unknown 0");
        assertThat(body.getJsonArray("rows").getJsonObject(0).getInteger("line"))
                .isEqualTo(1);
        assertThat(server.stored()).containsExactly("m[] {v=1} @1", "m[] {v=2} @2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "{",
                "[{\"measurement\":\"m\",\"fields\":{\"v\":1}}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":1}} x",
                "[{\"measurement\":\"m\",\"fields\":{\"v\":1}}] []",
                "{\"measurement\":\"m\",\"fields\":{\"v\":NaN}}",
                "m v=1i 1",
                "{\"measurement\":\"m\",\"fields\":{\"v\":01}}",
                "{\"measurement\":\"m\",\"fields\":{\"v\":1}}{\"measurement\":\"m\",\"fields\":{\"v\":1}}",
                "<html>"
            })
    void storesNothingOfABodyThatIsNoJson(String body) {
        JsonObject answer = error(server.json(body), 400);
        assertThat(answer.getString("code")).isIn("syntax");
        assertThat(server.stored()).isEmpty();
    }

    @Test
    void losesOneLineToBrokenJsonInLines() {
        HttpResponse<String> answer = server.post(
                "/api/v1/write",
                "{\"measurement\":\"m\",\"fields\":{\"v\":\n{\"measurement\":\"m\",\"fields\":{\"v\":1},\"time\":1}\n{} {}\nnull\n",
                "Content-Type",
                "application/x-ndjson");
        JsonObject body = error(answer, 400);
        assertThat(counts(body)).isEqualTo("accepted 1 rejected 3 retry 0 unknown 0");
        assertThat(body.getJsonArray("rows").getJsonObject(0).getInteger("line"))
                .isEqualTo(1);
        assertThat(body.getJsonArray("rows").getJsonObject(1).getInteger("line"))
                .isEqualTo(3);
    }

    /** LP-04. */
    @Test
    void takesAnEmptyTagAsAbsent() {
        assertThat(server.json(
                                "{\"measurement\":\"m\",\"tags\":{\"db\":\"\",\"x\":null,\"h\":\"a\"},\"fields\":{\"v\":1},\"time\":1}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.lines("m,db=,h=a v=2i 2").statusCode()).isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[h=a] {v=1} @1", "m[h=a] {v=2} @2");
    }

    @Test
    void routesElementsOfAnArrayAnew() {
        assertThat(flat("{\"time\":1,\"v\":1}").statusCode()).isEqualTo(204);
        int[] tries = {0};
        server.partitions.owns(0, slot -> false);
        server.partitions.rule(0, request -> {
            if (++tries[0] == 2) {
                server.partitions.owns(0, slot -> true);
            }
            return null;
        });
        assertThat(flat("[ {\"time\":2,\"v\":2},\n\"bad\" ,{\"time\":3,\"v\":3}]")
                        .statusCode())
                .isEqualTo(400);
        assertThat(server.stored()).containsExactly("m[] {v=1} @1", "m[] {v=2} @2", "m[] {v=3} @3");
    }

    private HttpResponse<String> flat(String body) {
        return server.post("/api/v1/write?measurement=m", body);
    }
}
