package dev.weir.partition.catalog;

import dev.weir.partition.model.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What becomes of subscriptions. Part of {@link CatalogFold}'s rules: pure. */
final class Subscriptions {
    private final FoldedImage image;
    private final long version;

    Subscriptions(FoldedImage image, long version) {
        this.image = image;
        this.version = version;
    }

    CatalogDecision put(CatalogCommand.PutSubscription put) {
        SubscriptionRecord wanted = put.subscription();
        if (!SubscriptionName.isValid(wanted.name())) {
            return CatalogDecision.refused(
                    version, ErrorCode.INVALID_NAME, "subscription name: " + SubscriptionName.EXPECTED);
        }
        Optional<SubscriptionRecord> there = image.subscription(wanted.tenant(), wanted.name());
        if (there.isPresent()) {
            return change(there.get(), wanted);
        }
        if (wanted.cursor().next().isEmpty()) {
            return unknown(wanted.name());
        }
        if (image.subscriptions(wanted.tenant()).size() >= put.perTenantMax()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.LIMIT_SUBSCRIPTIONS,
                    "tenant " + wanted.tenant() + " has as many subscriptions as it may, the limit is "
                            + put.perTenantMax() + " (limits.subscriptions-per-tenant)");
        }
        return CatalogDecision.done(version, new CatalogChange.SubscriptionPut(wanted.withGeneration(version)));
    }

    /** Its words are kept with the reply, in the log's memory: so they are few, and never what a client sent. */
    private CatalogDecision change(SubscriptionRecord there, SubscriptionRecord wanted) {
        if (!there.filter().equals(wanted.filter()) || !there.from().equals(wanted.from())) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.CONFLICT,
                    "subscription " + there.name() + " exists with another "
                            + (there.filter().equals(wanted.filter()) ? "from" : "filter")
                            + "; only its budget can be changed, a seek moves it");
        }
        return there.budget().equals(wanted.budget())
                ? CatalogDecision.done(version)
                : CatalogDecision.done(version, new CatalogChange.SubscriptionPut(there.withBudget(wanted.budget())));
    }

    CatalogDecision delete(CatalogCommand.DeleteSubscription delete) {
        return image.subscription(delete.tenant(), delete.name()).isPresent()
                ? CatalogDecision.done(version, new CatalogChange.SubscriptionRemoved(delete.tenant(), delete.name()))
                : unknown(delete.name());
    }

    /** What is for a subscription that is gone, or of another generation, is left out: who asked sees it in the image. */
    CatalogDecision commit(CatalogCommand.CommitCursors commit) {
        Map<List<String>, SubscriptionRecord> moved = new LinkedHashMap<>();
        for (CursorCommit each : commit.commits()) {
            List<String> key = List.of(each.tenant(), each.name());
            Optional<SubscriptionRecord> there = moved.containsKey(key)
                    ? Optional.ofNullable(moved.get(key))
                    : image.subscription(each.tenant(), each.name());
            if (there.isPresent()) {
                SubscriptionRecord acked = there.get().acked(each.counting(there.get()), commit.atNanos());
                if (!acked.equals(there.get())) {
                    moved.put(key, acked);
                }
            }
        }
        List<CatalogChange> changes = new ArrayList<>();
        moved.values().forEach(each -> changes.add(new CatalogChange.SubscriptionPut(each)));
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    CatalogDecision seek(CatalogCommand.SeekSubscription seek) {
        return image.subscription(seek.tenant(), seek.name())
                .map(there -> CatalogDecision.done(
                        version, new CatalogChange.SubscriptionPut(there.moved(seek.cursor(), version))))
                .orElseGet(() -> unknown(seek.name()));
    }

    private CatalogDecision unknown(String name) {
        return CatalogDecision.refused(version, ErrorCode.NOT_FOUND, "no subscription " + name + " is known");
    }
}
