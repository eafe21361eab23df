package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.ConsumerGroup;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups over HTTP: two members share four partitions through two gateways. */
class GroupTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STREAM = "/api/v1/cdc/subscriptions/work/stream?member=";

    private final MemoryCluster cluster = MemoryCluster.of(4);
    private Gateway first;
    private Gateway second;

    /** Nobody is given up while a test runs, however slow it is: those that want it say so. */
    @BeforeEach
    void open() throws Exception {
        open(Duration.ofMinutes(10));
        append();
        call(201, "PUT", "/work", "{\"from\":\"earliest\"}");
    }

    private void open(Duration memberTimeout) throws Exception {
        CdcConfig config = CdcConfig.defaults().withHeartbeat(Duration.ofMillis(200));
        HistorySource history = new HistorySource(new MemoryHistory(cluster), HistoryConfig.DEFAULTS);
        first = new Gateway("a", cluster, config, history, memberTimeout);
        second = new Gateway("b", cluster, config, history, memberTimeout);
    }

    private void openWhereTheAbsentAreGivenUp() throws Exception {
        close();
        open(Duration.ofSeconds(2));
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
    }

    private void append() {
        for (int partition = 0; partition < 4; partition++) {
            cluster.log(partition).append(MemoryBatch.point("cpu", "h", 1, 1L));
        }
    }

    private JsonNode call(int status, String method, String path, String body) throws Exception {
        HttpResponse<String> answer = first.call(method, path, body);
        assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
        return answer.body().isEmpty() ? JSON.nullNode() : JSON.readTree(answer.body());
    }

    /** As a member m1 whose stream a node serves. */
    private static CatalogCommand joined(String node) {
        return new CatalogCommand.JoinGroup(
                "default",
                "work",
                "m1",
                new MemberStream(node, "x"),
                CatalogCommand.Group.ANY_GENERATION,
                new TreeSet<>(List.of(0, 1, 2, 3)),
                9);
    }

    private ConsumerGroup group() {
        return cluster.catalog()
                .image()
                .subscription("default", "work")
                .orElseThrow()
                .group();
    }

    /** As happens every half a second, here where a test needs it to have happened. */
    private void lookAfterGroups() {
        try (GroupKeeper keeper = new GroupKeeper(
                cluster.catalog(), first.routes.lineage(), Duration.ofSeconds(100), () -> true, () -> 0)) {
            keeper.tick();
        }
    }

    private static String head(RawStream stream, String name) throws Exception {
        String head = stream.readUntil("\r\n\r\n");
        Matcher value = Pattern.compile("(?i)" + name + ": ?(.*)\r\n").matcher(head);
        assertThat(value.find()).as(head).isTrue();
        return value.group(1);
    }

    private static String ack(String member, String generation, int partition, long next) {
        String cursor = new Cursor(new TreeMap<>(Map.of(partition, next))).encode("default");
        return "{\"cursor\":\"" + cursor + "\",\"member\":\"" + member + "\",\"generation\":" + generation + "}";
    }

    @Test
    void membersShareThePartitionsAndGetWhatWasNotAcknowledged() throws Exception {
        String generation;
        try (RawStream alone = new RawStream(first.port(), STREAM + "m1", null)) {
            assertThat(head(alone, "Weir-Partitions")).isEqualTo("0,1,2,3");
            generation = head(alone, "Weir-Generation");
            alone.readUntil("\"partition\":3,");
            call(204, "POST", "/work/ack", ack("m1", generation, 3, 2));
            try (RawStream other = new RawStream(second.port(), STREAM + "m2", null)) {
                alone.readUntil("\r\n0\r\n");
                await().until(() -> group().members().get("m2").kept().equals(new TreeSet<>(List.of(2, 3))));
                // The first one's stream may have ended before this one was granted: then it has its share from its
                // beginning.
                if (!head(other, "Weir-Partitions").equals("2,3")) {
                    other.readUntil("\r\n0\r\n");
                }
            }
        }
        HttpResponse<String> stale = first.call("POST", "/work/ack", ack("m1", generation, 0, 2));
        assertThat(stale.statusCode()).isEqualTo(409);
        assertThat(stale.body()).contains("stale_generation");
        append();
        try (RawStream one = new RawStream(second.port(), STREAM + "m1", null);
                RawStream two = new RawStream(first.port(), STREAM + "m2", null)) {
            assertThat(head(one, "Weir-Partitions")).isEqualTo("0,1");
            assertThat(head(two, "Weir-Partitions")).isEqualTo("2,3");
            one.readUntil("\"seq\":2,\"prev\":1,\"partition\":1,");
            two.readUntil("\"seq\":2,\"prev\":1,\"partition\":2,");
            two.readUntil("\"partition\":3,");
            assertThat(new String(two.seen(), StandardCharsets.UTF_8))
                    .as("what was acknowledged does not come again")
                    .doesNotContain("\"seq\":1,\"prev\":null,\"partition\":3,")
                    .doesNotContain("\"partition\":0,");
        }
    }

    @Test
    void membersThatAreNotThereLoseTheirPartitions() throws Exception {
        openWhereTheAbsentAreGivenUp();
        try (RawStream one = new RawStream(first.port(), STREAM + "m1", null)) {
            head(one, "Weir-Partitions");
        }
        await().atMost(Gateway.PATIENCE).until(() -> group().members().isEmpty());
        first.call("POST", "/work/ack", "{\"cursor\":\"0:1\"}");
        assertThat(call(200, "GET", "/work", "").path("next").path("0").asLong())
                .isEqualTo(2);
    }

    @Test
    void aNodeThatIsGoneIsGivenUpAndItsMemberGoesOnElsewhere() throws Exception {
        openWhereTheAbsentAreGivenUp();
        cluster.fold(joined("dead"));
        try (RawStream again = new RawStream(first.port(), STREAM + "m1", null)) {
            assertThat(head(again, "Weir-Partitions")).isEqualTo("0,1,2,3");
            again.readUntil("\"partition\":3,");
        }
    }

    /** The node's lease is renewed by all who come back through it, so nobody else ever takes those streams for dead. */
    @Test
    void aNodeThatHasRestartedDoesNotKeepItsMembersOut() throws Exception {
        cluster.fold(joined("a"));
        try (RawStream again = new RawStream(first.port(), STREAM + "m1", null)) {
            assertThat(head(again, "Weir-Partitions")).isEqualTo("0,1,2,3");
            again.readUntil("\"partition\":3,");
        }
    }

    @Test
    void aNodeThatCantSayItIsThereEndsItsMembersStreams() throws Exception {
        openWhereTheAbsentAreGivenUp();
        try (RawStream one = new RawStream(first.port(), STREAM + "m1", null)) {
            one.readUntil("\"partition\":3,");
            cluster.quorum = false;
            one.readUntil("\r\n0\r\n");
        }
        cluster.quorum = true;
    }

    @Test
    void aChildIsHandedOutWhenItsParentIsAcknowledged() throws Exception {
        try (RawStream one = new RawStream(first.port(), STREAM + "m1", null)) {
            String generation = head(one, "Weir-Generation");
            one.readUntil("\"partition\":3,");
            cluster.add(7, 2, List.of(3));
            cluster.end(3);
            cluster.log(7).append(MemoryBatch.point("cpu", "child", 2, 2L));
            lookAfterGroups();
            assertThat(group().ready()).contains(3).doesNotContain(7);
            call(204, "POST", "/work/ack", ack("m1", generation, 3, 2));
            await().atMost(Gateway.PATIENCE).until(() -> group().ready().equals(new TreeSet<>(List.of(0, 1, 2, 7))));
            one.readUntil("\r\n0\r\n");
            assertThat(new String(one.seen(), StandardCharsets.UTF_8)).doesNotContain("\"partition\":7,");
        }
        try (RawStream one = new RawStream(first.port(), STREAM + "m1", null)) {
            assertThat(head(one, "Weir-Partitions")).isEqualTo("0,1,2,7");
            one.readUntil("\"seq\":2,\"prev\":null,\"partition\":7,");
        }
    }

    @Test
    void moreMembersThanPartitionsWait() throws Exception {
        openWhereTheAbsentAreGivenUp();
        call(201, "PUT", "/narrow", "{\"from\":\"earliest\",\"filter\":{\"partition\":2}}");
        String path = "/api/v1/cdc/subscriptions/narrow/stream?member=";
        try (RawStream one = new RawStream(first.port(), path + "m1", null)) {
            assertThat(head(one, "Weir-Partitions")).isEqualTo("2");
            try (RawStream two = new RawStream(second.port(), path + "m2", null)) {
                assertThat(head(two, "Weir-Partitions")).isEmpty();
                two.readUntil(": ka");
                assertThat(new String(two.seen(), StandardCharsets.UTF_8)).doesNotContain("\"partition\":2");
                one.close();
                two.readUntil("\r\n0\r\n");
            }
        }
        await().atMost(Gateway.PATIENCE).untilAsserted(() -> {
            try (RawStream two = new RawStream(second.port(), path + "m2", null)) {
                assertThat(head(two, "Weir-Partitions")).isEqualTo("2");
            }
        });
    }

    @Test
    void whatAGroupDoesNotTakeIsRefused() throws Exception {
        assertThat(call(400, "GET", "/work/stream?member=a%20b", "")
                        .path("code")
                        .asText())
                .isEqualTo("invalid_name");
        call(400, "POST", "/work/ack", "{\"cursor\":\"0:1\",\"member\":\"m1\"}");
        assertThat(call(409, "POST", "/work/ack", ack("m9", "1", 0, 2))
                        .path("code")
                        .asText())
                .isEqualTo("stale_generation");
        try (RawStream one = new RawStream(first.port(), STREAM + "m1", null)) {
            head(one, "Weir-Partitions");
            call(409, "GET", "/work/stream", "");
            call(409, "POST", "/work/ack", "{\"cursor\":\"0:1\"}");
            assertThat(call(200, "GET", "/work", "").path("members").toString())
                    .contains("\"member\":\"m1\"", "\"node\":\"a\"", "\"partitions\":[0,1,2,3]");
            call(200, "POST", "/work/seek", "{\"to\":\"latest\"}");
            one.readUntil("\r\n0\r\n");
        }
    }

    /** As one that is kept with a filter which no version reads any more. */
    @Test
    void oneSubscriptionThatFailsDoesNotKeepTheOthersWaiting() {
        cluster.fold(new CatalogCommand.PutSubscription(
                SubscriptionRecord.made(
                        "default",
                        "broken",
                        new TreeMap<>(Map.of("event_type", List.of("none"))),
                        "now",
                        new Cursor(new TreeMap<>(Map.of(0, 1L))),
                        SubscriptionBudget.NONE,
                        0),
                9));
        for (String name : List.of("broken", "work")) {
            cluster.fold(new CatalogCommand.JoinGroup(
                    "default",
                    name,
                    "m1",
                    new MemberStream("n", name),
                    CatalogCommand.Group.ANY_GENERATION,
                    new TreeSet<>(List.of(0)),
                    9));
        }
        lookAfterGroups();
        assertThat(group().ready()).containsExactly(0, 1, 2, 3);
    }

    /** Its entry of the catalog commits nothing then. */
    @Test
    void oneAloneIsNotToldThatItsAcknowledgementIsCommittedWhenAGroupCameFirst() throws Exception {
        cluster.elsewhere = joined("n");
        assertThat(call(409, "POST", "/work/ack", "{\"cursor\":\"0:1\"}")
                        .path("code")
                        .asText())
                .isEqualTo("conflict");
        assertThat(call(200, "GET", "/work", "").path("next").path("0").asLong())
                .isEqualTo(1);
    }

    /** It would end the stream that the member has. */
    @Test
    void whoOnlyAsksForTheHeadDoesNotJoin() throws Exception {
        try (RawStream one = new RawStream(first.port(), STREAM + "m1", null)) {
            head(one, "Weir-Partitions");
            ConsumerGroup before = group();
            for (String member : List.of("m1", "m2")) {
                try (RawStream head = new RawStream(second.port(), "HEAD", STREAM + member, "")) {
                    assertThat(head.readUntil("\r\n\r\n"))
                            .startsWith("HTTP/1.1 200")
                            .contains("text/event-stream");
                }
            }
            assertThat(first.call("HEAD", "/work/stream?member=a%20b", "").statusCode())
                    .isEqualTo(400);
            assertThat(group()).isEqualTo(before);
        }
    }

    @Test
    void whoTheNodeCantServeDoesNotJoin() throws Exception {
        first.routes.close();
        assertThat(call(503, "GET", "/work/stream?member=m1", "").path("code").asText())
                .isEqualTo("starting");
        assertThat(first.metric("weir.cdc.refused")).isEqualTo(1);
        assertThat(cluster.proposals).noneMatch(CatalogCommand.JoinGroup.class::isInstance);
    }

    @Test
    void aKeeperWaitsAnewForWhatHasChanged() {
        AtomicLong clock = new AtomicLong();
        Duration timeout = Duration.ofSeconds(100);
        cluster.fold(joined("n"));
        try (GroupKeeper keeper =
                new GroupKeeper(cluster.catalog(), first.routes.lineage(), timeout, () -> true, clock::get)) {
            keeper.tick();
            passLessThan(timeout, keeper, clock);
            cluster.fold(new CatalogCommand.RenewMembers("n"));
            keeper.tick();
            passLessThan(timeout, keeper, clock);
            assertThat(group().members()).containsKey("m1");
            clock.addAndGet(GroupKeeper.TICK.toNanos());
            keeper.tick();
            assertThat(group().members()).isEmpty();
        }
    }

    /** Ticks as they come when nothing holds them up, until one is left. */
    private static void passLessThan(Duration timeout, GroupKeeper keeper, AtomicLong clock) {
        long ticks = timeout.dividedBy(GroupKeeper.TICK);
        for (long i = 1; i < ticks; i++) {
            clock.addAndGet(GroupKeeper.TICK.toNanos());
            keeper.tick();
        }
    }

    /** As after a stop of the whole machine: the member had no time to come back. */
    @Test
    void aPauseOfTheKeepersOwnProcessIsNobodysAbsence() {
        AtomicLong clock = new AtomicLong();
        Duration timeout = Duration.ofSeconds(100);
        cluster.fold(joined("n"));
        try (GroupKeeper keeper =
                new GroupKeeper(cluster.catalog(), first.routes.lineage(), timeout, () -> true, clock::get)) {
            keeper.tick();
            clock.addAndGet(2 * timeout.toNanos());
            keeper.tick();
            assertThat(group().members()).containsKey("m1");
            passLessThan(timeout, keeper, clock);
            assertThat(group().members()).isEmpty();
        }
    }
}
