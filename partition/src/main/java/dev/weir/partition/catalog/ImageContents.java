package dev.weir.partition.catalog;

import dev.weir.partition.model.TableSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an image holds, while it is being built; frozen once a {@link FoldedImage} owns it. Maps are shared between versions and copied when
 * first changed: {@link #replay} replaces a map, it never changes one that {@link #copy} handed on.
 */
final class ImageContents {
    long version;
    String clusterId = "";
    long epoch;
    int replicationFactor;
    int nextTableId = 1;
    SortedMap<String, NodeRecord> nodes = new TreeMap<>();
    SortedMap<Integer, PartitionRecord> partitions = new TreeMap<>();
    SortedMap<String, TenantRecord> tenants = new TreeMap<>();
    SortedMap<String, TokenRecord> tokens = new TreeMap<>();

    /** Tenant → name → live table. */
    Map<String, SortedMap<String, TableSchema>> tables = new HashMap<>();

    /** By id of the table; live ones only, and not those that have nothing to say. */
    SortedMap<Integer, TableRecord> records = new TreeMap<>();

    SortedMap<Integer, TableDrop> drops = new TreeMap<>();
    SortedMap<String, LeaseRecord> leases = new TreeMap<>();

    /** Tenant → name → subscription; tenants that have one. */
    SortedMap<String, SortedMap<String, SubscriptionRecord>> subscriptions = new TreeMap<>();

    /** Node → version of its last renewal of the members that it serves. */
    SortedMap<String, Long> memberLeases = new TreeMap<>();

    SortedMap<String, OperationRecord> operations = new TreeMap<>();

    ImageContents copy() {
        ImageContents copy = new ImageContents();
        copy.version = version;
        copy.clusterId = clusterId;
        copy.epoch = epoch;
        copy.replicationFactor = replicationFactor;
        copy.nextTableId = nextTableId;
        copy.nodes = nodes;
        copy.partitions = partitions;
        copy.tenants = tenants;
        copy.tokens = tokens;
        copy.tables = tables;
        copy.records = records;
        copy.drops = drops;
        copy.leases = leases;
        copy.subscriptions = subscriptions;
        copy.memberLeases = memberLeases;
        copy.operations = operations;
        return copy;
    }

    void replay(CatalogChange change) {
        switch (change) {
            case CatalogChange.Born born -> {
                clusterId = born.clusterId();
                replicationFactor = born.replicationFactor();
            }
            case CatalogChange.NodePut put -> nodes = put(nodes, put.node().id(), put.node());
            case CatalogChange.MapPut map -> {
                epoch++;
                partitions = new TreeMap<>(partitions);
                map.partitions().forEach(partition -> partitions.put(partition.id(), partition));
            }
            case CatalogChange.TenantPut put ->
                tenants = put(tenants, put.tenant().name(), put.tenant());
            case CatalogChange.TokenPut put -> tokens = put(tokens, put.token().id(), put.token());
            case CatalogChange.TokenRemoved removed ->
                tokens = remove(tokens, removed.token().id());
            case CatalogChange.TablePut put -> putTable(put.schema());
            case CatalogChange.RecordPut put ->
                records = put(records, put.record().tableId(), put.record());
            case CatalogChange.TableRetired retired -> retireTable(retired.drop());
            case CatalogChange.DropRemoved removed -> drops = remove(drops, removed.tableId());
            case CatalogChange.LeasePut put -> leases = put(leases, put.lease().id(), put.lease());
            case CatalogChange.LeaseRemoved removed -> leases = remove(leases, removed.leaseId());
            case CatalogChange.SubscriptionPut put -> putSubscription(put.subscription());
            case CatalogChange.MemberLeasePut put -> memberLeases = put(memberLeases, put.node(), put.version());
            case CatalogChange.OperationPut put ->
                operations = put(operations, put.operation().id(), put.operation());
            case CatalogChange.OperationRemoved removed -> operations = remove(operations, removed.id());
            case CatalogChange.MemberLeaseRemoved removed -> memberLeases = remove(memberLeases, removed.node());
            case CatalogChange.SubscriptionRemoved removed -> removeSubscription(removed.tenant(), removed.name());
        }
    }

    void putTable(TableSchema schema) {
        tables = new HashMap<>(tables);
        SortedMap<String, TableSchema> before = tables.getOrDefault(schema.tenant(), new TreeMap<>());
        tables.put(schema.tenant(), put(before, schema.name(), schema));
        nextTableId = Math.max(nextTableId, schema.tableId() + 1);
    }

    void putSubscription(SubscriptionRecord put) {
        SortedMap<String, SubscriptionRecord> before = subscriptions.getOrDefault(put.tenant(), new TreeMap<>());
        subscriptions = put(subscriptions, put.tenant(), put(before, put.name(), put));
    }

    private void removeSubscription(String tenant, String name) {
        SortedMap<String, SubscriptionRecord> rest = remove(subscriptions.getOrDefault(tenant, new TreeMap<>()), name);
        subscriptions = rest.isEmpty() ? remove(subscriptions, tenant) : put(subscriptions, tenant, rest);
    }

    private void retireTable(TableDrop drop) {
        tables = new HashMap<>(tables);
        tables.computeIfPresent(drop.tenant(), (tenant, names) -> remove(names, drop.name()));
        records = remove(records, drop.tableId());
        drops = put(drops, drop.tableId(), drop);
    }

    private static <K, V> SortedMap<K, V> put(SortedMap<K, V> map, K key, V value) {
        SortedMap<K, V> copy = new TreeMap<>(map);
        copy.put(key, value);
        return copy;
    }

    private static <K, V> SortedMap<K, V> remove(SortedMap<K, V> map, K key) {
        SortedMap<K, V> copy = new TreeMap<>(map);
        copy.remove(key);
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImageContents o
                && version == o.version
                && clusterId.equals(o.clusterId)
                && epoch == o.epoch
                && replicationFactor == o.replicationFactor
                && nextTableId == o.nextTableId
                && nodes.equals(o.nodes)
                && partitions.equals(o.partitions)
                && tenants.equals(o.tenants)
                && tokens.equals(o.tokens)
                && tables.equals(o.tables)
                && records.equals(o.records)
                && drops.equals(o.drops)
                && leases.equals(o.leases)
                && memberLeases.equals(o.memberLeases)
                && operations.equals(o.operations)
                && subscriptions.equals(o.subscriptions);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(version);
    }
}
