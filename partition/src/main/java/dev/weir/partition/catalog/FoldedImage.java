package dev.weir.partition.catalog;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The catalog's image as folded from its log: {@link #with} replays decided changes into a new image and copies only the maps that they
 * touch.
 */
public final class FoldedImage implements CatalogImage {
    private static final FoldedImage EMPTY = new FoldedImage(new ImageContents());

    private final ImageContents contents;
    private final @Nullable PartitionRecord[] slotOwners = new @Nullable PartitionRecord[SeriesHash.SLOTS];
    private final Map<String, TenantRecord> tenantsByAlias = new HashMap<>();
    private final Map<String, TokenRecord> tokensByHash = new HashMap<>();

    /** @param contents not changed after the call */
    FoldedImage(ImageContents contents) {
        this.contents = contents;
        for (PartitionRecord partition : contents.partitions.values()) {
            for (SlotRange range : partition.slots()) {
                for (int slot = range.from(); slot < range.to(); slot++) {
                    slotOwners[slot] = partition;
                }
            }
        }
        for (TenantRecord tenant : contents.tenants.values()) {
            tenant.aliases().forEach(alias -> tenantsByAlias.put(alias, tenant));
        }
        contents.tokens.values().forEach(token -> tokensByHash.put(token.sha256(), token));
    }

    /** Before the first entry. */
    public static FoldedImage empty() {
        return EMPTY;
    }

    /** This image with an entry's changes replayed. */
    FoldedImage with(long version, List<CatalogChange> changes) {
        ImageContents next = contents.copy();
        next.version = version;
        changes.forEach(next::replay);
        return new FoldedImage(next);
    }

    ImageContents contents() {
        return contents;
    }

    @Override
    public long version() {
        return contents.version;
    }

    @Override
    public boolean born() {
        return !contents.clusterId.isEmpty();
    }

    @Override
    public String clusterId() {
        return contents.clusterId;
    }

    @Override
    public long epoch() {
        return contents.epoch;
    }

    @Override
    public int replicationFactor() {
        return contents.replicationFactor;
    }

    @Override
    public SortedMap<String, NodeRecord> nodes() {
        return Collections.unmodifiableSortedMap(contents.nodes);
    }

    @Override
    public SortedMap<Integer, PartitionRecord> partitions() {
        return Collections.unmodifiableSortedMap(contents.partitions);
    }

    @Override
    public PartitionRecord partitionOf(int slot) {
        PartitionRecord owner = slotOwners[slot];
        if (owner == null) {
            throw new IllegalStateException("slot " + slot + " has no owner in version " + contents.version);
        }
        return owner;
    }

    @Override
    public SortedMap<String, TenantRecord> tenants() {
        return Collections.unmodifiableSortedMap(contents.tenants);
    }

    @Override
    public Optional<TenantRecord> tenant(String nameOrAlias) {
        TenantRecord named = contents.tenants.get(nameOrAlias);
        return Optional.ofNullable(named != null ? named : tenantsByAlias.get(nameOrAlias));
    }

    @Override
    public Collection<TokenRecord> tokens() {
        return Collections.unmodifiableCollection(contents.tokens.values());
    }

    @Override
    public Optional<TokenRecord> token(String id) {
        return Optional.ofNullable(contents.tokens.get(id));
    }

    @Override
    public Optional<TokenRecord> tokenByHash(String sha256) {
        return Optional.ofNullable(tokensByHash.get(sha256));
    }

    @Override
    public Optional<TableSchema> table(String tenant, String name) {
        SortedMap<String, TableSchema> tables = contents.tables.get(tenant);
        return tables == null ? Optional.empty() : Optional.ofNullable(tables.get(name));
    }

    @Override
    public Collection<TableSchema> tables(String tenant) {
        return Collections.unmodifiableCollection(
                contents.tables.getOrDefault(tenant, new TreeMap<>()).values());
    }

    @Override
    public SortedMap<String, SubscriptionRecord> subscriptions(String tenant) {
        return Collections.unmodifiableSortedMap(contents.subscriptions.getOrDefault(tenant, new TreeMap<>()));
    }

    @Override
    public Optional<SubscriptionRecord> subscription(String tenant, String name) {
        return Optional.ofNullable(subscriptions(tenant).get(name));
    }

    @Override
    public Stream<SubscriptionRecord> allSubscriptions() {
        return contents.subscriptions.values().stream().flatMap(tenant -> tenant.values().stream());
    }

    @Override
    public SortedMap<String, Long> memberLeases() {
        return Collections.unmodifiableSortedMap(contents.memberLeases);
    }

    /** How many tables count against the tenant's limit. */
    int usersTables(String tenant) {
        return tables(tenant).size() - (table(tenant, TableSchema.DEAD_LETTERS).isPresent() ? 1 : 0);
    }

    @Override
    public Collection<TableDrop> drops() {
        return Collections.unmodifiableCollection(contents.drops.values());
    }

    @Override
    public Collection<LeaseRecord> leases() {
        return Collections.unmodifiableCollection(contents.leases.values());
    }

    @Override
    public Optional<LeaseRecord> lease(String id) {
        return Optional.ofNullable(contents.leases.get(id));
    }

    @Override
    public Collection<OperationRecord> operations() {
        return Collections.unmodifiableCollection(contents.operations.values());
    }

    @Override
    public Optional<OperationRecord> operation(String id) {
        return Optional.ofNullable(contents.operations.get(id));
    }

    @Override
    public TableSettings settings(int tableId) {
        return record(tableId).settings();
    }

    TableRecord record(int tableId) {
        TableRecord record = contents.records.get(tableId);
        return record == null ? TableRecord.none(tableId) : record;
    }

    /** The first id that no column of the table has had. */
    int nextColumnId(TableSchema table) {
        int above = record(table.tableId()).nextColumnId();
        for (Column column : table.columns()) {
            above = Math.max(above, column.id() + 1);
        }
        return Math.max(above, 1);
    }

    int nextTableId() {
        return contents.nextTableId;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FoldedImage o && contents.equals(o.contents);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(contents.version);
    }

    @Override
    public String toString() {
        return "catalog version " + contents.version + ", epoch " + contents.epoch;
    }
}
