package dev.weir.node.internal;

import dev.weir.node.quota.SeriesCountSource;
import dev.weir.partition.catalog.NodeRecord;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Counts of series by {@code /internal/v1/series-counts}. Any thread. */
public final class SeriesCountCalls implements SeriesCountSource {
    /** Below {@code /internal/v1}. */
    public static final String COUNTS = "/series-counts";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final PeerClient peers;

    public SeriesCountCalls(PeerClient peers) {
        this.peers = peers;
    }

    @Override
    public CompletionStage<Map<Integer, Map<String, Integer>>> ask(NodeRecord node) {
        return peers.post(node, COUNTS, Buffer.buffer(), TIMEOUT).thenApply(SeriesCountCalls::decode);
    }

    /** The answer to {@link #COUNTS}. */
    public static Buffer encode(Map<Integer, Map<String, Integer>> counts) {
        WireWriter out = new WireWriter(256).putInt(counts.size());
        counts.forEach((partition, tenants) -> {
            out.putInt(partition).putInt(tenants.size());
            tenants.forEach((tenant, series) -> out.putText(tenant).putInt(series));
        });
        return out.buffer();
    }

    static Map<Integer, Map<String, Integer>> decode(Buffer message) {
        WireReader in = new WireReader(message);
        Map<Integer, Map<String, Integer>> counts = new HashMap<>();
        for (int partitions = in.readCount(8); partitions > 0; partitions--) {
            int partition = in.readInt();
            Map<String, Integer> tenants = new HashMap<>();
            for (int left = in.readCount(8); left > 0; left--) {
                String tenant = in.readText();
                tenants.put(tenant, in.readInt());
            }
            counts.put(partition, tenants);
        }
        return counts;
    }
}
