package dev.weir.cdc;

import java.time.Duration;

/**
 * Until when this node may serve members of groups. It says so again and again in the catalog; where it can't, it ends their streams after half the time
 * after which others take it for dead. Of two nodes' clocks only the pace has to agree. Plain state, of one thread at a time.
 */
final class MemberLease {
    private final long validNanos;
    private final long renewNanos;
    private long renewedAt;
    private boolean renewed;

    /** @param timeout after which others take the node for dead */
    MemberLease(Duration timeout) {
        this.validNanos = timeout.toNanos() / 2;
        this.renewNanos = timeout.toNanos() / 6;
    }

    /** @param askedAt when the renewal was begun: it holds from then on */
    void renewed(long askedAt) {
        if (!renewed || askedAt - renewedAt > 0) {
            renewedAt = askedAt;
            renewed = true;
        }
    }

    boolean valid(long now) {
        return renewed && now - renewedAt < validNanos;
    }

    boolean due(long now) {
        return !renewed || now - renewedAt >= renewNanos;
    }
}
