package dev.weir.node.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The answers to writes: what is true of each row, in the order of precedence. */
class WriteContractTest {
    private static final int PARTITIONS = 4;

    private final IngestServer server = new IngestServer(PARTITIONS);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void answersNothingWhenAllIsStored() throws Exception {
        HttpResponse<String> answer = server.lines("m,h=a v=1i,s=\"x\" 5\nm,h=b v=2i 6\n");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(server.stored()).containsExactlyInAnyOrder("m[h=a] {s=x, v=1} @5", "m[h=b] {v=2} @6");
        Cursor commit = Cursor.decode(answer.headers().firstValue("Weir-Commit").orElseThrow(), "acme");
        assertThat(commit.next().keySet()).contains(partitionOf("m", "a"), partitionOf("m", "b"));
    }

    /** IN-01. */
    @Test
    void storesGoodRowsAndListsBadOnes() {
        HttpResponse<String> answer = server.lines("a v=1i 1\nb v=\"x\" 2\nb v=2i 3\nc v=3i 4\n");
        JsonObject body = error(answer, 400);
        assertThat(body.getString("code")).isEqualTo("type_conflict");
        assertThat(counts(body)).isEqualTo("accepted 3 rejected 1 retry 0 unknown 0");
        assertThat(body.getJsonArray("rows")).hasSize(1);
        JsonObject row = body.getJsonArray("rows").getJsonObject(0);
        assertThat(row.getInteger("line")).isEqualTo(3);
        assertThat(row.getString("code")).isEqualTo("type_conflict");
        assertThat(row.getString("message"))
                .startsWith("line 3, column 3: ")
                .contains("\"v\"", "\"b\"", "string", "int64");
        assertThat(answer.headers().firstValue("Weir-Commit")).isPresent();
        assertThat(server.stored()).containsExactlyInAnyOrder("a[] {v=1} @1", "b[] {v=x} @2", "c[] {v=3} @4");
    }

    @Test
    void treatsSyntaxLikeSchemaErrorsAndListsAHundred() {
        String body = IntStream.range(0, 300)
                .mapToObj(i -> i % 2 == 0 ? "m v=" : "m v=1i " + i)
                .collect(Collectors.joining("\n"));
        JsonObject answer = error(server.lines(body), 400);
        assertThat(counts(answer)).isEqualTo("accepted 150 rejected 150 retry 0 unknown 0");
        JsonArray rows = answer.getJsonArray("rows");
        assertThat(rows).hasSize(100);
        assertThat(rows.getJsonObject(0).getInteger("line")).isEqualTo(1);
        assertThat(rows.getJsonObject(99).getInteger("line")).isEqualTo(199);
        assertThat(server.stored()).hasSize(150);
    }

    /** IN-10. */
    @Test
    void saysWhichRowsToSendAgainWhenAPartitionHasNoQuorum() {
        server.lines(hosts(64, 1));
        int down = partitionOf("m", "h3");
        server.partitions.rule(down, request -> refused(ErrorCode.NO_QUORUM));
        HttpResponse<String> answer = server.lines(hosts(64, 2));
        JsonObject body = error(answer, 503);
        assertThat(body.getString("code")).isEqualTo("no_quorum");
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        long there = IntStream.range(0, 64)
                .filter(i -> partitionOf("m", "h" + i) == down)
                .count();
        assertThat(counts(body)).isEqualTo("accepted " + (64 - there) + " rejected 0 retry " + there + " unknown 0");
        assertThat(body.getJsonArray("rows")).allMatch(row -> {
            int line = ((JsonObject) row).getInteger("line");
            return partitionOf("m", "h" + (line - 1)) == down;
        });
        assertThat(answer.headers().firstValue("Weir-Commit")).isPresent();
    }

    @Test
    void namesTheGravestOutcomeFirst() {
        server.lines(hosts(64, 1));
        String body = hosts(64, 2) + "\nm v=";
        assertThat(server.lines(body).statusCode()).isEqualTo(400);
        server.partitions.rule(0, request -> refused(ErrorCode.RATE_LIMITED));
        assertThat(server.lines(body).statusCode()).isEqualTo(429);
        server.partitions.rule(1, request -> refused(ErrorCode.NO_LEADER));
        assertThat(server.lines(body).statusCode()).isEqualTo(503);
        server.partitions.rule(2, request -> refused(ErrorCode.DISK_FULL));
        HttpResponse<String> full = server.lines(body);
        assertThat(full.statusCode()).isEqualTo(507);
        assertThat(full.headers().firstValue("Retry-After")).isPresent();
        server.partitions.rule(3, request -> new AppendOutcome.Unknown("the answer was lost"));
        JsonObject unknown = error(server.lines(body), 504);
        assertThat(unknown.getString("code")).isEqualTo("unknown_outcome");
        assertThat(unknown.getInteger("accepted")).isZero();
        assertThat(unknown.getInteger("rejected")).isEqualTo(1);
        assertThat(unknown.getInteger("retry")).isPositive();
        assertThat(unknown.getInteger("unknown")).isPositive();
    }

    @Test
    void treatsABrokenPortAsUnknown() {
        server.partitions.rule(partitionOf("m", "a"), request -> {
            throw new IllegalStateException("broken");
        });
        assertThat(server.lines("m,h=a v=1i 1").statusCode()).isEqualTo(504);
    }

    @Test
    void keepsTheOrderOfASeriesAndStopsAPartitionAtItsFirstFailure() {
        String body = IntStream.range(0, 12_000)
                .mapToObj(i -> "m,h=a v=" + i + "i " + i)
                .collect(Collectors.joining("\n"));
        int partition = partitionOf("m", "a");
        int[] requests = {0};
        server.partitions.rule(partition, request -> requests[0]++ == 1 ? refused(ErrorCode.OVERLOADED) : null);
        JsonObject answer = error(server.lines(body), 503);
        assertThat(counts(answer)).isEqualTo("accepted 5000 rejected 0 retry 7000 unknown 0");
        assertThat(requests[0]).isEqualTo(2);
        server.partitions.heal();
        assertThat(server.lines(body).statusCode()).isEqualTo(204);
        List<Long> times =
                server.partitions.rows().stream().map(StoredRow::time).toList();
        assertThat(times.subList(5_000, 17_000)).isSorted();
    }

    @Test
    void routesRowsAnewWhenASlotHasMoved() {
        FoldingCatalog catalog = server.catalog;
        assertThat(server.lines("m,h=a v=1i 1").statusCode()).isEqualTo(204);
        int from = partitionOf("m", "a");
        server.partitions.owns(from, slot -> false);
        // The map names another partition once somebody asks for a newer one.
        int[] tries = {0};
        server.partitions.rule(from, request -> {
            if (++tries[0] == 2) {
                server.partitions.owns(from, slot -> true);
            }
            return null;
        });
        HttpResponse<String> answer = server.lines("m,h=a v=2i 2\nm,h=a v=3i 3");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[h=a] {v=1} @1", "m[h=a] {v=2} @2", "m[h=a] {v=3} @3");
        assertThat(catalog.proposals()).isNotEmpty();
    }

    @Test
    void leavesRowsToTheClientWhenTheirSlotKeepsMoving() {
        assertThat(server.lines("m,h=a v=1i 1").statusCode()).isEqualTo(204);
        server.partitions.owns(partitionOf("m", "a"), slot -> false);
        JsonObject body = error(server.lines("m,h=a v=2i 2"), 503);
        assertThat(body.getInteger("retry")).isEqualTo(1);
    }

    /** LP-23. */
    @Test
    void tellsHowManyRowsWereMerged() {
        HttpResponse<String> answer = server.lines("s v=1i\ns v=2i\ns v=3i\n");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Weir-Merged")).contains("2");
        assertThat(server.partitions.rows()).allMatch(row -> row.time() == IngestServer.NOW_NANOS);
        assertThat(server.lines("s v=4i 77").headers().firstValue("Weir-Merged"))
                .isEmpty();
    }

    /** LP-19. */
    @Test
    void warnsOfTimesFarFromNow() {
        HttpResponse<String> answer = server.lines("m v=1i 1700000000\nm v=2i " + IngestServer.NOW_NANOS);
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Weir-Warning").orElseThrow())
                .contains("1 row has a time more than a year from now")
                .contains("line 1, 1970-01-01T00:00:01.700Z")
                .contains("check precision");
        assertThat(server.meters
                        .get("weir_ingest_warnings")
                        .tag("kind", "time_far_from_now")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(server.lines("m v=2i " + IngestServer.NOW_NANOS).headers().firstValue("Weir-Warning"))
                .isEmpty();
    }

    /** OP-03. */
    @Test
    void suppressesRepeatsUnderAnIdempotencyKey() {
        String body = hosts(64, 1);
        int down = partitionOf("m", "h3");
        server.partitions.rule(down, request -> refused(ErrorCode.NO_LEADER));
        assertThat(write(body, "k1").statusCode()).isEqualTo(503);
        server.partitions.heal();
        HttpResponse<String> repeated = write(body, "k1");
        assertThat(repeated.statusCode()).isEqualTo(204);
        assertThat(repeated.headers().firstValue("Weir-Commit")).isPresent();
        assertThat(write(body, "k1").statusCode()).isEqualTo(204);
        assertThat(server.stored()).hasSize(64);
        assertThat(error(write(hosts(64, 2), "k1"), 422).getString("code")).isEqualTo("idempotency_mismatch");
        assertThat(server.post("/api/v2/write?precision=s", body, "Idempotency-Key", "k1")
                        .statusCode())
                .isEqualTo(422);
        assertThat(server.stored()).hasSize(64);
        assertThat(error(write(body, "a b"), 400).getString("code")).isEqualTo("bad_request");
    }

    @Test
    void cutsChunksFromTheBodyAlone() {
        String body = IntStream.range(0, 11_000)
                .mapToObj(i -> "m,h=h" + i % 7 + " v=" + i + "i " + i)
                .collect(Collectors.joining("\n"));
        assertThat(write(body, "big").statusCode()).isEqualTo(204);
        List<Integer> chunks = server.partitions.appends().stream()
                .map(request -> request.unit().chunk())
                .distinct()
                .sorted()
                .toList();
        assertThat(chunks).containsExactly(0, 1, 2);
        assertThat(write(body, "big").statusCode()).isEqualTo(204);
        assertThat(server.stored()).hasSize(11_000);
    }

    @Test
    void takesEmptyBodiesAndComments() {
        assertThat(server.lines("").statusCode()).isEqualTo(204);
        assertThat(server.lines("# nothing\n\n").statusCode()).isEqualTo(204);
        assertThat(server.json("[]").statusCode()).isEqualTo(204);
        assertThat(server.partitions.appends()).isEmpty();
    }

    @Test
    void countsWhatItDoes() {
        server.lines("m v=1i 1\nm v=2 2\nm v=");
        assertThat(server.meters.get("weir_ingest_rows_accepted").counter().count())
                .isEqualTo(1);
        assertThat(server.meters
                        .get("weir_ingest_rows_refused")
                        .tag("code", "syntax")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(server.meters
                        .get("weir_ingest_rows_refused")
                        .tag("code", "type_conflict")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(server.meters.get("weir_ingest_in_flight_bytes").gauge().value())
                .isZero();
    }

    private HttpResponse<String> write(String body, String key) {
        return server.post("/api/v2/write", body, "Idempotency-Key", key);
    }

    private static String hosts(int count, int time) {
        return IntStream.range(0, count)
                .mapToObj(i -> "m,h=h" + i + " v=" + i + "i " + time)
                .collect(Collectors.joining("\n"));
    }

    private static int partitionOf(String table, String host) {
        int slot = new SeriesKey("acme", table, List.of(new Tag("h", host))).slot();
        return slot * PARTITIONS / SeriesHash.SLOTS;
    }

    private static AppendOutcome refused(ErrorCode code) {
        return new AppendOutcome.Refused(Refusal.of(code, "partition says " + code.wireName()));
    }

    static JsonObject error(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        JsonObject body = new JsonObject(answer.body());
        assertThat(body.getString("error")).isNotBlank();
        assertThat(body.getString("code")).isNotBlank();
        return body;
    }

    static String counts(JsonObject body) {
        return "accepted " + body.getInteger("accepted") + " rejected " + body.getInteger("rejected") + " retry "
                + body.getInteger("retry") + " unknown " + body.getInteger("unknown");
    }
}
