package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.write.BatchId;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import dev.weir.wal.segment.SeqTrimmedException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the segments can't tell, the answer is that rows were written; what they do tell is in the simulations. */
class WrittenSinceTest {
    @Test
    void whatWasTrimmedMayHaveWrittenTheRows() {
        WrittenSince written = new WrittenSince(
                () -> log(seq -> {
                    throw new SeqTrimmedException(seq, 500);
                }),
                () -> 0,
                new DefinitionTable());

        assertThat(written.look(asOf(300), 600)).contains("read as of seq 300, and the oldest kept is 500");
    }

    @Test
    void whatWasMovedToTheStoreIsNotLookedThrough() {
        WrittenSince written = new WrittenSince(
                () -> log(seq -> {
                    throw new AssertionError("read from " + seq);
                }),
                () -> 500,
                new DefinitionTable());

        assertThat(written.look(asOf(499), 600))
                .contains("read as of seq 499, and the history before 500 is in the object store");
    }

    @Test
    void noMoreIsLookedThroughThanApplyMayTake() {
        WrittenSince written = new WrittenSince(
                () -> log(seq -> {
                    throw new AssertionError("read from " + seq);
                }),
                () -> 0,
                new DefinitionTable());

        assertThat(written.look(asOf(1), 2 + WrittenSince.EVENTS_MAX))
                .hasValueSatisfying(why -> assertThat(why).contains("expected at most 1000000 before 1000002"));
        assertThat(written.look(asOf(601), 600)).isPresent();
    }

    @Test
    void norMoreBytes() {
        SegmentRecord large = new SegmentRecord(1, 10, 0, ByteBuffer.allocate((int) WrittenSince.BYTES_MAX + 1));

        assertThat(new WrittenSince(() -> log(seq -> List.of(large)), () -> 0, new DefinitionTable()).look(asOf(1), 11))
                .hasValueSatisfying(why -> assertThat(why).contains("at most 67108864 bytes"));
    }

    @Test
    void whereNothingCameSinceNothingWasWritten() {
        assertThat(new WrittenSince(() -> log(seq -> List.of()), () -> 0, new DefinitionTable()).look(asOf(600), 600))
                .isEmpty();
    }

    private interface Read {
        List<SegmentRecord> from(long seq) throws SeqTrimmedException;
    }

    private static SegmentLog log(Read read) {
        return (SegmentLog) Proxy.newProxyInstance(
                SegmentLog.class.getClassLoader(), new Class<?>[] {SegmentLog.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("read");
                    return read.from((Long) arguments[0]);
                });
    }

    private static RangeDeleteSection asOf(long seq) {
        return new RangeDeleteSection(
                new BatchId("n1", 1, 1), 1, "acme", 7, "cpu", List.of(), 0, 9, RangeDeleteCause.QUARANTINE, "c-1", seq);
    }
}
