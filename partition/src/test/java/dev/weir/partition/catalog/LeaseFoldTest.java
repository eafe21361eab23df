package dev.weir.partition.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ErrorCode;
import dev.weir.wal.LogPosition;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeaseFoldTest {
    private static final long TAKEN = 1_000;
    private static final long ENDS = 2_000;

    private FoldedImage image = CatalogSamples.born();

    @Test
    void isLiveUntilItsEndAndRenewedOnlyBeforeIt() {
        take("a", ENDS, 64, TAKEN);

        assertThat(image.lease("a").orElseThrow().isLive(ENDS - 1)).isTrue();
        assertThat(image.lease("a").orElseThrow().isLive(ENDS)).isFalse();
        assertThat(propose(new CatalogCommand.RenewLease("a", 3_000, ENDS - 1))).isInstanceOf(CatalogReply.Done.class);
        assertThat(image.lease("a").orElseThrow().expiresAtNanos()).isEqualTo(3_000);
        refused(new CatalogCommand.RenewLease("a", 9_000, 3_000), ErrorCode.CURSOR_TOO_OLD);
        refused(new CatalogCommand.RenewLease("b", 9_000, TAKEN), ErrorCode.CURSOR_TOO_OLD);
    }

    @Test
    void anEndNeverMovesBack() {
        take("a", ENDS, 64, TAKEN);

        propose(new CatalogCommand.RenewLease("a", TAKEN + 1, TAKEN));

        assertThat(image.lease("a").orElseThrow().expiresAtNanos()).isEqualTo(ENDS);
    }

    @Test
    void lapsedOnesCountNoMoreAndAreForgotten() {
        take("a", ENDS, 1, TAKEN);
        refused(new CatalogCommand.TakeLease(lease("b", 9_000), 1, ENDS - 1), ErrorCode.OVERLOADED);

        take("b", 9_000, 1, ENDS);
        assertThat(image.leases()).extracting(LeaseRecord::id).containsExactly("a", "b");

        take("b", 19_000, 1, 18_000);
        assertThat(image.leases()).extracting(LeaseRecord::id).containsExactly("b");
    }

    @Test
    void aClockThatIsAheadDropsNoneThatOthersHold() {
        take("a", ENDS, 64, TAKEN);

        take("b", ENDS + 1_999, 64, ENDS + 999);

        assertThat(image.lease("a")).isPresent();
        assertThat(propose(new CatalogCommand.RenewLease("a", 3_000, ENDS - 1))).isInstanceOf(CatalogReply.Done.class);
    }

    @Test
    void oneTenantHasHalfOfThem() {
        take("a", ENDS, 4, TAKEN);
        take("b", ENDS, 4, TAKEN);

        refused(new CatalogCommand.TakeLease(lease("c", ENDS), 4, TAKEN), ErrorCode.OVERLOADED);
        take("c", 9_000, 4, ENDS);
    }

    @Test
    void takingTwiceIsHarmlessAndEndingToo() {
        take("a", ENDS, 1, TAKEN);
        take("a", ENDS, 1, TAKEN);
        assertThat(image.leases()).hasSize(1);

        propose(new CatalogCommand.EndLease("a"));
        propose(new CatalogCommand.EndLease("a"));

        assertThat(image.leases()).isEmpty();
    }

    @Test
    void needsItsTenant() {
        LeaseRecord foreign = new LeaseRecord("a", "nobody", List.of(), List.of(), TAKEN, ENDS);

        refused(new CatalogCommand.TakeLease(foreign, 64, TAKEN), ErrorCode.NOT_FOUND);
    }

    @Test
    void isInSnapshots() {
        take("a", ENDS, 64, TAKEN);
        CatalogSnapshot snapshot = new CatalogSnapshot(new LogPosition(1, 7), image, new ReplyMemory());

        assertThat(CatalogSnapshot.decode("s", snapshot.encode()).image()).isEqualTo(image);
    }

    private static LeaseRecord lease(String id, long end) {
        return new LeaseRecord(id, "default", List.of("cpu"), List.of(new LeaseRecord.Held(0, 17, 21)), TAKEN, end);
    }

    private void take(String id, long end, int most, long now) {
        assertThat(propose(new CatalogCommand.TakeLease(lease(id, end), most, now)))
                .isInstanceOf(CatalogReply.Done.class);
    }

    private void refused(CatalogCommand command, ErrorCode code) {
        FoldedImage before = image;
        assertThat(propose(command))
                .isInstanceOfSatisfying(
                        CatalogReply.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(code));
        assertThat(image.leases()).containsExactlyElementsOf(before.leases());
    }

    private CatalogReply propose(CatalogCommand command) {
        CatalogFold.Step step = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, command);
        image = step.image();
        return step.reply();
    }
}
