package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Tag;
import dev.weir.query.sql.plan.VisibleColumns.Visible;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A slice has all rows of its times; a row's text is the row. */
class RowSliceTest {
    private static final Cursor CUT = Cursor.of(0, 1);

    private static List<WholeRow> rows(long... times) {
        return LongStream.of(times)
                .mapToObj(time -> new WholeRow(time, List.of(), "", 1))
                .toList();
    }

    @Test
    void leavesOutTheTimeOfWhichSomeRowsWereNotRead() {
        RowSlice slice = RowSlice.of(rows(1, 1, 2, 2), OptionalLong.of(2), CUT);
        assertThat(slice.rows()).hasSize(2);
        assertThat(slice.toNanos()).isEqualTo(1);
        assertThat(slice.more()).isTrue();
        assertThat(RowSlice.of(rows(1, 2), OptionalLong.empty(), CUT)).isEqualTo(new RowSlice(rows(1, 2), CUT, false));
    }

    @Test
    void takesAllRowsOfATimeWhereTheFirstThatWasNotReadIsLater() {
        assertThat(RowSlice.of(rows(7, 7), OptionalLong.of(8), CUT)).isEqualTo(new RowSlice(rows(7, 7), CUT, true));
    }

    @Test
    void refusesATimeWithMoreRowsThanAreRead() {
        assertThatThrownBy(() -> RowSlice.of(rows(7, 7), OptionalLong.of(7), CUT))
                .hasMessage(
                        "expected at most 20000 rows and 33554432 bytes of one time, found more of 7 ns: name tags, too");
    }

    @Test
    void writesEachTypeAsItIsReadAgain() {
        List<Visible> columns = List.of(
                column("host", ColumnRole.TAG, FieldType.STRING),
                column("az", ColumnRole.TAG, FieldType.STRING),
                column("d", ColumnRole.FIELD, FieldType.FLOAT64),
                column("i", ColumnRole.FIELD, FieldType.INT64),
                column("u", ColumnRole.FIELD, FieldType.UINT64),
                column("b", ColumnRole.FIELD, FieldType.BOOL),
                column("s", ColumnRole.FIELD, FieldType.STRING),
                column("none", ColumnRole.FIELD, FieldType.INT64));
        @Nullable
        Object[] cells = {"a", "x", 3.0, Long.MIN_VALUE, new BigInteger("18446744073709551615"), true, "q\"\n", null};
        WholeRow row = WholeRow.of("cpu", -5, columns, cells);
        assertThat(row.text())
                .isEqualTo("{\"measurement\":\"cpu\",\"tags\":{\"az\":\"x\",\"host\":\"a\"},\"fields\":{\"d\":3.0,"
                        + "\"i\":-9223372036854775808,\"u\":18446744073709551615,\"b\":true,\"s\":\"q\\\"\\n\"},"
                        + "\"timestamp\":-5}");
        assertThat(row.tags()).containsExactly(new Tag("az", "x"), new Tag("host", "a"));
        assertThat(row.letter(3, "cpu").truncated()).isFalse();
    }

    @Test
    void saysOfARowWithoutFieldsThatItIsNotWhole() {
        WholeRow row = WholeRow.of("cpu", 1, List.of(), new Object[0]);
        assertThat(row.letter(1, "cpu").truncated()).isTrue();
        assertThat(row.letter(1, "cpu").message())
                .isEqualTo("set aside from table cpu: all of its fields are dropped columns");
    }

    private static Visible column(String name, ColumnRole role, FieldType type) {
        return new Visible(new Column(1, name, role, type, false), name);
    }
}
