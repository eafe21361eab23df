package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaFeedTest {
    @TempDir
    private Path directory;

    private OneReplica one;

    @BeforeEach
    void open() {
        one = new OneReplica(directory, 400, 300);
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.CPU, Rows.row("a", 3 * i, "i", 1L), Rows.row("b", 3 * i, "i", 2L));
        }
    }

    @AfterEach
    void close() {
        one.close();
    }

    @Test
    void beginsAnywhereAlsoWithinARecord() throws IOException {
        for (long seq = 1; seq <= 42; seq++) {
            FeedPage page = feed().read(seq, 1);
            if (seq == 42) {
                assertThat(page.batches()).isEmpty();
            } else {
                assertThat(page.batches().getFirst().firstSeq()).isEqualTo(seq);
            }
            long events = page.batches().stream().mapToLong(ChangeBatch::count).sum();
            assertThat(page.nextSeq()).isEqualTo(seq + events);
            assertThat(page.head()).isEqualTo(42);
        }
    }

    @Test
    void givesTheSameFromMemoryAndFromTheSegments() throws IOException {
        List<Object> before = events();
        one.snapshot();
        one.restart();
        assertThat(events()).isEqualTo(before).hasSize(41);
    }

    @Test
    void letsAReaderThatIsAheadWait() throws IOException {
        FeedPage page = feed().read(100, 1000);
        assertThat(page.batches()).isEmpty();
        assertThat(page.nextSeq()).isEqualTo(100);
        assertThat(page.head()).isEqualTo(42);
    }

    @Test
    void signalsEachAdvanceUntilUnregistered() throws Exception {
        AtomicInteger signals = new AtomicInteger();
        AutoCloseable registration = feed().onAdvance(signals::incrementAndGet);
        one.write(OneReplica.CPU, Rows.row("a", 1000, "i", 1L));
        assertThat(signals).hasValue(1);
        registration.close();
        one.write(OneReplica.CPU, Rows.row("a", 1001, "i", 1L));
        assertThat(signals).hasValue(1);
    }

    @Test
    void saysWhatRetentionHasTaken() throws IOException {
        one.apply(entry -> entry.addTrim(30));
        long oldest = feed().oldestSeq();
        assertThat(oldest).isBetween(2L, 30L);
        assertThatThrownBy(() -> feed().read(oldest - 1, 100)).isInstanceOf(SeqTrimmedException.class);
        assertThat(feed().read(oldest, 100).batches()).isNotEmpty();
    }

    @Test
    void findsTheFirstEventOfATime() throws IOException {
        ChangeBatch batch = feed().read(20, 1).batches().getFirst();
        long record = feed().seekTime(batch.committedAtNanos());
        assertThat(record).isEqualTo(20);
        assertThat(feed().seekTime(batch.committedAtNanos() + 1)).isEqualTo(22);
        assertThat(feed().seekTime(Long.MAX_VALUE)).isEqualTo(42);
    }

    @Test
    void movesTheResolvedTimeByTicksAlone() {
        long committed = feed().lastCommittedAtNanos();
        one.apply(dev.weir.partition.entry.EntryBuilder::addTick);
        assertThat(feed().lastCommittedAtNanos()).isEqualTo(committed);
        assertThat(feed().resolvedAtNanos()).isGreaterThan(committed);
        assertThat(feed().nextSeq()).isEqualTo(42);
    }

    @Test
    void isClosedWithTheReplica() {
        one.close();
        assertThat(feed().closed()).isTrue();
        assertThatThrownBy(() -> feed().read(1, 100)).isInstanceOf(IOException.class);
    }

    private ReplicaFeed feed() {
        return one.replica().feed();
    }

    private List<Object> events() throws IOException {
        List<Object> events = new java.util.ArrayList<>();
        for (long seq = 1; seq < feed().nextSeq(); ) {
            FeedPage page = feed().read(seq, 200);
            for (ChangeBatch batch : page.batches()) {
                for (int row = 0; row < batch.count(); row++) {
                    events.add(batch.event(row));
                }
            }
            seq = page.nextSeq();
        }
        return events;
    }
}
