package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Golden bytes, and what becomes of others. */
final class PartitionCutCodecTest {
    private static final byte[] SHA = new byte[32];
    private static final StoredFile FILE =
            new StoredFile("t/m-7/f", 100, 10, SHA, 1, 2, 3, 4, 5, 6, List.of(new SlotRange(0, 4096)), true, 8, 1);
    private static final PartitionCut CUT = new PartitionCut(
            3,
            30,
            List.of(new PartitionCut.Table(
                    new TableSchema(
                            7,
                            "t",
                            "m",
                            1,
                            false,
                            List.of(new Column(1, "v", ColumnRole.FIELD, FieldType.INT64, false))),
                    20,
                    List.of(FILE),
                    List.of(new DeleteRule(25, false, List.of(new Tag("k", "v")), 0, 9)))));
    private static final String GOLDEN =
            "574355540100000000000003000000000000001e000000010000000e070174016d0100010101760102000000"
                    + "000000000014000000010007742f6d2d372f660000000000000064000000000000000a000000000000000000"
                    + "0000000000000000000000000000000000000000000000000000000000000100000000000000020000000000"
                    + "0000030000000000000004000000000000000500000000000000060000000100000000000010000100000000"
                    + "0000000800000001000000010000000000000019000000000a000000016b0000000176000000000000000000"
                    + "00000000000009cd151284";

    @Test
    void hasItsBytes() throws IOException {
        assertThat(HexFormat.of().formatHex(PartitionCutCodec.encode(CUT))).isEqualTo(GOLDEN);
        PartitionCut read = PartitionCutCodec.decode("cut", HexFormat.of().parseHex(GOLDEN));
        assertThat(PartitionCutCodec.encode(read)).isEqualTo(PartitionCutCodec.encode(CUT));
        assertThat(read.fromSeq()).isEqualTo(20);
        assertThat(new PartitionCut(3, 30, List.of()).fromSeq()).isEqualTo(30);
    }

    @Test
    void damageIsRefusedByName() {
        byte[] bytes = PartitionCutCodec.encode(CUT);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x11;
            assertThatThrownBy(() -> PartitionCutCodec.decode("cut 17", damaged))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cut 17");
            byte[] cut = Arrays.copyOf(bytes, at);
            assertThatThrownBy(() -> PartitionCutCodec.decode("cut 17", cut)).isInstanceOf(IOException.class);
        }
    }
}
