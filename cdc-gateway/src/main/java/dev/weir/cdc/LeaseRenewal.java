package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogReply;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Renews in the catalog what says that this node is there, and so are the streams that it serves to members of groups.
 *
 * <p>Threading: {@link #renew} is for any thread, and blocks; {@link #keep} for one alone, and does not; {@link #holds} for any.
 */
final class LeaseRenewal {
    private final String node;
    private final Catalog catalog;
    /** Guarded by itself: what joins renews it, too. */
    private final MemberLease lease;

    private volatile boolean renewing;

    /** @param timeout after which others take the node for dead */
    LeaseRenewal(String node, Catalog catalog, Duration timeout) {
        this.node = node;
        this.catalog = catalog;
        this.lease = new MemberLease(timeout);
    }

    boolean holds() {
        synchronized (lease) {
            return lease.valid(System.nanoTime());
        }
    }

    /** Begins to renew it where that is due. */
    void keep() {
        long now = System.nanoTime();
        boolean due;
        synchronized (lease) {
            due = lease.due(now);
        }
        if (due && !renewing) {
            CompletionStage<CatalogReply> renewal = catalog.propose(new CatalogCommand.RenewMembers(node));
            renewing = true;
            renewal.whenComplete((reply, failure) -> {
                if (failure == null) {
                    renewed(now);
                }
                renewing = false;
            });
        }
    }

    /** Before a stream is granted: the node must be one that is known to be there. */
    void renew() {
        long askedAt = System.nanoTime();
        synchronized (lease) {
            if (lease.valid(askedAt) && !lease.due(askedAt)) {
                return;
            }
        }
        try {
            catalog.propose(new CatalogCommand.RenewMembers(node))
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw SubscriptionDesk.refusal(e);
        }
        renewed(askedAt);
    }

    private void renewed(long askedAt) {
        synchronized (lease) {
            lease.renewed(askedAt);
        }
    }
}
