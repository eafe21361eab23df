package dev.weir.node.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.letter.LetterLimits;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Refused rows are kept with their text and reason, each once, within limits. */
class DeadLettersTest {
    private @Nullable IngestServer opened;

    @AfterEach
    void close() {
        server().close();
    }

    private IngestServer open() {
        return open(LetterLimits.defaults());
    }

    private IngestServer open(LetterLimits letters) {
        return open(new FoldingCatalog(4), letters);
    }

    private IngestServer open(FoldingCatalog catalog, LetterLimits letters) {
        IngestLimits limits = IngestLimits.defaults();
        IngestServer server = new IngestServer(
                catalog,
                new IngestLimits(
                        limits.bodyBytesMax(),
                        limits.inflatedBytesMax(),
                        limits.bytesInFlightMax(),
                        limits.rowBytesMax(),
                        limits.seriesCacheBytes(),
                        letters));
        opened = server;
        return server;
    }

    private IngestServer server() {
        return Objects.requireNonNull(opened);
    }

    private List<Map<String, Object>> letters() {
        return server().partitions.letters().stream()
                .map(StoredRow::fields)
                .sorted((a, b) -> a.get("id").toString().compareTo(b.get("id").toString()))
                .toList();
    }

    private List<Object> texts() {
        return letters().stream().map(letter -> letter.get("text")).toList();
    }

    @Test
    void keepsWhatIsRefusedAndNothingElse() {
        open().lines("m,h=a v=1i 1\n# comment\n\nm v=\nm,h=b v=\"x\" 3\nsecond,h=c v=2i\nm,h=d,v=3 w=1 4\nm _x=1 5\n");
        assertThat(texts()).containsExactly("m v=", "m,h=b v=\"x\" 3", "m,h=d,v=3 w=1 4", "m _x=1 5");
        Map<String, Object> conflict = letters().get(1);
        assertThat(conflict.get("measurement")).isEqualTo("m");
        assertThat(conflict.get("message").toString()).startsWith("line 5, column 7: field \"v\"");
        assertThat(conflict.get("format")).isEqualTo("lp");
        assertThat(conflict.get("parameters"))
                .isEqualTo("{\"precision\":\"ns\",\"nan\":\"refuse\",\"default_time\":" + IngestServer.NOW_NANOS + "}");
        assertThat(conflict.get("line")).isEqualTo(5L);
        assertThat(conflict.get("truncated")).isEqualTo(false);
        assertThat(conflict.get("id")).isEqualTo(IngestServer.NOW_NANOS + 1 + ".n1.type_conflict");
        StoredRow row = server().partitions.letters().stream()
                .filter(each -> each.fields().get("line").equals(5L))
                .findFirst()
                .orElseThrow();
        assertThat(row.tags()).containsExactly(new Tag("code", "type_conflict"), new Tag("node", "n1"));
        assertThat(row.time()).isEqualTo(IngestServer.NOW_NANOS + 1);
        assertThat(server().stored()).hasSize(2);
    }

    @Test
    void givesEachLetterATimeOfItsOwn() {
        open();
        for (int body = 0; body < 20; body++) {
            server().lines("m v=\nm w=\nb" + body + " v=");
        }
        assertThat(server().partitions.letters().stream().map(StoredRow::time).distinct())
                .hasSize(60);
        assertThat(letters().stream().map(letter -> letter.get("id")).distinct())
                .hasSize(60);
    }

    @Test
    void keepsElementsOfArraysAndLinesOfJson() {
        open().json(
                        "[{\"measurement\":\"m\",\"fields\":{\"v\":1}},\n {\"measurement\":\"m\", \"fields\":{\"v\":\"x\"}} ,7,{\"measurement\":\"q\",\"fields\":{}}]");
        assertThat(texts())
                .containsExactly(
                        "{\"measurement\":\"m\", \"fields\":{\"v\":\"x\"}}",
                        "7",
                        "{\"measurement\":\"q\",\"fields\":{}}");
        assertThat(letters().stream().map(letter -> letter.get("line"))).containsExactly(1L, 2L, 3L);
        assertThat(letters().get(2).get("measurement")).isEqualTo("q");
        assertThat(letters().get(1)).doesNotContainKey("measurement");
        server().post(
                        "/api/v1/write?measurement=f&tags=h&precision=s",
                        "{\"h\":\"a\",\"v\":[1]}\n{\"h\":\"b\",\"v\":\n");
        assertThat(texts()).contains("{\"h\":\"a\",\"v\":[1]}", "{\"h\":\"b\",\"v\":");
        Map<String, Object> flat = letters().getLast();
        assertThat(flat.get("format")).isEqualTo("flat");
        assertThat(flat.get("measurement")).isEqualTo("f");
        assertThat(flat.get("parameters").toString())
                .startsWith(
                        "{\"precision\":\"s\",\"measurement\":\"f\",\"tags\":[\"h\"],\"time\":\"time\",\"default_time\":");
    }

    @Test
    void keepsABodyThatIsNoJsonAsOneLetter() {
        String body = "[{\"measurement\":\"m\",\"fields\":{\"v\":1}},{\"measurement\"";
        assertThat(open().json(body).statusCode()).isEqualTo(400);
        assertThat(texts()).containsExactly(body);
        assertThat(server().stored()).isEmpty();
    }

    @Test
    void keepsNothingOfRowsThatAreToBeSentAgain() {
        open().lines("m,h=a v=1i 1");
        for (int partition = 0; partition < 4; partition++) {
            server().partitions
                    .rule(
                            partition,
                            request -> request.blocks().size() > 0
                                            && server().partitions.letters().isEmpty()
                                    ? new AppendOutcome.Refused(Refusal.of(ErrorCode.NO_QUORUM, "no quorum"))
                                    : null);
        }
        assertThat(server().lines("m,h=a v=2i 2\nm,h=b v=3i 3").statusCode()).isEqualTo(503);
        assertThat(server().partitions.letters()).isEmpty();
    }

    @Test
    void cutsLongTextsAndShowsBytesThatAreNoText() {
        open(new LetterLimits(64, 1 << 20, 1 << 20));
        server().lines("m v=\"" + "ä".repeat(100));
        server().post("/api/v2/write", new byte[] {'m', ' ', 'v', '=', (byte) 0xff, ' ', '1'});
        assertThat(letters().get(0).get("text").toString().getBytes(StandardCharsets.UTF_8))
                .hasSize(63);
        assertThat(letters().get(0).get("truncated")).isEqualTo(true);
        assertThat(letters().get(1).get("text")).isEqualTo("m v=\ufffd 1");
        assertThat(letters().get(1).get("truncated")).isEqualTo(true);
    }

    @Test
    void keepsNoSecondLettersOfABodyThatIsSentAgain() {
        open();
        String body = "m v=\nm,h=a v=1i 1\n";
        server().post("/api/v2/write", body, "Idempotency-Key", "k1");
        server().post("/api/v2/write", body, "Idempotency-Key", "k1");
        assertThat(texts()).hasSize(1);
        server().lines(body);
        server().lines(body);
        assertThat(texts()).hasSize(2);
        server().lines(body + "m v=");
        assertThat(texts()).hasSize(4);
        assertThat(counter("weir_dead_letters_repeated")).isEqualTo(2);
    }

    @Test
    void warnsOfRowsPastTheLimitOfOneWrite() {
        String body = IntStream.range(0, 1_500).mapToObj(i -> "m v" + i + "=").collect(Collectors.joining("\n"));
        HttpResponse<String> answer = open().lines(body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(letters()).hasSize(1_000);
        assertThat(letters().getLast().get("text")).isEqualTo("m v999=");
        assertThat(answer.headers().firstValue("Weir-Warning"))
                .contains("500 of 1500 refused rows are not kept in _dead_letters: at most 1000 of one write are");
        assertThat(lost("write")).isEqualTo(500);
    }

    @Test
    void warnsOfRowsThatComeTooFast() {
        open(new LetterLimits(1 << 10, 1 << 10, 1 << 20));
        String body = IntStream.range(0, 100).mapToObj(i -> "m v" + i + "=").collect(Collectors.joining("\n"));
        HttpResponse<String> answer = server().lines(body);
        assertThat(letters()).hasSizeBetween(5, 20);
        assertThat(answer.headers().firstValue("Weir-Warning").orElseThrow())
                .contains("of 100 refused rows are not kept", "dead-letters.bytes-per-second");
        assertThat(lost("rate")).isEqualTo(100 - letters().size());
    }

    @Test
    void answersAsEverWhereLettersCannotBeKept() {
        open().lines("m,h=a v=1i 1");
        server().catalog.quorum(false);
        HttpResponse<String> answer = server().lines("m,h=a v=2i 2\nm,h=a v=\"x\" 3");
        assertThat(WriteContractTest.error(answer, 400).getInteger("accepted")).isEqualTo(1);
        assertThat(answer.headers().allValues("Weir-Warning"))
                .anyMatch(text -> text.startsWith("1 refused rows may be missing in _dead_letters: no quorum"));
        assertThat(lost("store")).isEqualTo(1);
        server().catalog.quorum(true);
        server().lines("m,h=a v=2i 2\nm,h=a v=\"x\" 3");
        assertThat(texts()).containsExactly("m,h=a v=\"x\" 3");
    }

    @Test
    void keepsRowsThatFindNoRoomForTheirTable() {
        open(new FoldingCatalog(4, new CatalogLimits(5, 1)), LetterLimits.defaults());
        server().lines("m v=1i 1");
        assertThat(server().lines("another v=1i 1").statusCode()).isEqualTo(400);
        assertThat(texts()).containsExactly("another v=1i 1");
    }

    private double lost(String reason) {
        return server().meters
                .get("weir_dead_letters_lost")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private double counter(String name) {
        return server().meters.get(name).counter().count();
    }
}
