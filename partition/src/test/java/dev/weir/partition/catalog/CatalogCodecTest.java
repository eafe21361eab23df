package dev.weir.partition.catalog;

import static dev.weir.partition.catalog.CatalogSamples.beyond;
import static dev.weir.partition.catalog.CatalogSamples.field;
import static dev.weir.partition.catalog.CatalogSamples.tag;
import static dev.weir.partition.catalog.CatalogSamples.widening;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.CatalogAnswerCodec.Answer;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden bytes: what was written once must be read for ever. */
final class CatalogCodecTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    /** Of tenant t: partition 3, next seq 300. */
    private static final String CURSOR = "AeR_kEMBA6wC51jL4w";

    static Stream<Arguments> entries() {
        return Stream.of(
                Arguments.of(
                        new CatalogCommand.Birth(
                                "c1",
                                3,
                                List.of(CatalogSamples.N1),
                                List.of(new PartitionRecord(
                                        0, 2, List.of(new SlotRange(0, 4096)), List.of("n1"), List.of(7, 8)))),
                        """
                        {"kind":"birth","v":1,"id":"p","cluster_id":"c1","replication_factor":3,\
                        "nodes":[{"id":"n1","host":"h1","http":7070,"raft":7071,"hazelcast":7072,"incarnation":0}],\
                        "partitions":[{"id":0,"generation":2,"slots":[{"from":0,"to":4096}],"replicas":["n1"],"parents":[7,8]}]}"""),
                Arguments.of(new CatalogCommand.NodeStarted(CatalogSamples.N2), """
                        {"kind":"node_started","v":1,"id":"p",\
                        "node":{"id":"n2","host":"h2","http":7070,"raft":7071,"hazelcast":7072,"incarnation":0}}"""),
                Arguments.of(new CatalogCommand.NodeStarted(new NodeRecord("n2", "h2", 1, 2, 3, 0, true)), """
                        {"kind":"node_started","v":1,"id":"p",\
                        "node":{"id":"n2","host":"h2","http":1,"raft":2,"hazelcast":3,"incarnation":0,"tls":true}}"""),
                Arguments.of(new CatalogCommand.CreateTenant("t"), """
                        {"kind":"create_tenant","v":1,"id":"p","name":"t"}"""),
                Arguments.of(new CatalogCommand.AddAlias("t", "ä/b"), """
                        {"kind":"add_alias","v":1,"id":"p","tenant":"t","alias":"ä/b"}"""),
                Arguments.of(
                        new CatalogCommand.CreateToken(
                                new TokenRecord("k", HASH, "t", Set.of(Scope.CDC, Scope.WRITE), 17)),
                        """
                        {"kind":"create_token","v":1,"id":"p","token":{"id":"k","sha256":"%s","tenant":"t",\
                        "scopes":["write","cdc"],"created_at":17}}""".formatted(HASH)),
                Arguments.of(new CatalogCommand.RevokeToken("k"), """
                        {"kind":"revoke_token","v":1,"id":"p","token_id":"k"}"""),
                Arguments.of(
                        new CatalogCommand.AgreeSchema("t", "cpu", List.of(tag("host"), beyond("a"), widening("b"))),
                        """
                        {"kind":"agree_schema","v":1,"id":"p","tenant":"t","table":"cpu","columns_per_table":1000,\
                        "tables_per_tenant":10000,"wishes":[{"name":"host","role":"tag","type":"string"},\
                        {"name":"a","role":"field","type":"int64","beyond_double":true},\
                        {"name":"b","role":"field","type":"float64","widens":true}]}"""),
                Arguments.of(
                        new CatalogCommand.CreateTable(
                                "t",
                                "cpu",
                                true,
                                true,
                                List.of(tag("host"), field("v", FieldType.UINT64)),
                                new TableSettings(Duration.ofDays(30), 1_000_000, Publication.DELTA)),
                        """
                        {"kind":"create_table","v":1,"id":"p","tenant":"t","table":"cpu","columns_per_table":1000,\
                        "tables_per_tenant":10000,"if_not_exists":true,"strict":true,\
                        "columns":[{"name":"host","role":"tag","type":"string"},{"name":"v","role":"field","type":"uint64"}],\
                        "retention_seconds":2592000,"time_unit_nanos":1000000,"published":"delta"}"""),
                Arguments.of(
                        new CatalogCommand.CreateTable("t", "m", false, false, List.of(), TableSettings.DEFAULTS), """
                        {"kind":"create_table","v":1,"id":"p","tenant":"t","table":"m","columns_per_table":1000,\
                        "tables_per_tenant":10000,"columns":[]}"""),
                Arguments.of(alter(new TableAlteration.AddColumn(field("v", FieldType.BOOL))), """
                        {"kind":"add_column","v":1,"id":"p","tenant":"t","table":"cpu","columns_per_table":1000,\
                        "tables_per_tenant":10000,"column":{"name":"v","role":"field","type":"bool"}}"""),
                Arguments.of(alter(new TableAlteration.DropColumn("v")), """
                        {"kind":"drop_column","v":1,"id":"p","tenant":"t","table":"cpu","column":"v"}"""),
                Arguments.of(alter(new TableAlteration.WidenColumn("v", FieldType.FLOAT64)), """
                        {"kind":"widen_column","v":1,"id":"p","tenant":"t","table":"cpu","column":"v","type":"float64"}"""),
                Arguments.of(
                        alter(new TableAlteration.Set(
                                Optional.of(false),
                                Optional.of(Duration.ZERO),
                                Optional.of(1L),
                                Optional.of(Publication.NONE))),
                        """
                        {"kind":"set_table","v":1,"id":"p","tenant":"t","table":"cpu","schema":"open",\
                        "retention_seconds":0,"time_unit_nanos":1,"published":"none"}"""),
                Arguments.of(
                        alter(new TableAlteration.Set(
                                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())),
                        """
                        {"kind":"set_table","v":1,"id":"p","tenant":"t","table":"cpu"}"""),
                Arguments.of(new CatalogCommand.DropTable("t", "cpu", "x"), """
                        {"kind":"drop_table","v":1,"id":"p","tenant":"t","table":"cpu","change_id":"x"}"""),
                Arguments.of(new CatalogCommand.DropFinished(9), """
                        {"kind":"drop_finished","v":1,"id":"p","table_id":9}"""),
                Arguments.of(new CatalogCommand.SetReplicas(3, List.of("n1", "n2"), 12), """
                        {"kind":"set_replicas","v":1,"id":"p","partition":3,"replicas":["n1","n2"],"expected_epoch":12}"""),
                Arguments.of(
                        new CatalogCommand.TakeLease(
                                new LeaseRecord(
                                        "00aa",
                                        "t",
                                        List.of("cpu"),
                                        List.of(new LeaseRecord.Held(3, 17, 21), new LeaseRecord.Held(4, 17, 21, 0)),
                                        5,
                                        9),
                                64,
                                6),
                        """
                        {"kind":"take_lease","v":1,"id":"p","lease":{"id":"00aa","tenant":"t","tables":["cpu"],\
                        "held":[{"partition":3,"from":17,"cut":21},{"partition":4,"from":17,"cut":21,"since":0}],"created_at":5,"expires_at":9},"leases_max":64,"now":6}"""),
                Arguments.of(new CatalogCommand.RenewLease("00aa", 12, 8), """
                        {"kind":"renew_lease","v":1,"id":"p","lease_id":"00aa","expires_at":12,"now":8}"""),
                Arguments.of(new CatalogCommand.EndLease("00aa"), """
                        {"kind":"end_lease","v":1,"id":"p","lease_id":"00aa"}"""),
                Arguments.of(
                        new CatalogCommand.PutSubscription(
                                new SubscriptionRecord(
                                        "t",
                                        "audit",
                                        new TreeMap<>(Map.of("measurement", List.of("cpu", "mem"))),
                                        "earliest",
                                        Cursor.of(3, 300),
                                        new SubscriptionBudget(1024, Duration.ofHours(1)),
                                        7,
                                        17,
                                        18,
                                        4,
                                        2,
                                        ConsumerGroup.NONE),
                                256),
                        """
                        {"kind":"put_subscription","v":1,"id":"p","subscriptions_per_tenant":256,\
                        "subscription":{"tenant":"t","name":"audit","filter":{"measurement":["cpu","mem"]},\
                        "from":"earliest","cursor":"%s","budget_bytes":1024,"budget_seconds":3600,\
                        "generation":7,"created_at":17,"acked_at":18,"commits":4,"seeks":2}}""".formatted(CURSOR)),
                Arguments.of(new CatalogCommand.DeleteSubscription("t", "audit"), """
                        {"kind":"delete_subscription","v":1,"id":"p","tenant":"t","name":"audit"}"""),
                Arguments.of(
                        new CatalogCommand.CommitCursors(
                                19, List.of(new CursorCommit("t", "audit", "", 7, Cursor.of(3, 300)))),
                        """
                        {"kind":"commit_cursors","v":1,"id":"p","at":19,"commits":[{"tenant":"t","name":"audit",\
                        "generation":7,"cursor":"%s"}]}""".formatted(CURSOR)),
                Arguments.of(
                        new CatalogCommand.SeekSubscription("t", "audit", Cursor.of(3, 300)), """
                        {"kind":"seek_subscription","v":1,"id":"p","tenant":"t","name":"audit",\
                        "cursor":"%s"}""".formatted(CURSOR)),
                Arguments.of(
                        new CatalogCommand.CommitCursors(
                                19, List.of(new CursorCommit("t", "audit", "m1", 7, Cursor.of(3, 300)))),
                        """
                        {"kind":"commit_cursors","v":1,"id":"p","at":19,"commits":[{"tenant":"t","name":"audit",\
                        "member":"m1","generation":7,"cursor":"%s"}]}""".formatted(CURSOR)),
                Arguments.of(
                        new CatalogCommand.JoinGroup(
                                "t", "audit", "m1", new MemberStream("n1", "x"), 7, new TreeSet<>(List.of(0, 3)), 256),
                        """
                        {"kind":"join_group","v":2,"id":"p","tenant":"t","name":"audit","member":"m1",\
                        "stream":{"node":"n1","id":"x"},"generation":7,"ready":[0,3],"members_max":256}"""),
                Arguments.of(new CatalogCommand.EndMemberStream("t", "audit", "m1", "x"), """
                        {"kind":"end_member_stream","v":1,"id":"p","tenant":"t","name":"audit","member":"m1","stream":"x"}"""),
                Arguments.of(new CatalogCommand.SetReady("t", "audit", 7, new TreeSet<>(List.of(0, 3))), """
                        {"kind":"set_ready","v":2,"id":"p","tenant":"t","name":"audit","generation":7,"ready":[0,3]}"""),
                Arguments.of(new CatalogCommand.ExpireMember("t", "audit", "m1", 9), """
                        {"kind":"expire_member","v":1,"id":"p","tenant":"t","name":"audit","member":"m1","generation":9}"""),
                Arguments.of(new CatalogCommand.RenewMembers("n1"), """
                        {"kind":"renew_members","v":1,"id":"p","node":"n1"}"""),
                Arguments.of(new CatalogCommand.ExpireNode("n1", 8), """
                        {"kind":"expire_node","v":1,"id":"p","node":"n1","lease":8}"""),
                Arguments.of(
                        new CatalogCommand.StartOperation(OperationRecord.of(
                                "o1",
                                "move",
                                5,
                                false,
                                "k",
                                7,
                                List.of(
                                        new OperationAction.MoveReplica(3, "n1", "n4"),
                                        new OperationAction.TransferLeader(4, "n2")))),
                        """
                        {"kind":"start_operation","v":1,"id":"p","operation":{"id":"o1","kind":"move","epoch":5,"state":"running",\
                        "by":"k","started_at":7,"ended_at":0,"actions":[\
                        {"action":"move","partition":3,"from":"n1","to":"n4","state":"waiting","message":""},\
                        {"action":"transfer-leader","partition":4,"to":"n2","state":"waiting","message":""}]}}"""),
                Arguments.of(new CatalogCommand.SteerOperation("o1", CatalogCommand.Wish.CANCEL, 8), """
                        {"kind":"steer_operation","v":1,"id":"p","operation":"o1","wish":"cancel","now":8}"""),
                Arguments.of(new CatalogCommand.AdvanceAction("o1", 1, ActionState.RUNNING, "n4 catches up", 9), """
                        {"kind":"advance_action","v":1,"id":"p","operation":"o1","action":1,"state":"running",\
                        "message":"n4 catches up","now":9}"""));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void entryHasItsBytes(CatalogCommand command, String golden) {
        CatalogEntry entry = new CatalogEntry("p", CatalogLimits.DEFAULTS, command);

        assertThat(CatalogEntryCodec.encode(entry))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(golden);
        assertThat(CatalogEntryCodec.decode(golden.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(entry);
    }

    @ParameterizedTest
    @MethodSource("entries")
    void damagedEntryIsRefused(CatalogCommand command, String golden) {
        byte[] bytes = golden.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x15;
            decodesOrRefuses(damaged);
        }
        assertThatThrownBy(() -> CatalogEntryCodec.decode(Arrays.copyOf(bytes, bytes.length - 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readyPartitionsOfVersionOneAreOfNoGeneration() {
        assertThat(decode(
                                "{\"kind\":\"set_ready\",\"v\":1,\"id\":\"p\",\"tenant\":\"t\",\"name\":\"audit\",\"ready\":[0,3]}")
                        .command())
                .isEqualTo(new CatalogCommand.SetReady(
                        "t", "audit", CatalogCommand.Group.ANY_GENERATION, new TreeSet<>(List.of(0, 3))));
        assertThat(decode(
                                "{\"kind\":\"join_group\",\"v\":1,\"id\":\"p\",\"tenant\":\"t\",\"name\":\"audit\",\"member\":\"m1\","
                                        + "\"stream\":{\"node\":\"n1\",\"id\":\"x\"},\"ready\":[0,3],\"members_max\":256}")
                        .command())
                .isEqualTo(new CatalogCommand.JoinGroup(
                        "t",
                        "audit",
                        "m1",
                        new MemberStream("n1", "x"),
                        CatalogCommand.Group.ANY_GENERATION,
                        new TreeSet<>(List.of(0, 3)),
                        256));
        assertThatThrownBy(() -> decode(
                        "{\"kind\":\"set_ready\",\"v\":3,\"id\":\"p\",\"tenant\":\"t\",\"name\":\"a\",\"ready\":[]}"))
                .hasMessageContaining("version 3")
                .hasMessageContaining("versions 1 to 2");
        assertThatThrownBy(() -> decode(
                        "{\"kind\":\"set_ready\",\"v\":2,\"id\":\"p\",\"tenant\":\"t\",\"name\":\"a\",\"ready\":[]}"))
                .hasMessageContaining("generation: expected an integer");
    }

    @Test
    void laterVersionsAndKindsAreRefusedByName() {
        assertThatThrownBy(() -> decode("{\"kind\":\"create_tenant\",\"v\":2,\"id\":\"p\",\"name\":\"t\"}"))
                .hasMessageContaining("create_tenant")
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> decode("{\"kind\":\"fly\",\"v\":1,\"id\":\"p\"}"))
                .hasMessageContaining("'fly'");
        assertThatThrownBy(() -> decode("[]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> decode("{\"kind\":\"create_tenant\",\"v\":1,\"id\":\"p\",\"name\":5}"))
                .hasMessageContaining("name: expected text");
    }

    @Test
    void answersAreReadBack() {
        FoldedImage image = CatalogFold.step(
                        CatalogSamples.born(),
                        2,
                        CatalogLimits.DEFAULTS,
                        CatalogSamples.agree("cpu", tag("host"), beyond("a")))
                .image();
        for (Answer answer : List.of(
                new Answer.Replied(new CatalogReply.Done(4)),
                new Answer.Replied(new CatalogReply.Incarnation(4, 5)),
                new Answer.Replied(
                        new CatalogReply.Schema(4, image.table("default", "cpu").orElseThrow(), List.of("z"), "limit")),
                new Answer.Replied(new CatalogReply.Dropped(4, new TableDrop(1, "t", "n", "x"))),
                new Answer.Replied(new CatalogReply.Refused(4, Refusal.of(ErrorCode.CONFLICT, "no"))),
                new Answer.TryAgain("why", "n1"),
                new Answer.TryAgain("why", null))) {
            assertThat(CatalogAnswerCodec.decode(CatalogAnswerCodec.encode(answer)))
                    .isEqualTo(answer);
        }
    }

    private static CatalogCommand alter(TableAlteration alteration) {
        return new CatalogCommand.AlterTable("t", "cpu", alteration);
    }

    private static CatalogEntry decode(String json) {
        return CatalogEntryCodec.decode(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void decodesOrRefuses(byte[] bytes) {
        try {
            CatalogEntryCodec.decode(bytes);
        } catch (IllegalArgumentException e) {
            if (e.getMessage() == null) {
                throw e;
            }
        }
    }
}
