package dev.weir.node.route;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.route.NodeNotice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What this node says of itself: how busy it is now, and which bytes it had as of the last {@link #renew}. Any thread but for that. */
public final class OwnNotice {
    /** Bytes in files change with flushes, and counting them looks at every table. */
    private static final int ROUNDS_BETWEEN_COUNTS = 5;
    /** Of the tenants with most bytes; the others' statements are answered where they are asked. */
    private static final int TENANTS_MAX = 1_000;

    private final String self;
    private final int seats;
    private final IntSupplier busy;
    private final Sources sources;
    private volatile Map<String, Long> held = Map.of();
    private volatile Map<String, Long> stored = Map.of();
    private int round;

    /**
     * @param held tenant → bytes of its files at hand
     * @param led sizes of tables in the partitions that this node leads
     */
    public record Sources(
            Supplier<CatalogImage> catalog, Supplier<Map<String, Long>> held, Supplier<List<TableSize>> led) {}

    /**
     * @param seats {@code sql.concurrent-max}
     * @param busy statements that wait or run
     */
    public OwnNotice(String self, int seats, IntSupplier busy, Sources sources) {
        this.self = self;
        this.seats = seats;
        this.busy = busy;
        this.sources = sources;
    }

    public NodeNotice notice() {
        return new NodeNotice(self, busy.getAsInt(), seats, held, stored);
    }

    /** Counts again. One thread. */
    void renew() {
        held = most(sources.held().get());
        if (round++ % ROUNDS_BETWEEN_COUNTS == 0) {
            stored = most(stored());
        }
    }

    private Map<String, Long> stored() {
        Map<Integer, Long> byTable = new HashMap<>();
        sources.led().get().forEach(size -> byTable.merge(size.tableId(), size.fileBytes(), Long::sum));
        CatalogImage image = sources.catalog().get();
        Map<String, Long> byTenant = new HashMap<>();
        for (String tenant : image.tenants().keySet()) {
            for (TableSchema table : image.tables(tenant)) {
                byTenant.merge(tenant, byTable.getOrDefault(table.tableId(), 0L), Long::sum);
            }
        }
        return byTenant;
    }

    private static Map<String, Long> most(Map<String, Long> bytes) {
        return bytes.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(TENANTS_MAX)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
