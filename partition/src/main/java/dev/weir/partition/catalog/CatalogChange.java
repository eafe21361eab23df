package dev.weir.partition.catalog;

import dev.weir.partition.model.TableSchema;
import java.util.List;

/** What a decided command changes. Replaying one cannot fail. */
sealed interface CatalogChange {
    record Born(String clusterId, int replicationFactor) implements CatalogChange {}

    record NodePut(NodeRecord node) implements CatalogChange {}

    /** Moves the map's epoch on by one. */
    record MapPut(List<PartitionRecord> partitions) implements CatalogChange {}

    record TenantPut(TenantRecord tenant) implements CatalogChange {}

    record TokenPut(TokenRecord token) implements CatalogChange {}

    record TokenRemoved(TokenRecord token) implements CatalogChange {}

    /** A new table, or the next version of one. */
    record TablePut(TableSchema schema) implements CatalogChange {}

    record RecordPut(TableRecord record) implements CatalogChange {}

    /** The table's record goes with it. */
    record TableRetired(TableDrop drop) implements CatalogChange {}

    record DropRemoved(int tableId) implements CatalogChange {}

    record LeasePut(LeaseRecord lease) implements CatalogChange {}

    record LeaseRemoved(String leaseId) implements CatalogChange {}
    /** A new subscription, or what has become of one. */
    record SubscriptionPut(SubscriptionRecord subscription) implements CatalogChange {}

    record SubscriptionRemoved(String tenant, String name) implements CatalogChange {}

    /** A node has renewed the streams that it serves to members of groups. */
    record MemberLeasePut(String node, long version) implements CatalogChange {}

    record MemberLeaseRemoved(String node) implements CatalogChange {}

    /** A new operation, or what has become of one. */
    record OperationPut(OperationRecord operation) implements CatalogChange {}

    record OperationRemoved(String id) implements CatalogChange {}
}
