package dev.weir.partition.engine;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.RecordReader;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table that a run of change events wrote, found in the segments: where each is, of which series, when. Values stay encoded until
 * they are copied out. Deletes are not applied. Read by one thread, then immutable.
 */
final class BufferedRows {
    static final long DAY_NANOS = 86_400_000_000_000L;

    private static final int READ_BYTES = 4 << 20;
    private static final int RECORDS_MAX = 256;
    private static final long RECORD_BYTES_MAX = 16L << 20;

    private final List<ChangeBatch> batches = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final Map<List<Tag>, Integer> seriesByTags = new HashMap<>();
    private final TreeSet<Long> days = new TreeSet<>();
    private int[] seriesOf = new int[1024];
    private int[] batchOf = new int[1024];
    private int[] rowOf = new int[1024];
    private long[] times = new long[1024];
    private int count;
    private long endSeq;
    private long minTime = Long.MAX_VALUE;
    private long maxTime = Long.MIN_VALUE;
    private long firstCommittedAtNanos = Long.MAX_VALUE;
    private long lastCommittedAtNanos;

    /** A series with rows. */
    record Series(List<Tag> tags, byte[] canonicalTags, long hash) {}

    private BufferedRows(long endSeq) {
        this.endSeq = endSeq;
    }

    /**
     * Reads rows of the table with seq from {@code fromSeq} to one before {@code endSeq}.
     *
     * @param daysMax reads no further than a record after which rows of more UTC days were found; see {@link #endSeq}
     * @throws dev.weir.wal.segment.SeqTrimmedException the segments no longer reach back to {@code fromSeq}
     */
    static BufferedRows read(
            int partition,
            SegmentLog log,
            Definitions definitions,
            int tableId,
            RowPick pick,
            long fromSeq,
            long endSeq,
            int daysMax)
            throws IOException {
        BufferedRows rows = new BufferedRows(endSeq);
        long seq = fromSeq;
        while (seq < endSeq) {
            List<SegmentRecord> records = log.read(seq, READ_BYTES);
            if (records.isEmpty()) {
                throw new IOException("partition " + partition + ": the log gives nothing from seq " + seq
                        + " on, expected up to " + endSeq);
            }
            for (SegmentRecord record : records) {
                if (record.firstSeq() >= endSeq) {
                    break;
                }
                for (ChangeBatch batch : RecordReader.read(partition, record, Math.max(seq, fromSeq), definitions)) {
                    if (batch.type() == EventType.POINT_WRITTEN
                            && batch.schema().tableId() == tableId) {
                        rows.add(batch, pick, null);
                    }
                }
                seq = record.nextSeq();
                if (rows.days.size() > daysMax) {
                    rows.endSeq = seq;
                    return rows;
                }
            }
        }
        return rows;
    }

    /** As above, all of them, from whichever replica has the log. */
    static BufferedRows read(PartitionFeed feed, int tableId, long fromSeq, long endSeq) throws IOException {
        BufferedRows rows = new BufferedRows(endSeq);
        for (long seq = fromSeq; seq < endSeq; ) {
            FeedPage page = feed.read(seq, READ_BYTES);
            if (page.nextSeq() == seq) {
                throw new IOException("partition " + feed.partition() + ": this replica has applied events up to seq "
                        + seq + ", expected " + endSeq);
            }
            for (ChangeBatch batch : page.batches()) {
                boolean isIn = batch.firstSeq() < endSeq
                        && batch.type() == EventType.POINT_WRITTEN
                        && batch.schema().tableId() == tableId;
                if (isIn) {
                    rows.add(batch, RowPick.ALL, null);
                }
            }
            seq = page.nextSeq();
        }
        return rows;
    }

    /** When the event was committed, ns since 1970; -1 where it wrote none of these rows. */
    long committedAtNanos(long seq) {
        int low = 0;
        int high = batches.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            ChangeBatch batch = batches.get(middle);
            if (seq < batch.firstSeq()) {
                high = middle - 1;
            } else if (seq >= batch.firstSeq() + batch.count()) {
                low = middle + 1;
            } else {
                return batch.committedAtNanos();
            }
        }
        return -1;
    }

    /**
     * Reads the rows of the table that these events wrote.
     *
     * @param seqs ascending
     * @return null where they are spread over more than {@value #RECORDS_MAX} records, or over records of more than {@value #RECORD_BYTES_MAX} bytes in sum
     * @throws dev.weir.wal.segment.SeqTrimmedException the segments no longer have them all
     */
    static @Nullable BufferedRows readEach(
            int partition, SegmentLog log, Definitions definitions, int tableId, RowPick pick, long[] seqs)
            throws IOException {
        BufferedRows rows = new BufferedRows(seqs.length == 0 ? 0 : seqs[seqs.length - 1] + 1);
        int records = 0;
        long bytes = 0;
        for (int at = 0; at < seqs.length; ) {
            List<SegmentRecord> found =
                    records == RECORDS_MAX || bytes > RECORD_BYTES_MAX ? List.of() : log.read(seqs[at], 1);
            if (found.isEmpty()) {
                return null;
            }
            records++;
            SegmentRecord record = found.getFirst();
            bytes += record.payload().remaining();
            int to = at;
            while (to < seqs.length && seqs[to] < record.nextSeq()) {
                to++;
            }
            for (ChangeBatch batch : RecordReader.read(partition, record, record.firstSeq(), definitions)) {
                if (batch.type() == EventType.POINT_WRITTEN && batch.schema().tableId() == tableId) {
                    rows.add(batch, pick, Arrays.copyOfRange(seqs, at, to));
                }
            }
            at = to;
        }
        return rows;
    }

    int count() {
        return count;
    }

    /** One past the last seq that was looked at. */
    long endSeq() {
        return endSeq;
    }

    /** UTC days since 1970 that have rows, ascending. */
    List<Long> days() {
        return List.copyOf(days);
    }

    long minTime() {
        return minTime;
    }

    long maxTime() {
        return maxTime;
    }

    long firstCommittedAtNanos() {
        return firstCommittedAtNanos;
    }

    long lastCommittedAtNanos() {
        return lastCommittedAtNanos;
    }

    Series series(int row) {
        return series.get(seriesOf[row]);
    }

    long time(int row) {
        return times[row];
    }

    ChangeBatch batch(int row) {
        return batches.get(batchOf[row]);
    }

    /** Batches that have rows; {@link #batchIndex} is below it. */
    int batches() {
        return batches.size();
    }

    int batchIndex(int row) {
        return batchOf[row];
    }

    /** The row of {@link #batch}. */
    int batchRow(int row) {
        return rowOf[row];
    }

    long seq(int row) {
        return batch(row).firstSeq() + rowOf[row];
    }

    /** The point existed when the row was written. */
    boolean isUpdate(int row) {
        return batch(row).operation(rowOf[row]) == Operation.UPDATE;
    }

    boolean sameSeries(int row, int other) {
        return seriesOf[row] == seriesOf[other];
    }

    /** Some row's point may be in a file, or here twice. */
    boolean hasUpdates() {
        for (int row = 0; row < count; row++) {
            if (isUpdate(row)) {
                return true;
            }
        }
        return false;
    }

    /** Rows of a day in the order of files, equal ones by seq. */
    int[] inFileOrder(long day) {
        int[] rank = ranks();
        int[] starts = new int[series.size() + 1];
        for (int row = 0; row < count; row++) {
            if (dayOf(times[row]) == day) {
                starts[rank[seriesOf[row]] + 1]++;
            }
        }
        for (int i = 0; i < series.size(); i++) {
            starts[i + 1] += starts[i];
        }
        int[] order = new int[starts[series.size()]];
        int[] next = starts.clone();
        for (int row = 0; row < count; row++) {
            if (dayOf(times[row]) == day) {
                order[next[rank[seriesOf[row]]]++] = row;
            }
        }
        for (int i = 0; i < series.size(); i++) {
            sortByTime(order, starts[i], starts[i + 1]);
        }
        return order;
    }

    static long dayOf(long timeNanos) {
        return Math.floorDiv(timeNanos, DAY_NANOS);
    }

    /** @param seqs ascending, those that count; null for all */
    private void add(ChangeBatch batch, RowPick pick, long @Nullable [] seqs) {
        int[] known = new int[batch.seriesCount()];
        Arrays.fill(known, -2);
        int index = batches.size();
        int before = count;
        for (int row = 0; row < batch.count(); row++) {
            long time = batch.timestampNanos(row);
            if (!pick.covers(time) || (seqs != null && Arrays.binarySearch(seqs, batch.firstSeq() + row) < 0)) {
                continue;
            }
            int ref = batch.series(row);
            if (known[ref] == -2) {
                known[ref] = seriesIndex(batch, ref, pick);
            }
            if (known[ref] >= 0) {
                add(known[ref], index, row, time);
            }
        }
        if (count > before) {
            batches.add(batch);
            firstCommittedAtNanos = Math.min(firstCommittedAtNanos, batch.committedAtNanos());
            lastCommittedAtNanos = Math.max(lastCommittedAtNanos, batch.committedAtNanos());
        }
    }

    private void add(int seriesIndex, int batch, int row, long time) {
        if (count == times.length) {
            int length = count + (count >> 1);
            seriesOf = Arrays.copyOf(seriesOf, length);
            batchOf = Arrays.copyOf(batchOf, length);
            rowOf = Arrays.copyOf(rowOf, length);
            times = Arrays.copyOf(times, length);
        }
        seriesOf[count] = seriesIndex;
        batchOf[count] = batch;
        rowOf[count] = row;
        times[count++] = time;
        if (time < minTime || time > maxTime || days.isEmpty()) {
            minTime = Math.min(minTime, time);
            maxTime = Math.max(maxTime, time);
        }
        long day = dayOf(time);
        if (count == 1 || day != dayOf(times[count - 2])) {
            days.add(day);
        }
    }

    /** -1 where the series is not asked for. */
    private int seriesIndex(ChangeBatch batch, int ref, RowPick pick) {
        List<Tag> tags = batch.seriesTags(ref);
        Integer known = seriesByTags.get(tags);
        if (known != null) {
            return known;
        }
        int made = -1;
        if (pick.means(tags)) {
            made = series.size();
            series.add(new Series(tags, CanonicalTags.encode(tags), batch.seriesHash(ref)));
        }
        seriesByTags.put(tags, made);
        return made;
    }

    /** Per series its place in the order of files. */
    private int[] ranks() {
        Integer[] sorted = new Integer[series.size()];
        Arrays.setAll(sorted, i -> i);
        Arrays.sort(
                sorted,
                (one, other) -> Arrays.compareUnsigned(
                        series.get(one).canonicalTags(), series.get(other).canonicalTags()));
        int[] rank = new int[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            rank[sorted[i]] = i;
        }
        return rank;
    }

    /** Sorts a series' rows, which stand in order of seq; nearly always they are in order of time already. */
    private void sortByTime(int[] order, int from, int to) {
        boolean sorted = true;
        for (int i = from + 1; i < to && sorted; i++) {
            sorted = times[order[i - 1]] <= times[order[i]];
        }
        if (sorted) {
            return;
        }
        Integer[] rows = new Integer[to - from];
        Arrays.setAll(rows, i -> order[from + i]);
        Arrays.sort(rows, (one, other) -> Long.compare(times[one], times[other]));
        for (int i = 0; i < rows.length; i++) {
            order[from + i] = rows[i];
        }
    }
}
