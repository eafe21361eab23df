package dev.weir.partition.catalog;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.TableSettings;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What can be asked of the catalog. Each kind has a name and a version in the log (JSON; see FORMATS). Applying one cannot fail: it answers
 * {@link CatalogReply}. Proposing the same command twice is harmless.
 */
public sealed interface CatalogCommand {
    /** The cluster's first entry; later ones change nothing. */
    record Birth(String clusterId, int replicationFactor, List<NodeRecord> nodes, List<PartitionRecord> partitions)
            implements CatalogCommand {
        public Birth {
            nodes = List.copyOf(nodes);
            partitions = List.copyOf(partitions);
        }
    }

    /** A node has started: adds it or updates its addresses, and raises its incarnation by one (replied). */
    record NodeStarted(NodeRecord node) implements CatalogCommand {}

    record CreateTenant(String name) implements CatalogCommand {}

    record AddAlias(String tenant, String alias) implements CatalogCommand {}

    record CreateToken(TokenRecord token) implements CatalogCommand {}

    record RevokeToken(String tokenId) implements CatalogCommand {}

    /**
     * Rows want to use these columns: creates the table and adds columns where missing, widens and marks where asked and allowed. A wish
     * that conflicts with what is there changes nothing: the caller judges its rows by the schema in the reply.
     */
    record AgreeSchema(String tenant, String table, List<ColumnWish> wishes) implements CatalogCommand {
        public AgreeSchema {
            wishes = List.copyOf(wishes);
        }
    }

    /** Declares a table. Refused where there is one of that name, unless that is said to be fine. */
    record CreateTable(
            String tenant,
            String table,
            boolean ifNotExists,
            boolean strict,
            List<ColumnWish> columns,
            TableSettings settings)
            implements CatalogCommand {
        public CreateTable {
            columns = List.copyOf(columns);
        }
    }

    /** Changes a table's columns or settings. */
    record AlterTable(String tenant, String table, TableAlteration alteration) implements CatalogCommand {}

    /** Retires the table's id. The drop then has to be driven through every partition. */
    record DropTable(String tenant, String table, String changeId) implements CatalogCommand {}

    /** Every partition has logged the drop. */
    record DropFinished(int tableId) implements CatalogCommand {}

    /**
     * Takes a lease. Those that lapsed so long before as this one is to last are forgotten: not at once, since whose clock is ahead must not drop what others hold.
     *
     * @param leasesMax of the cluster; refused where so many are live, or {@link #tenantMax} of the tenant
     * @param nowNanos wall clock of who asks, ns since 1970
     */
    record TakeLease(LeaseRecord lease, int leasesMax, long nowNanos) implements CatalogCommand {
        /** So many of a cluster's leases one tenant may have: half of them, so that others find some. */
        public static int tenantMax(int leasesMax) {
            return Math.max(1, leasesMax / 2);
        }
    }

    /** Moves a lease's end; never back. Refused where it has lapsed. */
    record RenewLease(String leaseId, long expiresAtNanos, long nowNanos) implements CatalogCommand {}

    /** Gives a lease up. */
    record EndLease(String leaseId) implements CatalogCommand {}

    /**
     * Changes who holds a partition.
     *
     * @param expectedEpoch of the map that the change was planned for; another one refuses
     */
    record SetReplicas(int partition, List<String> replicas, long expectedEpoch) implements CatalogCommand {
        public SetReplicas {
            replicas = List.copyOf(replicas);
        }
    }

    /**
     * Makes a subscription, or changes the budget of one that is there; refused where that one has another filter or start. One without a cursor only
     * changes: NOT_FOUND where there is none.
     *
     * @param perTenantMax how many a tenant may have; travels in the entry, so that every replica judges alike
     */
    record PutSubscription(SubscriptionRecord subscription, int perTenantMax) implements CatalogCommand {}

    record DeleteSubscription(String tenant, String name) implements CatalogCommand {}

    /** Acknowledgements that were gathered on a node. */
    record CommitCursors(long atNanos, List<CursorCommit> commits) implements CatalogCommand {
        public CommitCursors {
            commits = List.copyOf(commits);
        }
    }

    /** Moves a subscription, forward or back. Acknowledgements that are on their way then count no more. */
    record SeekSubscription(String tenant, String name, Cursor cursor) implements CatalogCommand {}

    /** What members of groups do, and what is done to them. */
    sealed interface Group extends CatalogCommand {
        /** In place of the generation that ready partitions were made out in, of entries that say none: they count in any. */
        long ANY_GENERATION = 0;
    }

    /**
     * A member wants to read. Where a stream of it is open still, that one has to end first.
     *
     * @param generation of the subscription in which {@code ready} was made out: its place is another in another one
     * @param ready partitions that may be read now; counts where it is the group's first member, in that generation
     * @param membersMax of a group; travels in the entry, so that every replica judges alike
     */
    record JoinGroup(
            String tenant,
            String name,
            String member,
            MemberStream stream,
            long generation,
            SortedSet<Integer> ready,
            int membersMax)
            implements Group {
        public JoinGroup {
            ready = Collections.unmodifiableSortedSet(new TreeSet<>(ready));
        }
    }

    /** Nothing is sent on this stream any more. */
    record EndMemberStream(String tenant, String name, String member, String stream) implements Group {}

    /**
     * Other partitions may be read now.
     *
     * @param generation of the subscription in which that was made out; void in another one, whose place is another
     */
    record SetReady(String tenant, String name, long generation, SortedSet<Integer> ready) implements Group {
        public SetReady {
            ready = Collections.unmodifiableSortedSet(new TreeSet<>(ready));
        }
    }

    /** A member without a stream has not come back in time. Of another generation, it has. */
    record ExpireMember(String tenant, String name, String member, long generation) implements Group {}

    /** The node is there, and so are the streams that it serves to members. */
    record RenewMembers(String node) implements Group {}

    /**
     * The node has not renewed its members in time, so it has ended their streams.
     *
     * @param lease version of its last renewal, 0 for none; with another one it is alive
     */
    record ExpireNode(String node, long lease) implements Group {}

    /** What an operator asks for, and how far it is. */
    sealed interface Operation extends CatalogCommand {}

    /**
     * Begins an operation, or keeps it as a plan. Nothing happens where one that would do the same runs already; refused where the map is of another epoch than
     * the one it was planned for, or where another operation changes one of its partitions.
     */
    record StartOperation(OperationRecord operation) implements Operation {}

    /** What may be wished of an operation. */
    enum Wish {
        APPLY("apply"),
        PAUSE("pause"),
        RESUME("resume"),
        CANCEL("cancel");

        private final String wireName;

        Wish(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** @param nowNanos wall clock of who asks, ns since 1970 */
    record SteerOperation(String id, Wish wish, long nowNanos) implements Operation {}

    /**
     * Who carries an operation out says how far one of its actions is. Nothing happens where that has ended.
     *
     * @param action its number, from 0
     */
    record AdvanceAction(String id, int action, ActionState state, String message, long nowNanos)
            implements Operation {}
}
