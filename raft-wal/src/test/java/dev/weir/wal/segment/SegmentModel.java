package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a segment log must hold, in plain lists; and the check that it does. */
final class SegmentModel {
    private static final int HEADER = 28;

    private final long segmentBytes;
    private final long firstSeq;
    private final List<Entry> entries = new ArrayList<>();
    private long oldestSeq;
    private long nextSeq;
    private long lastTime;

    SegmentModel(long firstSeq, long segmentBytes) {
        this.firstSeq = firstSeq;
        this.segmentBytes = segmentBytes;
        this.oldestSeq = firstSeq;
        this.nextSeq = firstSeq;
    }

    /** A record and the seq with which its segment begins. */
    record Entry(long seq, int count, long time, byte[] payload, long segment, long segmentEnd) {}

    long oldestSeq() {
        return oldestSeq;
    }

    long nextSeq() {
        return nextSeq;
    }

    long lastTime() {
        return lastTime;
    }

    void append(int count, long time, byte[] payload) {
        Entry last = entries.isEmpty() || nextSeq == oldestSeq ? null : entries.getLast();
        boolean fits = last != null && last.segmentEnd < segmentBytes;
        long segment = fits ? last.segment : nextSeq;
        long start = fits ? last.segmentEnd : 20;
        entries.add(new Entry(nextSeq, count, time, payload, segment, start + HEADER + payload.length));
        nextSeq += count;
        lastTime = time;
    }

    void trim(long seq) {
        long oldest = nextSeq;
        for (Entry entry : entries.reversed()) {
            if (entry.seq < oldestSeq || segmentNext(entry.segment) <= seq) {
                break;
            }
            oldest = entry.segment;
        }
        oldestSeq = oldest;
    }

    private long segmentNext(long segment) {
        return entries.stream()
                .filter(entry -> entry.segment > segment)
                .mapToLong(Entry::segment)
                .findFirst()
                .orElse(nextSeq);
    }

    /** Back to what it was at {@code manifest}. */
    void cutBack(SegmentManifest manifest) {
        oldestSeq = manifest.oldestSeq();
        nextSeq = manifest.nextSeq();
        entries.removeIf(entry -> entry.seq >= nextSeq);
        lastTime = entries.isEmpty() ? 0 : entries.getLast().time;
    }

    void check(SegmentLog log, Seeded random) throws IOException {
        assertThat(log.oldestSeq()).as("oldest seq").isEqualTo(oldestSeq);
        assertThat(log.nextSeq()).as("next seq").isEqualTo(nextSeq);
        checkReadsAll(log);
        checkSegments(log);
        checkTrimmed(log);
        if (nextSeq > oldestSeq) {
            checkRandomRead(log, random);
            checkSeek(log, random);
        }
    }

    private void checkReadsAll(SegmentLog log) throws IOException {
        List<SegmentRecord> found = new ArrayList<>();
        long seq = oldestSeq;
        while (seq < nextSeq) {
            List<SegmentRecord> records = log.read(seq, 150);
            assertThat(records).isNotEmpty();
            found.addAll(records);
            seq = records.getLast().nextSeq();
        }
        List<Entry> kept = kept();
        assertThat(found).hasSameSizeAs(kept);
        for (int i = 0; i < kept.size(); i++) {
            checkEqual(found.get(i), kept.get(i));
        }
        assertThat(log.read(nextSeq, 100)).isEmpty();
    }

    private void checkSegments(SegmentLog log) {
        List<SegmentFile> files = log.segments();
        assertThat(files)
                .extracting(SegmentFile::firstSeq)
                .containsExactlyElementsOf(
                        kept().stream().map(Entry::segment).distinct().toList());
        assertThat(log.bytes())
                .isEqualTo(files.stream().mapToLong(SegmentFile::bytes).sum());
        for (SegmentFile file : files) {
            Entry last = kept().stream()
                    .filter(entry -> entry.segment == file.firstSeq())
                    .reduce((a, b) -> b)
                    .orElseThrow();
            assertThat(file.bytes()).isEqualTo(last.segmentEnd);
            assertThat(file.lastCommittedAtNanos()).isEqualTo(last.time);
        }
    }

    private void checkTrimmed(SegmentLog log) {
        if (oldestSeq > firstSeq) {
            assertThatThrownBy(() -> log.read(oldestSeq - 1, 100)).isInstanceOf(SeqTrimmedException.class);
        }
    }

    private void checkRandomRead(SegmentLog log, Seeded random) throws IOException {
        List<Entry> kept = kept();
        Entry entry = kept.get(random.below(kept.size()));
        List<SegmentRecord> records = log.read(entry.seq + random.below(entry.count), 1 + random.below(300));
        int at = kept.indexOf(entry);
        for (SegmentRecord record : records) {
            checkEqual(record, kept.get(at++));
        }
    }

    private void checkSeek(SegmentLog log, Seeded random) throws IOException {
        List<Entry> kept = kept();
        long time = kept.get(random.below(kept.size())).time + random.below(3) - 1;
        long expected = kept.stream()
                .filter(entry -> entry.time >= time)
                .mapToLong(Entry::seq)
                .findFirst()
                .orElse(nextSeq);
        assertThat(log.seekTime(time)).isEqualTo(expected);
    }

    private static void checkEqual(SegmentRecord found, Entry expected) {
        assertThat(found.firstSeq()).isEqualTo(expected.seq);
        assertThat(found.count()).isEqualTo(expected.count);
        assertThat(found.committedAtNanos()).isEqualTo(expected.time);
        ByteBuffer payload = found.payload().duplicate();
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        assertThat(Arrays.equals(bytes, expected.payload))
                .as("payload of %s", found)
                .isTrue();
    }

    private List<Entry> kept() {
        return entries.stream().filter(entry -> entry.seq >= oldestSeq).toList();
    }
}
