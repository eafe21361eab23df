package dev.weir.partition.catalog;

import dev.weir.partition.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules of leases: how many there may be, and that one that has lapsed stays so. Pure, as {@link CatalogFold}. */
final class LeaseFold {
    private LeaseFold() {}

    static CatalogDecision take(FoldedImage image, long version, CatalogCommand.TakeLease take) {
        LeaseRecord lease = take.lease();
        if (!image.tenants().containsKey(lease.tenant())) {
            return CatalogDecision.refused(
                    version, ErrorCode.NOT_FOUND, "tenant '" + lease.tenant() + "' does not exist");
        }
        List<CatalogChange> changes = new ArrayList<>();
        long lasts = lease.expiresAtNanos() - take.nowNanos();
        int live = 0;
        int ofTenant = 0;
        for (LeaseRecord other : image.leases()) {
            if (other.id().equals(lease.id())) {
                continue;
            }
            if (other.isLive(take.nowNanos())) {
                live++;
                ofTenant += other.tenant().equals(lease.tenant()) ? 1 : 0;
            } else if (!other.isLive(take.nowNanos() - lasts)) {
                changes.add(new CatalogChange.LeaseRemoved(other.id()));
            }
        }
        if (live >= take.leasesMax()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.OVERLOADED,
                    "cdc.leases: " + live + " leases of history are held in this cluster, the limit is "
                            + take.leasesMax());
        }
        int tenantMax = CatalogCommand.TakeLease.tenantMax(take.leasesMax());
        if (ofTenant >= tenantMax) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.OVERLOADED,
                    "cdc.leases: " + ofTenant + " leases of history are held for tenant '" + lease.tenant()
                            + "', the limit of one is half of those of the cluster, " + tenantMax);
        }
        changes.add(new CatalogChange.LeasePut(lease));
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    static CatalogDecision renew(FoldedImage image, long version, CatalogCommand.RenewLease renew) {
        Optional<LeaseRecord> lease = image.lease(renew.leaseId());
        if (lease.isEmpty() || !lease.get().isLive(renew.nowNanos())) {
            return CatalogDecision.refused(
                    version, ErrorCode.CURSOR_TOO_OLD, "the lease " + renew.leaseId() + " has lapsed");
        }
        return renew.expiresAtNanos() <= lease.get().expiresAtNanos()
                ? CatalogDecision.done(version)
                : CatalogDecision.done(
                        version, new CatalogChange.LeasePut(lease.get().until(renew.expiresAtNanos())));
    }

    static CatalogDecision end(FoldedImage image, long version, String leaseId) {
        return image.lease(leaseId).isEmpty()
                ? CatalogDecision.done(version)
                : CatalogDecision.done(version, new CatalogChange.LeaseRemoved(leaseId));
    }
}
