package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.LineageSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.entry.Section.TickSection;
import dev.weir.partition.entry.Section.TrimSection;
import dev.weir.partition.model.Tag;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntrySectionsTest {
    private final List<Section> sections = EntryReader.read(ByteBuffer.wrap(Samples.entry()));

    @Test
    void readsSectionsInOrder() {
        assertThat(sections)
                .extracting(section -> (Object) section.getClass())
                .containsExactly(
                        AppendSection.class,
                        DeleteSection.class,
                        DeleteSection.class,
                        RangeDeleteSection.class,
                        TrimSection.class,
                        TickSection.class,
                        ExpirySection.class,
                        FenceSection.class,
                        LineageSection.class,
                        FlushSection.class,
                        CompactionSection.class);
    }

    @Test
    void readsAppend() {
        AppendSection append = (AppendSection) sections.get(0);
        assertThat(append.batch().counter()).isEqualTo(300);
        assertThat(append.unit().key()).isEqualTo("key");
        assertThat(append.unit().bodyDigest()).containsExactly(0xd1, 0x6e);
        assertThat(append.epoch()).isEqualTo(8);
        BlockView block = append.blocks().get(0);
        assertThat(block.inlineSchema()).isEqualTo(Samples.SCHEMA);
        assertThat(block.seriesRefs()).containsExactly(0, 1, 0);
        assertThat(block.seriesId(1)).isEqualTo(-1);
        SeriesDefinition second = block.definition(1, 40);
        assertThat(second.seriesId()).isEqualTo(40);
        assertThat(second.hash()).isEqualTo(Samples.series("b").hash());
        assertThat(CanonicalTags.decode(second.canonicalTags(), 0, second.canonicalTags().length))
                .containsExactly(new Tag("host", "b"));
    }

    @Test
    void namesKnownSeriesAndSchemasById() {
        TestDefinitions definitions = new TestDefinitions();
        BlockView first = ((AppendSection) sections.get(0)).blocks().get(0);
        int[] ids = definitions.resolve(first);
        EntryBuilder builder = new EntryBuilder(definitions);
        builder.add(Samples.append(Samples.block()), 0);
        AppendSection again = (AppendSection) EntryReader.read(builder.build()).get(0);
        BlockView block = again.blocks().get(0);
        assertThat(block.inlineSchema()).isNull();
        assertThat(new int[] {block.seriesId(0), block.seriesId(1)}).isEqualTo(ids);
        assertThat(block.columns()).isEqualTo(first.columns());
    }

    @Test
    void readsDeletes() {
        DeleteSection series = (DeleteSection) sections.get(1);
        assertThat(series.tags()).containsExactly(new Tag("host", "a"));
        assertThat(series.changeId()).isEqualTo("c-1");
        DeleteSection table = (DeleteSection) sections.get(2);
        assertThat(table.tags()).isNull();
        assertThat(table.measurement()).isEqualTo("cpu");
        RangeDeleteSection range = (RangeDeleteSection) sections.get(3);
        assertThat(range.predicate()).containsExactly(new Tag("host", "b"));
        assertThat(range.fromNanos()).isEqualTo(-5);
        assertThat(range.toNanos()).isEqualTo(5);
        assertThat(range.cause()).isEqualTo(RangeDeleteCause.RETENTION);
    }

    @Test
    void readsTheSeqOfAQuarantine() {
        List<Section> entry = EntryReader.read(ByteBuffer.wrap(Samples.quarantine()));
        RangeDeleteSection range = (RangeDeleteSection) entry.getFirst();
        assertThat(range.cause()).isEqualTo(RangeDeleteCause.QUARANTINE);
        assertThat(range.asOfSeq()).isEqualTo(300);
        assertThat(range.predicate()).containsExactly(new Tag("host", "b"));
    }

    @Test
    void readsOperationsOnThePartition() {
        assertThat(sections.get(4)).isEqualTo(new TrimSection(400));
        assertThat(sections.get(6)).isEqualTo(new ExpirySection(-1, 1000));
        assertThat(sections.get(7))
                .isEqualTo(new FenceSection(List.of(new SlotRange(0, 512), new SlotRange(600, 4096)), 8, 2));
        LineageSection lineage = (LineageSection) sections.get(8);
        assertThat(lineage.firstSeq()).isEqualTo(801);
        assertThat(lineage.parents()).hasSize(2);
        assertThat(lineage.slots()).containsExactly(new SlotRange(0, 4096));
    }

    @Test
    void readsCommitsOfFiles() {
        FlushSection flush = (FlushSection) sections.get(9);
        assertThat(flush.fromSeq()).isZero();
        assertThat(flush.toSeq()).isEqualTo(300);
        StoredFile file = flush.files().get(0);
        assertThat(file.key()).isEqualTo("f1");
        assertThat(file.rows()).isEqualTo(250);
        assertThat(file.sha256()).hasSize(32).containsOnly(0xab);
        assertThat(file.minTimestampNanos()).isEqualTo(-1);
        CompactionSection compaction = (CompactionSection) sections.get(10);
        assertThat(compaction.inputs()).containsExactly("f1", "f2");
        assertThat(compaction.outputs().get(0).key()).isEqualTo("f3");
        assertThat(compaction.deletesThroughSeq()).isEqualTo(299);
    }

    @Test
    void readsMovesOfHistory() {
        MoveSection move =
                (MoveSection) EntryReader.read(ByteBuffer.wrap(Samples.move())).getFirst();
        assertThat(move.term()).isEqualTo(5);
        MovedSegment segment = move.segment();
        assertThat(segment.key()).isEqualTo("s1");
        assertThat(segment.bytes()).isEqualTo(1000);
        assertThat(segment.sha256()).hasSize(32).containsOnly(0xab);
        assertThat(segment.firstSeq()).isEqualTo(301);
        assertThat(segment.nextSeq()).isEqualTo(400);
        assertThat(segment.firstCommittedAtNanos()).isEqualTo(800);
        assertThat(segment.lastCommittedAtNanos()).isEqualTo(850);
    }

    @Test
    void readsTheBeginningOfMoves() {
        assertThat(EntryReader.read(ByteBuffer.wrap(Samples.movesBegin())))
                .containsExactly(new Section.MovesBeginSection());
    }

    @Test
    void refusesAMoveOfNothing() {
        EntryBuilder builder = new EntryBuilder(new TestDefinitions());
        builder.add(new MoveSection(new MovedSegment("s1", 1000, new byte[32], 301, 301, 800, 850), 5));
        assertThatThrownBy(() -> EntryReader.read(builder.build()))
                .isInstanceOf(FormatException.class)
                .hasMessage("segment next seq: 301, expected more than the first, 301");
    }

    @Test
    void keepsEntryWhenABlockIsDamaged() {
        byte[] bytes = Samples.bytes(Samples.block().bytes());
        bytes[bytes.length / 2] ^= 1;
        RowBlock damaged = new RowBlock("acme", 7, 2, 3, ByteBuffer.wrap(bytes));
        EntryBuilder builder = new EntryBuilder(new TestDefinitions());
        builder.addTick();
        byte[] before = Samples.bytes(builder.build());
        assertThatThrownBy(() -> builder.add(Samples.append(Samples.block(), damaged), 0))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith("row block: checksum ");
        assertThat(Samples.bytes(builder.build())).isEqualTo(before);
        assertThat(builder.rows()).isZero();
    }

    @Test
    void readsBuffersOfEveryKind() {
        byte[] golden = Samples.entry();
        byte[] shifted = new byte[golden.length + 20];
        System.arraycopy(golden, 0, shifted, 9, golden.length);
        ByteBuffer heap = ByteBuffer.wrap(shifted, 9, golden.length);
        ByteBuffer direct = ByteBuffer.allocateDirect(golden.length).put(golden).flip();
        for (ByteBuffer buffer : List.of(heap, heap.asReadOnlyBuffer(), heap.slice(), direct)) {
            AppendSection append = (AppendSection) EntryReader.read(buffer).get(0);
            assertThat(append.blocks().get(0).timestamps())
                    .isEqualTo(((AppendSection) sections.get(0)).blocks().get(0).timestamps());
            assertThat(buffer.remaining()).isEqualTo(golden.length);
        }
    }

    @Test
    void boundsRowsOfAnEntry() {
        RowBlockBuilder rows = new RowBlockBuilder("acme", Samples.SCHEMA);
        int ref = rows.series(Samples.series("a"));
        for (int i = 0; i < BlockLimits.ROWS_MAX; i++) {
            rows.beginRow(ref, 0);
            rows.putBool(5, true);
            rows.endRow();
        }
        assertThatThrownBy(() -> rows.beginRow(ref, 0)).hasMessage("block is full: 65536 rows");
        RowBlock full = rows.build();
        RowBlock[] blocks = new RowBlock[BlockLimits.ENTRY_ROWS_MAX / BlockLimits.ROWS_MAX];
        Arrays.fill(blocks, full);
        EntryBuilder builder = new EntryBuilder(new TestDefinitions());
        builder.add(Samples.append(blocks), 0);
        assertThat(builder.hasRoomFor(Samples.append(Samples.block()))).isFalse();
        assertThat(EntryReader.read(builder.build())).hasSize(1);
        assertThatThrownBy(() -> builder.add(Samples.append(Samples.block()), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
