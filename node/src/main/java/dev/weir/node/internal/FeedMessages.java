package dev.weir.node.internal;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Pages of change events for a node that holds no replica of the partition. */
final class FeedMessages {
    /**
     * Where a feed stands, sent before each page.
     *
     * @param trimmed the asked seq is older than {@code oldestSeq}: no page follows
     */
    record Place(long firstSeq, long oldestSeq, long nextSeq, long lastCommittedAtNanos, boolean trimmed) {}

    private FeedMessages() {}

    static WireWriter place(Place place) {
        return new WireWriter(1024)
                .putLong(place.firstSeq())
                .putLong(place.oldestSeq())
                .putLong(place.nextSeq())
                .putLong(place.lastCommittedAtNanos())
                .putBool(place.trimmed());
    }

    static Place readPlace(WireReader in) {
        return new Place(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readBool());
    }

    /**
     * Where a feed stands, without a page.
     *
     * @param resolvedAtNanos read before the place
     */
    static Buffer standing(Place place, long resolvedAtNanos) {
        return place(place).putLong(resolvedAtNanos).buffer();
    }

    /** What follows the place in {@link #standing}; 0 from a node that does not say. */
    static long readResolved(WireReader in) {
        return in.hasMore() ? in.readLong() : 0;
    }

    static Buffer encode(Place place, FeedPage page) {
        WireWriter out = place(place);
        out.putLong(page.nextSeq()).putLong(page.head()).putInt(page.batches().size());
        for (ChangeBatch batch : page.batches()) {
            write(out, batch);
        }
        return out.buffer();
    }

    static FeedPage readPage(WireReader in) {
        long nextSeq = in.readLong();
        long head = in.readLong();
        int count = in.readCount(40);
        List<ChangeBatch> batches = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            batches.add(read(in));
        }
        return new FeedPage(batches, nextSeq, head);
    }

    static Buffer kept(Place place, PartitionFeed.Kept kept) {
        return place(place)
                .putLong(kept.head())
                .putLong(kept.committedAtNanos())
                .buffer();
    }

    static PartitionFeed.Kept readKept(WireReader in) {
        return new PartitionFeed.Kept(in.readLong(), in.readLong());
    }

    private static void write(WireWriter out, ChangeBatch batch) {
        int count = batch.count();
        out.putInt(batch.partition())
                .putLong(batch.firstSeq())
                .putInt(count)
                .putLong(batch.committedAtNanos())
                .putByte(batch.type().code());
        SchemaMessages.write(out, batch.schema());
        out.putText(batch.detailJson());
        for (int row = 0; row < count; row++) {
            out.putByte(batch.operation(row).code())
                    .putLong(batch.timestampNanos(row))
                    .putInt(batch.series(row));
        }
        out.putInt(batch.seriesCount());
        for (int series = 0; series < batch.seriesCount(); series++) {
            WriteMessages.putTags(out, batch.seriesTags(series));
            out.putLong(batch.seriesHash(series));
        }
        out.putInt(batch.fields().size());
        for (FieldColumn column : batch.fields()) {
            DecodedColumn.write(out, column, count);
        }
    }

    private static ChangeBatch read(WireReader in) {
        int partition = in.readInt();
        long firstSeq = in.readLong();
        int count = in.readCount(13);
        long committedAt = in.readLong();
        EventType type = EventType.ofCode(in.readByte());
        TableSchema schema = SchemaMessages.read(in);
        String detail = in.readText();
        byte[] operations = new byte[count];
        long[] timestamps = new long[count];
        int[] seriesOfRow = new int[count];
        for (int row = 0; row < count; row++) {
            operations[row] = (byte) in.readByte();
            timestamps[row] = in.readLong();
            seriesOfRow[row] = in.readInt();
        }
        int seriesCount = in.readCount(9);
        List<List<Tag>> tags = new ArrayList<>(seriesCount);
        long[] hashes = new long[seriesCount];
        for (int series = 0; series < seriesCount; series++) {
            List<Tag> some = WriteMessages.readTags(in);
            tags.add(some == null ? List.of() : some);
            hashes[series] = in.readLong();
        }
        int columns = in.readCount(9);
        List<FieldColumn> fields = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            fields.add(DecodedColumn.read(in, count));
        }
        return new DecodedBatch(
                partition,
                firstSeq,
                count,
                committedAt,
                type,
                schema,
                detail,
                operations,
                timestamps,
                seriesOfRow,
                tags,
                hashes,
                fields);
    }
}
