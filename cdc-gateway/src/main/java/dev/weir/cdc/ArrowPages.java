package dev.weir.cdc;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Record batches that readers share, and the memory in which they are made. Who reads at the same place in the same form gets the same bytes, live
 * readers too: they all stand at the borders of the pages that they took.
 */
final class ArrowPages {
    private final CdcConfig config;
    private final PageCache<ArrowForm, ArrowPage> cache;
    private final BufferAllocator allocator;

    ArrowPages(CdcConfig config, int loadsMax) {
        this.config = config;
        this.cache = new PageCache<>(config.arrowPagesBytesMax(), loadsMax);
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
                () -> new ArrowEncoder(form, config.arrowBatchBytes(), allocator));
    }

    /** A batch without rows. */
    IpcBody empty(ArrowForm form) {
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, form.layout(), 1)) {
            return IpcBody.of(converter.batch().getFieldVectors(), 0, form.isZstd(), allocator);
        }
    }

    long cachedBytes() {
        return cache.bytes();
    }

    /** Off the heap, while batches are being made. */
    long memoryBytes() {
        return allocator.getAllocatedMemory();
    }
}
