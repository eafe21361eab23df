package dev.weir.partition.catalog;

import static dev.weir.partition.catalog.CatalogSamples.agree;
import static dev.weir.partition.catalog.CatalogSamples.beyond;
import static dev.weir.partition.catalog.CatalogSamples.field;
import static dev.weir.partition.catalog.CatalogSamples.tag;
import static dev.weir.partition.catalog.CatalogSamples.widening;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CatalogFoldTest {
    private static final String HASH = "ab".repeat(32);

    private FoldedImage image = CatalogSamples.born();
    private long version = 1;
    private CatalogLimits limits = CatalogLimits.DEFAULTS;

    @Test
    void birthHappensOnceAndBringsTheDefaultTenant() {
        assertThat(image.born()).isTrue();
        assertThat(image.clusterId()).isEqualTo("c-1");
        assertThat(image.epoch()).isEqualTo(1);
        assertThat(image.tenants()).containsOnlyKeys("default");
        assertThat(image.nodes()).containsOnlyKeys("n1", "n2", "n3");
        assertThat(image.partitions()).hasSize(4);
        assertThat(image.partitionOf(0).id()).isZero();
        assertThat(image.partitionOf(4095).id()).isEqualTo(3);

        FoldedImage before = image;
        assertThat(propose(new CatalogCommand.Birth("c-2", 1, List.of(), List.of())))
                .isInstanceOf(CatalogReply.Done.class);
        assertThat(image).isEqualTo(before.with(version, List.of()));
    }

    @Test
    void nothingHappensBeforeBirth() {
        image = FoldedImage.empty();

        assertRefused(new CatalogCommand.CreateTenant("t"), ErrorCode.STARTING);
        assertThat(image.born()).isFalse();
    }

    @Test
    void birthWithAMapThatIsNoneIsRefused() {
        image = FoldedImage.empty();

        assertRefused(new CatalogCommand.Birth("c", 1, List.of(CatalogSamples.N1), List.of()), ErrorCode.BAD_REQUEST);
        assertRefused(
                new CatalogCommand.Birth(
                        "c",
                        1,
                        List.of(CatalogSamples.N1),
                        List.of(new PartitionRecord(0, 0, List.of(new SlotRange(0, 4096)), List.of("n9"), List.of()))),
                ErrorCode.BAD_REQUEST);
    }

    @Test
    void startsRaiseTheIncarnationAndUpdateTheAddress() {
        assertThat(propose(new CatalogCommand.NodeStarted(CatalogSamples.N1)))
                .isEqualTo(new CatalogReply.Incarnation(version, 1));
        NodeRecord moved = new NodeRecord("n1", "elsewhere", 1, 2, 3, 0);
        assertThat(propose(new CatalogCommand.NodeStarted(moved))).isEqualTo(new CatalogReply.Incarnation(version, 2));
        assertThat(image.nodes().get("n1").host()).isEqualTo("elsewhere");
        propose(new CatalogCommand.NodeStarted(new NodeRecord("n4", "h4", 1, 2, 3, 0)));
        assertThat(image.nodes().get("n4").incarnation()).isEqualTo(1);
        NodeRecord withTls = new NodeRecord("n4", "h4", 1, 2, 3, 0, true);
        propose(new CatalogCommand.NodeStarted(withTls));
        assertThat(image.nodes().get("n4")).isEqualTo(withTls.withIncarnation(2));
    }

    @Test
    void tenantsAndAliasesShareOneSpaceOfNames() {
        propose(new CatalogCommand.CreateTenant("acme"));
        propose(new CatalogCommand.AddAlias("acme", "old/db"));

        assertThat(image.tenant("old/db").orElseThrow().name()).isEqualTo("acme");
        assertThat(image.tenant("acme")).isPresent();
        assertThat(propose(new CatalogCommand.AddAlias("acme", "old/db"))).isInstanceOf(CatalogReply.Done.class);
        assertRefused(new CatalogCommand.AddAlias("default", "old/db"), ErrorCode.CONFLICT);
        assertRefused(new CatalogCommand.AddAlias("default", "acme"), ErrorCode.CONFLICT);
        assertRefused(new CatalogCommand.AddAlias("none", "x"), ErrorCode.NOT_FOUND);
        assertRefused(new CatalogCommand.CreateTenant("acme"), ErrorCode.CONFLICT);
        assertRefused(new CatalogCommand.CreateTenant("a/b"), ErrorCode.INVALID_NAME);
        assertRefused(new CatalogCommand.CreateTenant(""), ErrorCode.INVALID_NAME);
        assertRefused(new CatalogCommand.AddAlias("acme", "a\nb"), ErrorCode.INVALID_NAME);
    }

    @Test
    void tokensAreFoundByHashUntilRevoked() {
        TokenRecord token = new TokenRecord("t1", HASH, "default", Set.of(Scope.WRITE), 5);
        propose(new CatalogCommand.CreateToken(token));

        assertThat(image.tokenByHash(HASH)).contains(token);
        assertRefused(new CatalogCommand.CreateToken(token), ErrorCode.CONFLICT);
        propose(new CatalogCommand.RevokeToken("t1"));
        assertThat(image.tokenByHash(HASH)).isEmpty();
        assertRefused(new CatalogCommand.RevokeToken("t1"), ErrorCode.NOT_FOUND);
    }

    @Test
    void tokensNeedATenantUnlessAdminAlone() {
        assertRefused(token("", Set.of(Scope.READ)), ErrorCode.NOT_FOUND);
        assertRefused(token("none", Set.of(Scope.READ)), ErrorCode.NOT_FOUND);
        assertRefused(token("default", Set.of()), ErrorCode.BAD_REQUEST);
        assertThat(propose(token("", Set.of(Scope.ADMIN)))).isInstanceOf(CatalogReply.Done.class);
    }

    @Test
    void schemaIsMadeAndGrowsByOneVersionPerCommand() {
        TableSchema first = agreed(agree("cpu", tag("host"), field("user", FieldType.INT64)));
        assertThat(first.version()).isEqualTo(1);
        assertThat(first.tableId()).isEqualTo(1);
        assertThat(first.columns())
                .containsExactly(
                        new Column(1, "host", ColumnRole.TAG, FieldType.STRING, false),
                        new Column(2, "user", ColumnRole.FIELD, FieldType.INT64, false));

        TableSchema second = agreed(
                agree("cpu", field("a", FieldType.BOOL), field("b", FieldType.STRING), field("user", FieldType.INT64)));
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.columns()).extracting(Column::id).containsExactly(1, 2, 3, 4);

        TableSchema same = agreed(agree("cpu", field("a", FieldType.BOOL), tag("host")));
        assertThat(same).isEqualTo(second);
        assertThat(agreed(agree("mem", tag("host"))).tableId()).isEqualTo(2);
    }

    @Test
    void conflictingWishChangesNothing() {
        TableSchema before = agreed(agree("cpu", tag("host"), field("user", FieldType.INT64)));

        assertThat(agreed(agree("cpu", field("host", FieldType.STRING)))).isEqualTo(before);
        assertThat(agreed(agree("cpu", tag("user")))).isEqualTo(before);
        assertThat(agreed(agree("cpu", field("user", FieldType.STRING)))).isEqualTo(before);
        assertThat(agreed(agree("cpu", field("user", FieldType.FLOAT64)))).isEqualTo(before);
        TableSchema after = agreed(agree("cpu", field("user", FieldType.STRING), field("new", FieldType.BOOL)));
        assertThat(after.version()).isEqualTo(2);
        assertThat(after.column("user").orElseThrow().type()).isEqualTo(FieldType.INT64);
    }

    @Test
    void integerWidensOnlyWhereAllowedAndNothingBeyondDoubleWasAccepted() {
        agreed(agree("cpu", field("a", FieldType.INT64), field("b", FieldType.INT64)));

        TableSchema widened = agreed(agree("cpu", widening("a")));
        assertThat(widened.version()).isEqualTo(2);
        assertThat(widened.column("a").orElseThrow())
                .isEqualTo(new Column(1, "a", ColumnRole.FIELD, FieldType.FLOAT64, false));
        assertThat(agreed(agree("cpu", field("a", FieldType.INT64))).version()).isEqualTo(2);

        TableSchema marked = agreed(agree("cpu", beyond("b")));
        assertThat(marked.version()).isEqualTo(3);
        assertThat(marked.column("b").orElseThrow().beyondDouble()).isTrue();
        assertThat(agreed(agree("cpu", widening("b")))).isEqualTo(marked);
    }

    @Test
    void firstWishForAColumnWinsWithinACommand() {
        TableSchema schema = agreed(agree("cpu", beyond("a"), widening("a"), field("a", FieldType.STRING)));

        assertThat(schema.version()).isEqualTo(1);
        assertThat(schema.columns()).containsExactly(new Column(1, "a", ColumnRole.FIELD, FieldType.INT64, true));
    }

    @Test
    void columnsBeyondTheLimitAreNamed() {
        limits = new CatalogLimits(2, 10);
        CatalogReply.Schema reply = (CatalogReply.Schema)
                propose(agree("cpu", tag("a"), tag("b"), tag("c"), field("d", FieldType.BOOL), tag("c"), tag("a")));

        assertThat(reply.schema().columns()).extracting(Column::name).containsExactly("a", "b");
        assertThat(reply.overLimit()).containsExactly("c", "d");
        assertThat(reply.limitMessage()).contains("limit is 2").contains("limits.columns-per-table");
    }

    @Test
    void tablesBeyondTheLimitAreNotMade() {
        limits = new CatalogLimits(10, 1);
        agreed(agree("cpu", tag("a")));

        CatalogReply.Schema reply = (CatalogReply.Schema) propose(agree("mem", tag("a"), tag("b")));

        assertThat(reply.schema().version()).isZero();
        assertThat(reply.overLimit()).containsExactly("a", "b");
        assertThat(reply.limitMessage()).contains("limits.tables-per-tenant");
        assertThat(image.tables("default")).hasSize(1);
        assertThat(agreed(agree("cpu", tag("z"))).version()).isEqualTo(2);
    }

    @Test
    void droppedTableGetsANewIdWhenMadeAgain() {
        int old = agreed(agree("cpu", tag("a"))).tableId();

        CatalogReply dropped = propose(new CatalogCommand.DropTable("default", "cpu", "x-1"));
        TableDrop drop = new TableDrop(old, "default", "cpu", "x-1");
        assertThat(dropped).isEqualTo(new CatalogReply.Dropped(version, drop));
        assertThat(image.table("default", "cpu")).isEmpty();
        assertThat(image.drops()).containsExactly(drop);
        assertThat(propose(new CatalogCommand.DropTable("default", "cpu", "x-1")))
                .isEqualTo(new CatalogReply.Dropped(version, drop));
        assertRefused(new CatalogCommand.DropTable("default", "cpu", "x-2"), ErrorCode.NOT_FOUND);

        assertThat(agreed(agree("cpu", tag("b"))).tableId()).isGreaterThan(old);
        propose(new CatalogCommand.DropFinished(old));
        assertThat(image.drops()).isEmpty();
        assertThat(propose(new CatalogCommand.DropFinished(old))).isInstanceOf(CatalogReply.Done.class);
    }

    @Test
    void replicasChangeOnlyAtTheEpochTheyWerePlannedFor() {
        assertThat(propose(new CatalogCommand.SetReplicas(0, List.of("n1", "n2", "n3"), 1)))
                .isInstanceOf(CatalogReply.Done.class);
        assertThat(image.epoch()).isEqualTo(2);
        assertThat(image.partitionOf(0).replicas()).containsExactly("n1", "n2", "n3");
        assertRefused(new CatalogCommand.SetReplicas(1, List.of("n1"), 1), ErrorCode.CONFLICT);
        assertThat(propose(new CatalogCommand.SetReplicas(0, List.of("n1", "n2", "n3"), 1)))
                .isInstanceOf(CatalogReply.Done.class);
        assertRefused(new CatalogCommand.SetReplicas(0, List.of("n1", "n1"), 2), ErrorCode.BAD_REQUEST);
        assertRefused(new CatalogCommand.SetReplicas(0, List.of("n9"), 2), ErrorCode.BAD_REQUEST);
        assertRefused(new CatalogCommand.SetReplicas(0, List.of(), 2), ErrorCode.BAD_REQUEST);
        assertRefused(new CatalogCommand.SetReplicas(9, List.of("n1"), 2), ErrorCode.NOT_FOUND);
        assertThat(image.epoch()).isEqualTo(2);
    }

    @Test
    void imagesDoNotChangeAfterwards() {
        agreed(agree("cpu", tag("a")));
        FoldedImage before = image;
        TableSchema schema = before.table("default", "cpu").orElseThrow();

        propose(new CatalogCommand.CreateTenant("t"));
        agreed(agree("cpu", tag("b")));
        agreed(agree("mem", tag("b")));
        propose(new CatalogCommand.SetReplicas(0, List.of("n3"), 1));
        propose(new CatalogCommand.DropTable("default", "cpu", "x"));

        assertThat(before.tenants()).containsOnlyKeys("default");
        assertThat(before.table("default", "cpu")).contains(schema);
        assertThat(before.tables("default")).containsExactly(schema);
        assertThat(before.drops()).isEmpty();
        assertThat(before.epoch()).isEqualTo(1);
        assertThat(before.partitionOf(0).replicas())
                .isEqualTo(before.partitions().get(0).replicas());
    }

    private static CatalogCommand token(String tenant, Set<Scope> scopes) {
        return new CatalogCommand.CreateToken(new TokenRecord("id", HASH, tenant, scopes, 0));
    }

    private CatalogReply propose(CatalogCommand command) {
        version++;
        CatalogFold.Step step = CatalogFold.step(image, version, limits, command);
        image = step.image();
        assertThat(image.version()).isEqualTo(version);
        return step.reply();
    }

    private TableSchema agreed(CatalogCommand.AgreeSchema command) {
        CatalogReply.Schema reply = (CatalogReply.Schema) propose(command);
        assertThat(image.table(command.tenant(), command.table())).contains(reply.schema());
        return reply.schema();
    }

    private void assertRefused(CatalogCommand command, ErrorCode code) {
        FoldedImage before = image;
        CatalogReply reply = propose(command);
        assertThat(reply).isInstanceOf(CatalogReply.Refused.class);
        assertThat(((CatalogReply.Refused) reply).refusal().code()).isEqualTo(code);
        assertThat(image).isEqualTo(before.with(version, List.of()));
    }
}
