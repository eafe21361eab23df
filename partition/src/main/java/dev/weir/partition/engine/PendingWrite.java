package dev.weir.partition.engine;

import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.TenantSeriesQuota;
import dev.weir.partition.write.WriteResult;
import java.util.concurrent.CompletableFuture;

/** A request that waits for its place in the log, or for the log's answer. */
interface PendingWrite {
    /** About how many bytes it adds to an entry. */
    int bytes();

    /** @throws dev.weir.partition.entry.FormatException the request is damaged; then nothing was added */
    void addTo(EntryBuilder entry);

    CompletableFuture<WriteResult> result();

    default boolean fits(EntryBuilder entry) {
        return true;
    }

    /**
     * Rows.
     *
     * @param seriesMax see {@link dev.weir.partition.write.WriterConfig}
     * @param quota asked when the request is put into an entry
     */
    record Rows(
            AppendRequest request,
            int seriesMax,
            TenantSeriesQuota quota,
            int bytes,
            CompletableFuture<WriteResult> result)
            implements PendingWrite {
        Rows(AppendRequest request, int seriesMax, TenantSeriesQuota quota) {
            this(request, seriesMax, quota, size(request), new CompletableFuture<>());
        }

        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(request, seriesMax, quota.limit(request.partition(), tenant()));
        }

        @Override
        public boolean fits(EntryBuilder entry) {
            return entry.hasRoomFor(request);
        }

        private String tenant() {
            return request.blocks().isEmpty() ? "" : request.blocks().getFirst().tenant();
        }

        private static int size(AppendRequest request) {
            long size = 128;
            for (var block : request.blocks()) {
                size += block.bytes().remaining();
            }
            return (int) Math.min(Integer.MAX_VALUE, size);
        }
    }

    /** A delete. */
    record Delete(DeleteRequest request, CompletableFuture<WriteResult> result) implements PendingWrite {
        private static final int BYTES = 512;

        Delete(DeleteRequest request) {
            this(request, new CompletableFuture<>());
        }

        @Override
        public int bytes() {
            return BYTES;
        }

        @Override
        public void addTo(EntryBuilder entry) {
            entry.add(request);
        }

        /** One that holds only if nothing was written meanwhile can't come behind rows of its own entry. */
        @Override
        public boolean fits(EntryBuilder entry) {
            return request.range() == null || request.range().asOfSeq() == 0;
        }
    }
}
