package dev.weir.partition.catalog;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The catalog's rules: what a command changes and answers, from the image alone. Pure: no clock, no configuration, nothing kept.
 *
 * <p>{@link #decide} changes nothing; {@link FoldedImage#with} replays what it decided and cannot refuse.
 */
public final class CatalogFold {
    /** The tenant that every cluster has, used where authentication is off. */
    public static final String DEFAULT_TENANT = "default";

    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
    private static final Pattern ALIAS = Pattern.compile("[^\\p{Cntrl}]{1,128}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private CatalogFold() {}

    /** An image with one more entry in it, and what applying it answers. */
    public record Step(FoldedImage image, CatalogReply reply) {}

    /** @param version the index of the entry that carries the command */
    public static Step step(FoldedImage image, long version, CatalogLimits limits, CatalogCommand command) {
        CatalogDecision decision = decide(image, version, limits, command);
        return new Step(image.with(version, decision.changes()), decision.reply());
    }

    static CatalogDecision decide(FoldedImage image, long version, CatalogLimits limits, CatalogCommand command) {
        if (command instanceof CatalogCommand.Birth birth) {
            return birth(image, version, birth);
        }
        if (!image.born()) {
            return CatalogDecision.refused(version, ErrorCode.STARTING, "the cluster is not born yet");
        }
        return switch (command) {
            case CatalogCommand.Birth again -> birth(image, version, again);
            case CatalogCommand.NodeStarted started -> nodeStarted(image, version, started.node());
            case CatalogCommand.CreateTenant create -> createTenant(image, version, create.name());
            case CatalogCommand.AddAlias add -> addAlias(image, version, add.tenant(), add.alias());
            case CatalogCommand.CreateToken create -> createToken(image, version, create.token());
            case CatalogCommand.RevokeToken revoke -> revokeToken(image, version, revoke.tokenId());
            case CatalogCommand.AgreeSchema agree -> agreeSchema(image, version, limits, agree);
            case CatalogCommand.CreateTable create ->
                image.tenants().containsKey(create.tenant())
                        ? new TableDefinitions(image, version, limits).create(create)
                        : noTenant(version, create.tenant());
            case CatalogCommand.AlterTable alter -> new TableDefinitions(image, version, limits).alter(alter);
            case CatalogCommand.DropTable drop -> dropTable(image, version, drop);
            case CatalogCommand.DropFinished finished ->
                CatalogDecision.done(version, new CatalogChange.DropRemoved(finished.tableId()));
            case CatalogCommand.TakeLease take -> LeaseFold.take(image, version, take);
            case CatalogCommand.RenewLease renew -> LeaseFold.renew(image, version, renew);
            case CatalogCommand.EndLease end -> LeaseFold.end(image, version, end.leaseId());
            case CatalogCommand.SetReplicas set -> setReplicas(image, version, set);
            case CatalogCommand.PutSubscription put ->
                image.tenants().containsKey(put.subscription().tenant())
                        ? new Subscriptions(image, version).put(put)
                        : noTenant(version, put.subscription().tenant());
            case CatalogCommand.DeleteSubscription delete -> new Subscriptions(image, version).delete(delete);
            case CatalogCommand.CommitCursors commit -> new Subscriptions(image, version).commit(commit);
            case CatalogCommand.SeekSubscription seek -> new Subscriptions(image, version).seek(seek);
            case CatalogCommand.Group group -> new Groups(image, version).decide(group);
            case CatalogCommand.Operation operation -> new Operations(image, version).decide(operation);
        };
    }

    private static CatalogDecision birth(FoldedImage image, long version, CatalogCommand.Birth birth) {
        if (image.born()) {
            return CatalogDecision.done(version);
        }
        Optional<String> fault = MapRules.fault(birth);
        if (fault.isPresent()) {
            return CatalogDecision.refused(version, ErrorCode.BAD_REQUEST, fault.get());
        }
        List<CatalogChange> changes = new ArrayList<>();
        changes.add(new CatalogChange.Born(birth.clusterId(), birth.replicationFactor()));
        birth.nodes().forEach(node -> changes.add(new CatalogChange.NodePut(node)));
        changes.add(new CatalogChange.MapPut(birth.partitions()));
        changes.add(new CatalogChange.TenantPut(new TenantRecord(DEFAULT_TENANT, Set.of())));
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    private static CatalogDecision nodeStarted(FoldedImage image, long version, NodeRecord node) {
        NodeRecord known = image.nodes().get(node.id());
        long incarnation = known == null ? 1 : known.incarnation() + 1;
        return new CatalogDecision(
                List.of(new CatalogChange.NodePut(node.withIncarnation(incarnation))),
                new CatalogReply.Incarnation(version, incarnation));
    }

    private static CatalogDecision createTenant(FoldedImage image, long version, String name) {
        if (!TENANT.matcher(name).matches()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.INVALID_NAME,
                    "tenant name: expected 1 to 64 letters, digits, '_', '-' or '.', a letter or digit first");
        }
        if (image.tenant(name).isPresent()) {
            return CatalogDecision.refused(
                    version, ErrorCode.CONFLICT, "a tenant with the name or alias '" + name + "' exists already");
        }
        return CatalogDecision.done(version, new CatalogChange.TenantPut(new TenantRecord(name, Set.of())));
    }

    private static CatalogDecision addAlias(FoldedImage image, long version, String tenant, String alias) {
        TenantRecord owner = image.tenants().get(tenant);
        if (owner == null) {
            return noTenant(version, tenant);
        }
        if (!ALIAS.matcher(alias).matches()) {
            return CatalogDecision.refused(
                    version, ErrorCode.INVALID_NAME, "alias: expected 1 to 128 characters, none of them a control");
        }
        Optional<TenantRecord> holder = image.tenant(alias);
        if (holder.isPresent()) {
            return holder.get().equals(owner)
                    ? CatalogDecision.done(version)
                    : CatalogDecision.refused(
                            version, ErrorCode.CONFLICT, "'" + alias + "' names another tenant already");
        }
        Set<String> aliases = new HashSet<>(owner.aliases());
        aliases.add(alias);
        return CatalogDecision.done(version, new CatalogChange.TenantPut(new TenantRecord(tenant, aliases)));
    }

    private static CatalogDecision createToken(FoldedImage image, long version, TokenRecord token) {
        if (!SHA256.matcher(token.sha256()).matches() || token.scopes().isEmpty()) {
            return CatalogDecision.refused(
                    version, ErrorCode.BAD_REQUEST, "a token needs a SHA-256 in lower-case hex and at least one scope");
        }
        boolean adminAlone =
                token.scopes().equals(Set.of(Scope.ADMIN)) && token.tenant().isEmpty();
        if (!adminAlone && !image.tenants().containsKey(token.tenant())) {
            return noTenant(version, token.tenant());
        }
        if (image.token(token.id()).isPresent()
                || image.tokenByHash(token.sha256()).isPresent()) {
            return CatalogDecision.refused(version, ErrorCode.CONFLICT, "token " + token.id() + " exists already");
        }
        return CatalogDecision.done(version, new CatalogChange.TokenPut(token));
    }

    private static CatalogDecision revokeToken(FoldedImage image, long version, String id) {
        return image.token(id)
                .map(token -> CatalogDecision.done(version, new CatalogChange.TokenRemoved(token)))
                .orElseGet(() -> CatalogDecision.refused(version, ErrorCode.NOT_FOUND, "no token has the id " + id));
    }

    private static CatalogDecision agreeSchema(
            FoldedImage image, long version, CatalogLimits limits, CatalogCommand.AgreeSchema agree) {
        if (!image.tenants().containsKey(agree.tenant())) {
            return noTenant(version, agree.tenant());
        }
        Optional<TableSchema> before = image.table(agree.tenant(), agree.table());
        if (before.isEmpty() && image.usersTables(agree.tenant()) >= limits.tablesPerTenant()) {
            return tooManyTables(version, limits, agree);
        }
        SchemaAgreement agreement = new SchemaAgreement(
                agree,
                limits,
                before.orElse(null),
                before.map(image::nextColumnId).orElse(1));
        TableSchema schema = agreement.schema(image.nextTableId());
        List<CatalogChange> changes =
                agreement.changes() ? List.of(new CatalogChange.TablePut(schema)) : List.<CatalogChange>of();
        return new CatalogDecision(
                changes, new CatalogReply.Schema(version, schema, agreement.overLimit(), agreement.limitMessage()));
    }

    private static CatalogDecision tooManyTables(long version, CatalogLimits limits, CatalogCommand.AgreeSchema agree) {
        List<String> wished =
                agree.wishes().stream().map(ColumnWish::name).distinct().toList();
        return new CatalogDecision(
                List.of(),
                new CatalogReply.Schema(
                        version, SchemaAgreement.none(agree), wished, limits.tenantIsFull(agree.tenant())));
    }

    private static CatalogDecision dropTable(FoldedImage image, long version, CatalogCommand.DropTable drop) {
        for (TableDrop running : image.drops()) {
            if (running.changeId().equals(drop.changeId())) {
                return new CatalogDecision(List.of(), new CatalogReply.Dropped(version, running));
            }
        }
        Optional<TableSchema> table = image.table(drop.tenant(), drop.table());
        if (table.isEmpty()) {
            return CatalogDecision.refused(
                    version, ErrorCode.NOT_FOUND, "measurement '" + drop.table() + "' does not exist");
        }
        TableDrop retired = new TableDrop(table.get().tableId(), drop.tenant(), drop.table(), drop.changeId());
        return new CatalogDecision(
                List.of(new CatalogChange.TableRetired(retired)), new CatalogReply.Dropped(version, retired));
    }

    private static CatalogDecision setReplicas(FoldedImage image, long version, CatalogCommand.SetReplicas set) {
        PartitionRecord before = image.partitions().get(set.partition());
        if (before == null) {
            return CatalogDecision.refused(
                    version, ErrorCode.NOT_FOUND, "partition " + set.partition() + " does not exist");
        }
        if (before.replicas().equals(set.replicas())) {
            return CatalogDecision.done(version);
        }
        if (set.expectedEpoch() != image.epoch()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.CONFLICT,
                    "partition map: epoch " + image.epoch() + ", expected " + set.expectedEpoch());
        }
        PartitionRecord after =
                new PartitionRecord(before.id(), before.generation(), before.slots(), set.replicas(), before.parents());
        Optional<String> fault = MapRules.replicasFault(after, image.nodes().keySet());
        return fault.isPresent()
                ? CatalogDecision.refused(version, ErrorCode.BAD_REQUEST, fault.get())
                : CatalogDecision.done(version, new CatalogChange.MapPut(List.of(after)));
    }

    private static CatalogDecision noTenant(long version, String tenant) {
        return CatalogDecision.refused(version, ErrorCode.NOT_FOUND, "tenant '" + tenant + "' does not exist");
    }
}
