package dev.weir.partition.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SubscriptionsTest {
    private FoldedImage image = CatalogSamples.born();
    private long version = 1;

    @Test
    void puttingTheSameTwiceChangesNothing() {
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        SubscriptionRecord made = audit();
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(9, 9)));

        assertThat(audit()).isEqualTo(made);
        assertThat(made.generation()).isEqualTo(2);
        assertThat(made.cursor()).isEqualTo(at(1, 1));
    }

    @Test
    void onlyTheBudgetOfOneThatIsThereChanges() {
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        SubscriptionBudget more = new SubscriptionBudget(5, Duration.ofSeconds(9));
        done(put("audit", "cpu", more, at(9, 9)));

        assertThat(audit().budget()).isEqualTo(more);
        assertThat(audit().cursor()).isEqualTo(at(1, 1));
        assertThat(audit().generation()).isEqualTo(2);
        refused(put("audit", "mem", more, at(1, 1)), ErrorCode.CONFLICT);
    }

    /** Replies are kept, with the image: what a client sent must not grow them. */
    @Test
    void aConflictSaysWhatDiffersAndRepeatsNothing() {
        String large = "x".repeat(5_000);
        done(put("audit", large, SubscriptionBudget.NONE, at(1, 1)));

        assertThat(propose(put("audit", large + "y", SubscriptionBudget.NONE, at(1, 1))))
                .isInstanceOfSatisfying(
                        CatalogReply.Refused.class,
                        refused -> assertThat(refused.refusal().message())
                                .contains("another filter")
                                .hasSizeLessThan(200));
    }

    @Test
    void oneWithoutAPlaceIsOnlyChangedNeverMade() {
        Cursor nowhere = new Cursor(new TreeMap<>());
        refused(put("audit", "cpu", SubscriptionBudget.NONE, nowhere), ErrorCode.NOT_FOUND);
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        SubscriptionBudget more = new SubscriptionBudget(5, Duration.ofSeconds(9));
        done(put("audit", "cpu", more, nowhere));

        assertThat(audit().budget()).isEqualTo(more);
        assertThat(audit().cursor()).isEqualTo(at(1, 1));
    }

    @Test
    void namesAndNumbersAreBounded() {
        refused(put("a b", "cpu", SubscriptionBudget.NONE, at(1, 1)), ErrorCode.INVALID_NAME);
        refused(put("", "cpu", SubscriptionBudget.NONE, at(1, 1)), ErrorCode.INVALID_NAME);
        done(put("s1", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        done(put("s2", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        refused(put("s3", "cpu", SubscriptionBudget.NONE, at(1, 1)), ErrorCode.LIMIT_SUBSCRIPTIONS);
        done(new CatalogCommand.DeleteSubscription("default", "s1"));
        done(put("s3", "cpu", SubscriptionBudget.NONE, at(1, 1)));
    }

    @Test
    void acknowledgementsNeverMoveTheCursorBack() {
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(5, 5)));
        done(commit(2, 100, at(9, 2)));

        assertThat(audit().cursor()).isEqualTo(at(9, 5));
        assertThat(audit().commits()).isEqualTo(1);
        assertThat(audit().ackedAtNanos()).isEqualTo(100);

        done(commit(2, 200, at(3, 3)));
        assertThat(audit().cursor()).isEqualTo(at(9, 5));
        assertThat(audit().commits()).isEqualTo(1);
    }

    @Test
    void acknowledgementsOfAnOlderGenerationCountNoMore() {
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(5, 5)));
        done(new CatalogCommand.SeekSubscription("default", "audit", at(1, 1)));
        long sought = version;
        done(commit(2, 100, at(9, 9)));

        assertThat(audit().cursor()).isEqualTo(at(1, 1));
        assertThat(audit().generation()).isEqualTo(sought);
        assertThat(audit().seeks()).isEqualTo(1);
        done(commit(sought, 100, at(2, 2)));
        assertThat(audit().cursor()).isEqualTo(at(2, 2));
    }

    @Test
    void oneThatIsMadeAgainHasAnotherGeneration() {
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(5, 5)));
        done(new CatalogCommand.DeleteSubscription("default", "audit"));
        assertThat(image.subscriptions("default")).isEmpty();
        refused(new CatalogCommand.DeleteSubscription("default", "audit"), ErrorCode.NOT_FOUND);
        done(commit(2, 100, at(9, 9)));
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        done(commit(2, 100, at(9, 9)));

        assertThat(audit().cursor()).isEqualTo(at(1, 1));
    }

    @Test
    void severalAcknowledgementsInOneEntryAllCount() {
        done(put("audit", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        done(put("other", "cpu", SubscriptionBudget.NONE, at(1, 1)));
        done(new CatalogCommand.CommitCursors(
                7,
                List.of(
                        new CursorCommit("default", "audit", "", 2, Cursor.of(0, 4)),
                        new CursorCommit("default", "gone", "", 2, Cursor.of(0, 4)),
                        new CursorCommit("default", "audit", "", 2, Cursor.of(1, 6)),
                        new CursorCommit("default", "other", "", 3, Cursor.of(1, 8)))));

        assertThat(audit().cursor()).isEqualTo(at(4, 6));
        assertThat(image.subscription("default", "other").orElseThrow().cursor())
                .isEqualTo(at(1, 8));
    }

    private SubscriptionRecord audit() {
        return image.subscription("default", "audit").orElseThrow();
    }

    private static Cursor at(long first, long second) {
        return new Cursor(new TreeMap<>(Map.of(0, first, 1, second)));
    }

    private static CatalogCommand put(String name, String measurement, SubscriptionBudget budget, Cursor cursor) {
        return new CatalogCommand.PutSubscription(
                SubscriptionRecord.made(
                        "default",
                        name,
                        new TreeMap<>(Map.of("measurement", List.of(measurement))),
                        "now",
                        cursor,
                        budget,
                        0),
                2);
    }

    private static CatalogCommand commit(long generation, long atNanos, Cursor cursor) {
        return new CatalogCommand.CommitCursors(
                atNanos, List.of(new CursorCommit("default", "audit", "", generation, cursor)));
    }

    private void done(CatalogCommand command) {
        assertThat(propose(command)).isEqualTo(new CatalogReply.Done(version));
    }

    private void refused(CatalogCommand command, ErrorCode code) {
        FoldedImage before = image;
        assertThat(propose(command))
                .isInstanceOfSatisfying(
                        CatalogReply.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(code));
        assertThat(image).isEqualTo(before.with(version, List.of()));
    }

    private CatalogReply propose(CatalogCommand command) {
        version++;
        CatalogFold.Step step = CatalogFold.step(image, version, CatalogLimits.DEFAULTS, command);
        image = step.image();
        return step.reply();
    }
}
