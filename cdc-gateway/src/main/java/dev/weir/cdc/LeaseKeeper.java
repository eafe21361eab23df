package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Renews a lease for as long as its stream reads on. The stream's thread says that it does; another one ticks. */
final class LeaseKeeper {
    /** Renewed once a third of the time is over: a few tries, and few entries in the catalog. */
    private static final int TRIES = 3;

    private final Catalog catalog;
    private final LeaseRecord lease;
    private final HistoryConfig config;
    private final LongSupplier clockNanos;
    private volatile long expiresAtNanos;
    private volatile boolean readOn = true;
    private volatile boolean asking;
    private volatile boolean lapsed;

    LeaseKeeper(Catalog catalog, LeaseRecord lease, HistoryConfig config, LongSupplier clockNanos) {
        this.catalog = catalog;
        this.lease = lease;
        this.config = config;
        this.clockNanos = clockNanos;
        this.expiresAtNanos = lease.expiresAtNanos();
    }

    void readOn() {
        readOn = true;
    }

    /** What it holds may be gone. Once it was, it stays so: whoever saw it has left rows out, and a renewal that is answered late changes nothing. */
    boolean hasLapsed() {
        if (clockNanos.getAsLong() >= expiresAtNanos) {
            lapsed = true;
        }
        return lapsed;
    }

    /** Only this one renewed it last: a stream that resumed within the same snapshot, on whatever node, would have moved its end. */
    boolean isAlone() {
        return catalog.image()
                .lease(lease.id())
                .filter(known -> known.expiresAtNanos() == expiresAtNanos)
                .isPresent();
    }

    void tick() {
        long now = clockNanos.getAsLong();
        long until = Math.min(
                now + config.lapse().toNanos(),
                lease.createdAtNanos() + config.ageMax().toNanos());
        boolean due = until - expiresAtNanos >= config.lapse().toNanos() / TRIES;
        if (!readOn || !due || asking) {
            return;
        }
        readOn = false;
        asking = true;
        catalog.propose(new CatalogCommand.RenewLease(lease.id(), until, now))
                .whenComplete((reply, failure) -> answered(until, reply, failure));
    }

    private void answered(long until, @Nullable CatalogReply reply, @Nullable Throwable failure) {
        if (reply != null) {
            expiresAtNanos = Math.max(expiresAtNanos, until);
        } else if (isLapse(failure)) {
            expiresAtNanos = Long.MIN_VALUE;
        } else {
            readOn = true; // no quorum for now
        }
        asking = false;
    }

    private static boolean isLapse(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        return cause instanceof RefusedException refused && refused.refusal().code() == ErrorCode.CURSOR_TOO_OLD;
    }
}
