package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.wal.segment.SegmentRecord;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RowBlockBuilderTest {
    private final RowBlockBuilder builder = new RowBlockBuilder("acme", Samples.SCHEMA);

    @Test
    void keepsLastOfTwoValuesOfOneField() {
        row("a", () -> {
            builder.putLong(3, 1);
            putString("first, and longer");
            builder.putLong(3, 2);
            putString("second");
        });
        row("a", () -> putString("next"));
        assertThat(events())
                .extracting(ChangeEvent::fields)
                .containsExactly(Map.of("count", 2L, "state", "second"), Map.of("state", "next"));
    }

    @Test
    void takesBackARow() {
        row("a", () -> builder.putLong(3, 1));
        builder.beginRow(builder.series(Samples.series("never")), 5);
        builder.putLong(3, 99);
        builder.putDouble(2, 99);
        putString("never");
        builder.cancelRow();
        row("b", () -> builder.putDouble(2, 2.5));
        row("a", () -> putString("s"));
        assertThat(builder.rowCount()).isEqualTo(3);
        List<ChangeEvent> events = events();
        assertThat(events)
                .extracting(ChangeEvent::fields)
                .containsExactly(Map.of("count", 1L), Map.of("usage", 2.5), Map.of("state", "s"));
        assertThat(events.get(1).tags()).isEqualTo(Samples.series("b").tags());
    }

    @Test
    void leavesOutSeriesWithoutRows() {
        row("a", () -> builder.putLong(3, 1));
        builder.series(Samples.series("unused"));
        row("b", () -> builder.putLong(3, 2));
        BlockView block = view(new TestDefinitions());
        assertThat(block.seriesCount()).isEqualTo(2);
        assertThat(block.seriesRefs()).containsExactly(0, 1);
        assertThat(builder.series(Samples.series("b"))).isEqualTo(1);
    }

    @Test
    void numbersASeriesOnce() {
        assertThat(builder.series(Samples.series("a"))).isZero();
        assertThat(builder.series(Samples.series("b"))).isEqualTo(1);
        assertThat(builder.series(Samples.series("a"))).isZero();
        byte[] tags = CanonicalTags.encode(Samples.series("b").tags());
        assertThat(builder.series(tags, 0, tags.length, Samples.series("b").hash()))
                .isEqualTo(1);
        byte[] colliding = CanonicalTags.encode(Samples.series("c").tags());
        assertThat(builder.series(
                        colliding, 0, colliding.length, Samples.series("b").hash()))
                .isEqualTo(2);
    }

    @Test
    void keepsUnsignedLongsAndEmptyStrings() {
        row("a", () -> {
            builder.putLong(4, -1);
            putString("");
        });
        assertThat(events().get(0).fields())
                .isEqualTo(Map.of("total", new BigInteger("18446744073709551615"), "state", ""));
    }

    @Test
    void refusesWrongTypesAndUnknownColumns() {
        builder.beginRow(builder.series(Samples.series("a")), 0);
        assertThatThrownBy(() -> builder.putDouble(3, 1))
                .hasMessage("column 3 of table cpu (id 7, version 2) is INT64, a value of FLOAT64 was put");
        assertThatThrownBy(() -> builder.putLong(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.putLong(1, 1))
                .hasMessage("column 1 is no field of table cpu (id 7, version 2)");
        assertThatThrownBy(() -> builder.putLong(70, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesCallsOutOfOrder() {
        assertThatThrownBy(builder::build).hasMessage("a block needs a row");
        assertThatThrownBy(() -> builder.beginRow(0, 0)).hasMessage("series 0, expected 0 to -1");
        assertThatThrownBy(() -> builder.putLong(3, 1)).hasMessage("no row was begun");
        assertThatThrownBy(builder::endRow).hasMessage("no row was begun");
        builder.beginRow(builder.series(Samples.series("a")), 0);
        assertThatThrownBy(() -> builder.beginRow(0, 0)).hasMessage("row 0 was not ended");
        assertThatThrownBy(builder::build).hasMessage("row 0 was not ended");
    }

    private void row(String host, Runnable puts) {
        builder.beginRow(builder.series(Samples.series(host)), 5);
        puts.run();
        builder.endRow();
    }

    private void putString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        builder.putString(6, utf8, 0, utf8.length);
    }

    private BlockView view(Definitions definitions) {
        EntryBuilder entry = new EntryBuilder(definitions);
        entry.add(Samples.append(builder.build()), 0);
        return ((AppendSection) EntryReader.read(entry.build()).get(0)).blocks().get(0);
    }

    private List<ChangeEvent> events() {
        TestDefinitions definitions = new TestDefinitions();
        BlockView view = view(definitions);
        RecordBuilder record = new RecordBuilder();
        record.addRows(view, definitions.resolve(view), null, null);
        SegmentRecord stored = new SegmentRecord(1, record.count(), 1, record.build());
        ChangeBatch batch = RecordReader.read(1, stored, 1, definitions).get(0);
        return java.util.stream.IntStream.range(0, batch.count())
                .mapToObj(batch::event)
                .toList();
    }
}
