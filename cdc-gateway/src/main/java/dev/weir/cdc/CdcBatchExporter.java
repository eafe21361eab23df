package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.model.RefusedException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to a tenant's changes inside a node and yields them as Arrow record batches, at the pace of whoever polls. Nothing is queued: what the
 * consumer has not taken waits in the log.
 *
 * <pre>
 * try (CdcBatchExporter exporter = CdcBatchExporter.open(feeds, catalog, allocator, ExportOptions.of("default").with("from", "earliest"))) {
 *     while (running) {
 *         CdcBatchExporter.Batch batch = exporter.poll(Duration.ofSeconds(1));
 *         if (batch != null) {
 *             store(batch.rows(), batch.cursor());
 *         }
 *     }
 * }
 * </pre>
 *
 * <p>Order holds in each partition. Within one exporter no (partition, seq) comes twice, whatever happens to replicas. What it delivered and its
 * {@link #takeGaps gaps} together are all that was committed, seq by seq (those that the filter leaves out included).
 *
 * <p>Threading: one thread, which may block on disks and leaders: a virtual one.
 */
public final class CdcBatchExporter implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    private static final long TROUBLE_NANOS = Duration.ofMillis(200).toNanos();
    private static final int GAPS_MAX = 10_000;

    private final StreamRequest request;
    private final ExportOptions options;
    private final Backlog backlog;
    private final Lineage lineage;
    private final StartResolver resolver;
    private final CdcBatchConverter converter;
    private final Signal signal = new Signal();
    private final FeedSet feeds;
    private final MergeReader<ConvertedPage> reader;
    private final List<Gap> gaps = new ArrayList<>();
    private Position position;
    private boolean waiting = true;
    private long gapCount;

    /**
     * @param rows of one partition, in its order; the exporter's, valid until the next call
     * @param cursor the place behind them: as {@code from} it goes on there, on any node
     */
    public record Batch(VectorSchemaRoot rows, int partition, String cursor) {}

    private CdcBatchExporter(
            StreamRequest request,
            ExportOptions options,
            Lineage lineage,
            StartResolver resolver,
            FeedDirectory directory,
            BufferAllocator allocator) {
        this.request = request;
        this.options = options;
        this.backlog = new Backlog(request.delivery());
        this.lineage = lineage;
        this.resolver = resolver;
        this.position = resolver.resolve(request);
        this.converter = new CdcBatchConverter(allocator, options.layout());
        this.feeds = new FeedSet(directory, signal);
        CdcConfig config = CdcConfig.defaults();
        ConvertedPage.Bounds bounds = new ConvertedPage.Bounds(options.rowsMax(), config.arrowBatchBytes());
        this.reader = new MergeReader<>(
                feeds,
                (feed, partition, seq) -> ConvertedPage.of(
                        converter, request.key(), bounds, partition, seq, feed.read(seq, config.arrowPageBytes())));
    }

    /**
     * Finds the start, which may block for 10 s.
     *
     * @throws RefusedException the options are wrong, or nothing can begin there (too old a cursor, no leader)
     */
    public static CdcBatchExporter open(
            FeedDirectory directory, Catalog catalog, BufferAllocator allocator, ExportOptions options)
            throws RefusedException {
        try {
            Lineage lineage = new Lineage(catalog, directory, START_TIMEOUT);
            StartResolver resolver = new StartResolver(directory, lineage, START_TIMEOUT, Clock.systemUTC());
            return new CdcBatchExporter(options.request(), options, lineage, resolver, directory, allocator);
        } catch (RequestRefused e) {
            throw new RefusedException(e.refusal());
        }
    }

    /**
     * The next batch; null when none came in that time, also where events came that the filter leaves out: {@link #cursor} is behind them then. With no
     * time, zero, it looks through all that is there.
     *
     * @throws ChangesLostException retention was faster than the consumer; not in {@link DeliveryMode#AT_MOST_ONCE}
     */
    public @Nullable Batch poll(Duration timeout) throws ChangesLostException {
        boolean isTimed = timeout.isPositive();
        long deadline = System.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 4);
        while (true) {
            if (feeds.takeChanged() || waiting) {
                Lineage.Extension extension =
                        lineage.extend(position, request.key().filter());
                position = extension.position();
                waiting = extension.waiting();
            }
            ConvertedPage page = next();
            if (page != null) {
                position = position.with(page.partition(), page.nextSeq());
                if (page.rows() > 0) {
                    return new Batch(converter.batch(), page.partition(), cursor());
                }
                if (isTimed && System.nanoTime() - deadline >= 0) {
                    return null;
                }
                continue;
            }
            long now = System.nanoTime();
            if (now - deadline >= 0) {
                return null;
            }
            boolean trouble = feeds.takeMissing() || waiting;
            signal.await(trouble ? Math.min(deadline, now + TROUBLE_NANOS) : deadline);
        }
    }

    private @Nullable ConvertedPage next() throws ChangesLostException {
        while (true) {
            for (Gap gap = backlog.excess(position, feeds); gap != null; gap = backlog.excess(position, feeds)) {
                leaveOut(gap);
            }
            try {
                return reader.nextPage(position, null);
            } catch (LostException e) {
                leaveOut(gap(e));
            }
        }
    }

    private Gap gap(LostException lost) throws ChangesLostException {
        try {
            return backlog.gap(lost);
        } catch (LostException e) {
            throw new ChangesLostException(
                    e, resolver.oldestCursor(request.key().filter()));
        }
    }

    private void leaveOut(Gap gap) {
        position = position.with(gap.partition(), gap.last() + 1);
        gapCount += gap.count();
        Gap before = gaps.isEmpty() ? null : gaps.getLast();
        if (before != null && before.isFollowedBy(gap)) {
            gaps.set(gaps.size() - 1, new Gap(gap.partition(), before.first(), gap.last(), gap.reason()));
            return;
        }
        gaps.add(gap);
        if (gaps.size() > GAPS_MAX) {
            gaps.removeFirst();
        }
    }

    /** Events in {@link Gap}s since the exporter was opened. */
    public long gapCount() {
        return gapCount;
    }

    /** The gaps since the last call, in order; the newest 10,000 of them. A gap lies before what its partition yields next. */
    public List<Gap> takeGaps() {
        List<Gap> taken = List.copyOf(gaps);
        gaps.clear();
        return taken;
    }

    /** The place behind all that was yielded or left out. */
    public String cursor() {
        return position.encode(options.tenant());
    }

    @Override
    public void close() {
        feeds.close();
        converter.close();
    }
}
