package dev.weir.node.letters;

import dev.weir.node.config.DeadLetterConfig;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.TenantRecord;
import dev.weir.partition.model.RefusedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the letters of each tenant within {@code dead-letters.bytes-max}: looks every {@link DeadLetterConfig#LOOK_SECONDS}, on one node of the cluster,
 * and deletes the oldest where there are more, down to nine tenths, so that deletes are few. Letters of rows that were set aside count, and stay.
 */
public final class LetterBounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LetterBounds.class);

    private final Catalog catalog;
    private final LetterSql sql;
    private final long bytesMax;
    private final BooleanSupplier mine;
    private final ExecutorService blocking;
    private final Counter dropped;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-letters-timer").daemon().factory());
    private volatile Totals totals = Totals.NONE;

    /**
     * Letters of all tenants, as they were last counted.
     *
     * @param setAsideBytes of {@code bytes}, those of rows that were set aside
     */
    public record Totals(long rows, long bytes, long setAsideBytes) {
        static final Totals NONE = new Totals(0, 0, 0);

        Totals plus(Totals more) {
            return new Totals(rows + more.rows, bytes + more.bytes, setAsideBytes + more.setAsideBytes);
        }
    }

    /** @param mine whether this node is the one that looks, at present */
    LetterBounds(
            Catalog catalog,
            LetterSql sql,
            long bytesMax,
            BooleanSupplier mine,
            ExecutorService blocking,
            MeterRegistry meters) {
        this.catalog = catalog;
        this.sql = sql;
        this.bytesMax = bytesMax;
        this.mine = mine;
        this.blocking = blocking;
        this.dropped = meters.counter("weir_dead_letters_dropped");
        Gauge.builder("weir_dead_letters_rows", this, bounds -> bounds.totals.rows)
                .register(meters);
        Gauge.builder("weir_dead_letters_bytes", this, bounds -> bounds.totals.bytes)
                .register(meters);
        Gauge.builder("weir_dead_letters_tenant_bytes_max", this, bounds -> bounds.bytesMax)
                .register(meters);
        Gauge.builder("weir_dead_letters_quarantined_bytes", this, bounds -> bounds.totals.setAsideBytes)
                .register(meters);
        Gauge.builder(
                        "weir_dead_letters_tenant_quarantined_bytes_max",
                        this,
                        bounds -> SetAsideLetters.bytesMax(bounds.bytesMax))
                .register(meters);
    }

    public void start() {
        timer.scheduleWithFixedDelay(
                this::look, DeadLetterConfig.LOOK_SECONDS, DeadLetterConfig.LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Null where another node looks. */
    public @Nullable Totals totals() {
        return mine.getAsBoolean() ? totals : null;
    }

    private void look() {
        if (!mine.getAsBoolean()) {
            totals = Totals.NONE;
        } else if (looking.compareAndSet(false, true)) {
            blocking.execute(() -> {
                try {
                    all();
                } finally {
                    looking.set(false);
                }
            });
        }
    }

    /** Counts the letters of every tenant, and drops what is too much. */
    void all() {
        Totals sum = Totals.NONE;
        for (TenantRecord tenant : List.copyOf(catalog.image().tenants().values())) {
            if (catalog.image().table(tenant.name(), LetterTable.NAME).isEmpty()) {
                continue;
            }
            try {
                sum = sum.plus(hold(tenant.name()));
            } catch (RefusedException e) {
                LOG.warn(
                        "dead letters of tenant {} could not be counted: {}",
                        tenant.name(),
                        e.refusal().message());
            } catch (RuntimeException e) { // the bounds of other tenants must hold, whatever this one met
                LOG.error("dead letters of tenant {} could not be counted", tenant.name(), e);
            }
        }
        totals = sum;
    }

    /** Deletes what is too much; returns what is left. */
    Totals hold(String tenant) {
        TreeSet<String> codes = new TreeSet<>();
        Totals before = Totals.NONE;
        for (@Nullable
        Object[] found : sql.run(
                tenant,
                "SELECT code, count(*), CAST(sum(bytes) AS BIGINT) FROM " + LetterTable.NAME + " GROUP BY code")) {
            String code = (String) Objects.requireNonNull(found[0]);
            long bytes = number(found[2]);
            boolean setAside = code.equals(LetterTable.QUARANTINED);
            before = before.plus(new Totals(number(found[1]), bytes, setAside ? bytes : 0));
            if (!setAside) {
                codes.add(code);
            }
        }
        if (before.bytes <= bytesMax || codes.isEmpty()) {
            return before;
        }
        long room = bytesMax / 10 * 9 - before.setAsideBytes;
        String refused = " WHERE code IN ("
                + String.join(", ", codes.stream().map(LetterFilter::quoted).toList()) + ")";
        String newest = "SELECT time, sum(bytes) OVER (ORDER BY time DESC ROWS UNBOUNDED PRECEDING) AS kept FROM "
                + LetterTable.NAME + refused;
        long cutNanos = sql.number(tenant, "SELECT epoch_ns(max(time)) FROM (" + newest + ") WHERE kept > " + room);
        // Also where none are set aside yet: some may be by now, with times of another clock.
        String older = LetterTable.NAME + refused + " AND time <= '" + Instant.ofEpochSecond(0, cutNanos) + "'";
        @Nullable
        Object[] gone = sql.run(tenant, "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM " + older)
                .getFirst();
        sql.run(tenant, "DELETE FROM " + older);
        long rows = number(gone[0]);
        dropped.increment((double) rows);
        LOG.info(
                "dead letters of tenant {}: {} bytes, at most {} (dead-letters.bytes-max); the oldest {} dropped",
                tenant,
                before.bytes,
                bytesMax,
                rows);
        return new Totals(before.rows - rows, before.bytes - number(gone[1]), before.setAsideBytes);
    }

    private static long number(@Nullable Object cell) {
        return ((Number) Objects.requireNonNull(cell)).longValue();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
