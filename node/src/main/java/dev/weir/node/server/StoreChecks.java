package dev.weir.node.server;

import dev.weir.node.ingest.HealthCheck;
import dev.weir.partition.store.StoreMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is wrong with the object store as a node sees it. Pure. */
final class StoreChecks {
    /** From here on clocks are said to differ. Requests are refused by S3 from 15 minutes on. */
    static final long SKEW_MS_MAX = 5_000;

    private StoreChecks() {}

    static List<HealthCheck> of(StoreTrial trial, StoreMetrics store) {
        List<HealthCheck> checks = new ArrayList<>();
        String failure = trial.failure();
        if (failure != null) {
            checks.add(new HealthCheck(
                    "store_probe", "the object store has not shown yet that it can be used: " + failure));
        }
        if (store.backoffMs() > 0) {
            checks.add(new HealthCheck(
                    "store",
                    "requests to the object store fail and are tried again: "
                            + store.lastFailure().text()));
        }
        addSkew(checks, store.clockSkewMs());
        return checks;
    }

    static void addSkew(List<HealthCheck> checks, long skewMs) {
        if (Math.abs(skewMs) > SKEW_MS_MAX) {
            checks.add(new HealthCheck(
                    "store_clock",
                    String.format(
                            Locale.ROOT,
                            "clock skew: the object store's clock is %.0f s %s this node's (at most %d s); requests are refused from"
                                    + " 15 minutes on",
                            Math.abs(skewMs) / 1000.0,
                            skewMs > 0 ? "ahead of" : "behind",
                            SKEW_MS_MAX / 1000)));
        }
    }
}
