package dev.weir.node.internal;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.engine.TableSize;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** What tables have in the partitions that a node leads, by {@code /internal/v1/table-sizes}. Any thread. */
public final class TableSizeCalls {
    /** Below {@code /internal/v1}. */
    public static final String SIZES = "/table-sizes";

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final PeerClient peers;

    public TableSizeCalls(PeerClient peers) {
        this.peers = peers;
    }

    public CompletionStage<Map<Integer, List<TableSize>>> ask(NodeRecord node) {
        return peers.post(node, SIZES, Buffer.buffer(), TIMEOUT).thenApply(TableSizeCalls::decode);
    }

    /** The answer to {@link #SIZES}: of each partition, what its tables have. */
    public static Buffer encode(Map<Integer, List<TableSize>> partitions) {
        WireWriter out = new WireWriter(256).putInt(partitions.size());
        partitions.forEach((partition, sizes) -> {
            out.putInt(partition).putInt(sizes.size());
            for (TableSize size : sizes) {
                out.putInt(size.tableId())
                        .putInt(size.files())
                        .putLong(size.fileRows())
                        .putLong(size.fileBytes())
                        .putLong(size.bufferedRows());
            }
        });
        return out.buffer();
    }

    static Map<Integer, List<TableSize>> decode(Buffer message) {
        WireReader in = new WireReader(message);
        Map<Integer, List<TableSize>> partitions = new TreeMap<>();
        for (int left = in.readCount(8); left > 0; left--) {
            partitions.put(in.readInt(), sizes(in));
        }
        return partitions;
    }

    private static List<TableSize> sizes(WireReader in) {
        List<TableSize> sizes = new ArrayList<>();
        for (int left = in.readCount(32); left > 0; left--) {
            sizes.add(new TableSize(in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readLong()));
        }
        return sizes;
    }
}
