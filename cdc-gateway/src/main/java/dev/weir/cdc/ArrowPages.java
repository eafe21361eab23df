package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.TableSchema;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Record batches that readers share, and the memory in which they are made. Who reads at the same place in the same form gets the same batches,
 * live readers too: they all stand at the borders of the pages that they took. What is on its way to a socket is that reader's copy.
 */
final class ArrowPages {
    private final CdcConfig config;
    private final Catalog catalog;
    private final PageCache<ArrowForm, ArrowPage> cache;
    private final CatchUpPace pace;
    private final BufferAllocator allocator;

    ArrowPages(CdcConfig config, Catalog catalog, int loadsMax, CatchUpPace pace) {
        this.config = config;
        this.catalog = catalog;
        this.cache = new PageCache<>(config.arrowPagesBytesMax(), loadsMax);
        this.pace = pace;
        this.allocator = new RootAllocator(CdcConfig.ARROW_MEMORY_MAX);
    }

    /** For one reader. */
    PageSource<ArrowPage> source(ArrowForm form) {
        return new ReadAhead<>(shared(form), shared(form));
    }

    private PageSource<ArrowPage> shared(ArrowForm form) {
        return new SharedPages<>(
                cache,
                form,
                config.arrowPageBytes(),
                pace,
                () -> new ArrowEncoder(form, config.arrowBatchBytes(), allocator));
    }

    /** What a stream of that form begins with. */
    IpcSchema opening(ArrowForm form) {
        StreamFilter filter = form.key().filter();
        Optional<TableSchema> table = filter.measurements().size() == 1
                ? catalog.image().table(filter.tenant(), filter.measurements().first())
                : Optional.empty();
        return form.layout().opening(table);
    }

    /** Makes batches that nobody shares, of rows like these. */
    BatchMaker maker(ArrowForm form, ChangeBatch rows) {
        return form.layout().maker(rows, form.isZstd(), Math.min(rows.count(), form.rowsMax()), allocator);
    }

    long cachedBytes() {
        return cache.bytes();
    }

    /** Off the heap, while batches are being made. */
    long memoryBytes() {
        return allocator.getAllocatedMemory();
    }
}
