package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.FieldType;
import java.util.Arrays;
import java.util.List;

/** The rows of a row group under construction, by column; series as runs. */
final class GroupBuffer {
    private static final int ROW_BYTES = 24;
    private static final int FIELD_BYTES = 9;

    private final FieldBuffer[] fields;
    private final FieldBuffer[] texts;
    private long[] times = new long[64];
    private long[] seqs = new long[64];
    private byte[][] runTags = new byte[16][];
    private long[] runHashes = new long[16];
    private int[] runEnds = new int[16];
    private int runs;
    private int rows;
    private long tagBytes;

    GroupBuffer(List<Column> fieldColumns) {
        this.fields = fieldColumns.stream()
                .map(column -> new FieldBuffer(column.type()))
                .toArray(FieldBuffer[]::new);
        this.texts = Arrays.stream(fields)
                .filter(field -> field.type() == FieldType.STRING)
                .toArray(FieldBuffer[]::new);
    }

    int rows() {
        return rows;
    }

    /** About what the rows take in memory. */
    long bytes() {
        long bytes = tagBytes + (long) rows * (ROW_BYTES + FIELD_BYTES * fields.length);
        for (FieldBuffer field : texts) {
            bytes += field.textBytes();
        }
        return bytes;
    }

    long[] times() {
        return times;
    }

    long[] seqs() {
        return seqs;
    }

    int runs() {
        return runs;
    }

    byte[] runTags(int run) {
        return runTags[run];
    }

    long runHash(int run) {
        return runHashes[run];
    }

    int runStart(int run) {
        return run == 0 ? 0 : runEnds[run - 1];
    }

    int runEnd(int run) {
        return runEnds[run];
    }

    FieldBuffer field(int index) {
        return fields[index];
    }

    void clear() {
        for (FieldBuffer field : fields) {
            field.clear();
        }
        Arrays.fill(runTags, 0, runs, null);
        runs = 0;
        rows = 0;
        tagBytes = 0;
    }

    /** Takes rows of one run of a batch over. */
    void append(RowBatch batch, int run, int from, int to) {
        addRun(batch.runTags(run), batch.runHash(run), to - from);
        reserve(to - from);
        System.arraycopy(batch.times(), from, times, rows, to - from);
        System.arraycopy(batch.seqs(), from, seqs, rows, to - from);
        for (int i = 0; i < fields.length; i++) {
            fields[i].append(batch.field(i), from, to);
        }
        rows += to - from;
    }

    private void addRun(byte[] tags, long hash, int count) {
        if (runs > 0 && Arrays.equals(runTags[runs - 1], tags)) {
            runEnds[runs - 1] += count;
            return;
        }
        if (runs == runEnds.length) {
            runTags = Arrays.copyOf(runTags, 2 * runs);
            runHashes = Arrays.copyOf(runHashes, 2 * runs);
            runEnds = Arrays.copyOf(runEnds, 2 * runs);
        }
        runTags[runs] = tags;
        runHashes[runs] = hash;
        runEnds[runs] = rows + count;
        runs++;
        tagBytes += tags.length;
    }

    private void reserve(int more) {
        if (times.length - rows < more) {
            int length = Math.max(2 * times.length, rows + more);
            times = Arrays.copyOf(times, length);
            seqs = Arrays.copyOf(seqs, length);
        }
    }
}
