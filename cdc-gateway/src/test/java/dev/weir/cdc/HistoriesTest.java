package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.catalog.Catalog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class HistoriesTest {
    private final MemoryCluster cluster = MemoryCluster.of(1);
    private final MemoryHistory history = new MemoryHistory(cluster);

    /** The snapshot was taken between the first bytes, which could not name its beginning, and the stream. */
    @Test
    void aLeaseOfWhichAGoneClientCannotKnowIsGivenBack() throws Exception {
        history.gate = new CompletableFuture<>();
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1.0));

        histories()
                .serve(
                        snapshot(),
                        (cursor, signal) -> {
                            assertThat(cursor).isNull();
                            history.gate.complete(null);
                            await().atMost(Gateway.PATIENCE).until(() -> !cluster.leases.isEmpty());
                            return new GoneSink();
                        },
                        OpenStream::run);

        assertThat(cluster.leases).isEmpty();
    }

    private Histories histories() {
        CdcConfig config = CdcConfig.defaults().withHeartbeat(Duration.ofMillis(50));
        Catalog catalog = cluster.catalog();
        Lineage lineage = new Lineage(catalog, cluster, config.startTimeout());
        StartResolver resolver = new StartResolver(cluster, lineage, config.startTimeout(), Clock.systemUTC());
        HistorySource source = new HistorySource(history, HistoryConfig.DEFAULTS);
        return new Histories(
                new HistoryStream.Parts(
                        source,
                        new HistoryDesk(source, catalog, lineage, resolver, Clock.systemUTC()),
                        catalog,
                        cluster,
                        resolver,
                        new ArrowPages(config, catalog, 4, new CatchUpPace(cluster, 1, () -> 0, System::nanoTime)),
                        config,
                        new CdcMetrics(new SimpleMeterRegistry())),
                (asked, start, sink, signal) -> {
                    throw new IllegalStateException("the log is not reached");
                });
    }

    private static StreamRequest snapshot() {
        StreamFilter filter =
                new StreamFilter("default", new TreeSet<>(List.of("cpu")), Set.of(), new TreeMap<>(), new TreeSet<>());
        return new StreamRequest(
                new RunKey(filter, false),
                new Start.Snapshot(),
                new Delivery(DeliveryMode.AT_LEAST_ONCE, Delivery.QUEUE_EVENTS, Optional.empty()),
                Optional.empty());
    }
}
