package dev.weir.partition.catalog;

import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** The catalog as of one entry of its log. Immutable; shared by all threads of a node. */
public interface CatalogImage {
    /** Index of the last catalog entry folded in. */
    long version();

    /** False until the cluster's birth has been applied here. */
    boolean born();

    /** The cluster's id, given at its birth; empty before. */
    String clusterId();

    /** Epoch of the partition map; rises with every change of it. */
    long epoch();

    int replicationFactor();

    SortedMap<String, NodeRecord> nodes();

    SortedMap<Integer, PartitionRecord> partitions();

    /** The partition that owns a slot. */
    PartitionRecord partitionOf(int slot);

    SortedMap<String, TenantRecord> tenants();

    /** The tenant with that name or alias. */
    Optional<TenantRecord> tenant(String nameOrAlias);

    Collection<TokenRecord> tokens();

    Optional<TokenRecord> token(String id);

    Optional<TokenRecord> tokenByHash(String sha256);

    /** The live table of that name. */
    Optional<TableSchema> table(String tenant, String name);

    Collection<TableSchema> tables(String tenant);

    /** What a table is set to; the defaults for an id that no live table has. */
    TableSettings settings(int tableId);

    /** A tenant's subscriptions, by name. */
    SortedMap<String, SubscriptionRecord> subscriptions(String tenant);

    Optional<SubscriptionRecord> subscription(String tenant, String name);

    /** Of all tenants. */
    Stream<SubscriptionRecord> allSubscriptions();

    /** Nodes that serve members of groups, with the version in which each said last that it does. */
    SortedMap<String, Long> memberLeases();

    /** Tables whose drop has not reached every partition yet. */
    Collection<TableDrop> drops();

    /** Those that were taken and not given up; some may have lapsed. */
    Collection<LeaseRecord> leases();

    Optional<LeaseRecord> lease(String id);

    /** Those that run, and the last ones that have ended or were planned. */
    Collection<OperationRecord> operations();

    Optional<OperationRecord> operation(String id);
}
