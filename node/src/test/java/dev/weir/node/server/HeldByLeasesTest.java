package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.LogHold;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeldByLeasesTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final String FILE = "default/cpu-7/date=2026-11-30/p3-1-9-aa.parquet";

    private final FoldingCatalog catalog = new FoldingCatalog(4);

    @Test
    void holdsFilesOfItsTablesAndItsCutsUntilAWhileAfterItsEnd() {
        take("00aa", List.of("cpu"), 17);

        assertThat(at(Duration.ZERO).holds(FILE)).isTrue();
        assertThat(at(Duration.ZERO).holds("default/mem-8/date=2026-11-30/p3-1-9-aa.parquet"))
                .isFalse();
        assertThat(at(Duration.ZERO).holds("other/cpu-7/date=2026-11-30/p3-1-9-aa.parquet"))
                .isFalse();
        assertThat(at(Duration.ZERO).holds(".weir-cluster/cuts/p3-00aa")).isTrue();
        assertThat(at(Duration.ZERO).holds(".weir-cluster/cuts/p3-00bb")).isFalse();
        assertThat(at(Duration.ofSeconds(100)).holds(FILE))
                .as("its renewal may be on its way")
                .isTrue();
        assertThat(at(Duration.ofSeconds(121)).holds(FILE)).isFalse();
    }

    @Test
    void oneOfAllTablesHoldsThoseOfTheTenant() {
        take("00aa", List.of(), 17);

        assertThat(at(Duration.ZERO).holds(FILE)).isTrue();
        assertThat(at(Duration.ZERO).holds("other/cpu-7/date=2026-11-30/p3-1-9-aa.parquet"))
                .isFalse();
    }

    @Test
    void holdsTheLogFromTheOldestSeqThatSomeoneNeeds() {
        take("00aa", List.of("cpu"), 17);
        take("00bb", List.of("mem"), 12);

        assertThat(at(Duration.ZERO).log(3, 99)).isEqualTo(new LogHold(12, 99));
        assertThat(at(Duration.ZERO).log(4, 99)).isEqualTo(LogHold.NONE);
        assertThat(at(Duration.ofHours(1)).log(3, 99)).isEqualTo(LogHold.NONE);
    }

    @Test
    void aNodeThatWasCutOffAsksBeforeItTakesALeaseForLapsed() throws Exception {
        take("00aa", List.of("cpu"), 17);
        catalog.lagging(true);
        long now = NOW.plusSeconds(50).getEpochSecond() * 1_000_000_000L;
        catalog.propose(new CatalogCommand.RenewLease(
                        "00aa", now + Duration.ofHours(2).toNanos(), now))
                .toCompletableFuture()
                .join();
        HeldByLeases later = at(Duration.ofHours(1));
        assertThat(later.holds(FILE)).as("not asked yet").isFalse();

        assertThat(later.log(3, 99)).isEqualTo(new LogHold(17, 99));
        later.refresh();
        assertThat(later.holds(FILE)).isTrue();
    }

    @Test
    void whereTheCatalogDoesNotAnswerNothingGoes() {
        take("00aa", List.of("cpu"), 17);
        catalog.quorum(false);

        assertThat(at(Duration.ofHours(1)).log(3, 99)).isEqualTo(new LogHold(17, 99));
        assertThatThrownBy(() -> at(Duration.ofHours(1)).refresh()).isInstanceOf(IOException.class);
    }

    @Test
    void asksOnceForEachThatHasLapsedAndItHoldsNothingWhenTheCatalogIsAwayLater() {
        take("00aa", List.of("cpu"), 17);
        HeldByLeases later = at(Duration.ofHours(1));

        assertThat(later.log(3, 99)).isEqualTo(LogHold.NONE);
        assertThat(later.log(3, 99)).isEqualTo(LogHold.NONE);
        assertThat(catalog.linearized()).isEqualTo(1);
        take("00bb", List.of("cpu"), 18);
        catalog.quorum(false);
        assertThat(later.log(3, 99)).as("what became of the other is not known").isEqualTo(new LogHold(18, 99));
        catalog.quorum(true);
        assertThat(later.log(3, 99)).isEqualTo(LogHold.NONE);
        catalog.quorum(false);
        assertThat(later.log(3, 99)).isEqualTo(LogHold.NONE);
    }

    private HeldByLeases at(Duration later) {
        return new HeldByLeases(catalog, Clock.fixed(NOW.plus(later), ZoneOffset.UTC));
    }

    private void take(String id, List<String> tables, long fromSeq) {
        long now = NOW.getEpochSecond() * 1_000_000_000L;
        LeaseRecord lease = new LeaseRecord(
                id,
                "default",
                tables,
                List.of(new LeaseRecord.Held(3, fromSeq, fromSeq + 5)),
                now,
                now + Duration.ofMinutes(1).toNanos());
        catalog.propose(new CatalogCommand.TakeLease(lease, 64, now))
                .toCompletableFuture()
                .join();
    }
}
