package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.node.internal.Attempt;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.TableAlteration;
import dev.weir.partition.engine.RetentionPolicy;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.TableSettings;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows go by the retention that is agreed now, not by one that this node knew once. */
class TableRetentionTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final long NOW = 1_000 * HOUR;

    private final FoldingCatalog catalog = new FoldingCatalog(1);
    private final Rows rows = new Rows();
    private final TableRetention retention = new TableRetention(
            () -> List.of(rows),
            catalog,
            () -> new BatchId("n1", 1, 1),
            new RetentionPolicy(Duration.ofMinutes(1)),
            () -> Instant.ofEpochSecond(0, NOW),
            () -> true,
            Runnable::run);

    private static final class Rows implements RetainedRows {
        private final List<DeleteRequest> deletes = new ArrayList<>();

        @Override
        public int partition() {
            return 0;
        }

        @Override
        public int generation() {
            return 1;
        }

        @Override
        public boolean leads() {
            return true;
        }

        @Override
        public long oldestNanos(int tableId) {
            return NOW - 24 * HOUR;
        }

        @Override
        public CompletionStage<Attempt> delete(DeleteRequest request) {
            deletes.add(request);
            return CompletableFuture.completedFuture(new Attempt.Done(new AppendOutcome.Applied(1, 0, 0, List.of())));
        }
    }

    @BeforeEach
    void table() {
        propose(new CatalogCommand.CreateTable("acme", "m", false, false, List.of(), hours(2)));
    }

    private void propose(CatalogCommand command) {
        catalog.propose(command).toCompletableFuture().join();
    }

    private static TableSettings hours(int hours) {
        return new TableSettings(Duration.ofHours(hours), 1, Publication.NONE);
    }

    @Test
    void deletesWhatIsOlder() {
        retention.look();
        assertThat(rows.deletes)
                .singleElement()
                .satisfies(request -> assertThat(request.range().toNanos()).isEqualTo(NOW - 2 * HOUR - 1));
    }

    @Test
    void asksTheCatalogFirst() {
        catalog.lagging(true);
        catalog.fold(keep(48));
        retention.look();
        assertThat(rows.deletes).as("the retention was made longer meanwhile").isEmpty();
    }

    @Test
    void deletesNothingWhileTheCatalogDoesNotAnswer() {
        catalog.quorum(false);
        retention.look();
        assertThat(rows.deletes).isEmpty();
        catalog.quorum(true);
        retention.look();
        assertThat(rows.deletes).hasSize(1);
    }

    private static CatalogCommand keep(int hours) {
        return new CatalogCommand.AlterTable(
                "acme",
                "m",
                new TableAlteration.Set(
                        Optional.empty(), Optional.of(Duration.ofHours(hours)), Optional.empty(), Optional.empty()));
    }
}
