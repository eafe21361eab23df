package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentManifest;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestCodecTest {
    private static final String GOLDEN =
            "574d414e0100000003000000010000000000000002000000000000004d0006646174612d32000000000000007b0000ca"
                    + "fe0000000000000001000000000000000600000001001830303030303030303030303030303030303030312e73656700"
                    + "000000000000010000000000000006000000000000032000000000000003840000000000001000000012340000000000"
                    + "00000001000000000000000600000000000003e800000000000003840100000000000000040000000100000002000000"
                    + "00000002000000040000000800000000010000000b00000000000000030000000100066e6f64652d3100000000000000"
                    + "038000000000000000000000010000000000000009000000000000038400000000000000050000000100000001000000"
                    + "030000000200054c494d4954000c4c494d49545f53455249455300056c696d6974000000010000000200000001000d54"
                    + "41424c455f44524f50504544000d5441424c455f44524f50504544000764726f70706564000000040000000100017400"
                    + "036b65790000000301020300000000000003b60000000100000002000000000000000600000001000000000000000065"
                    + "feed4e";

    @Test
    void writesTheseBytes() {
        assertThat(HexFormat.of().formatHex(ManifestCodec.encode(manifest()))).isEqualTo(GOLDEN);
    }

    @Test
    void readsWhatItWrote() throws IOException {
        byte[] bytes = ManifestCodec.encode(manifest());
        ReplicaManifest read = ManifestCodec.decode(bytes);
        assertThat(read.position()).isEqualTo(new LogPosition(2, 77));
        assertThat(read.segments()).isEqualTo(manifest().segments());
        assertThat(read.definitions()).isEqualTo(new DefinitionsFile.Extent(123, 0xcafe));
        assertThat(read.facts().nextSeq()).isEqualTo(6);
        assertThat(read.facts().fence()).isEqualTo(manifest().facts().fence());
        assertThat(read.facts().batches().find(new BatchId("node-1", 3, 9))).isEqualTo(new Applied(5, 1, 1, voided()));
        assertThat(ManifestCodec.encode(read)).isEqualTo(bytes);
    }

    @Test
    void refusesEveryDamagedByte() {
        byte[] bytes = ManifestCodec.encode(manifest());
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> ManifestCodec.decode(damaged)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void refusesEveryCut() {
        byte[] bytes = ManifestCodec.encode(manifest());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ManifestCodec.decode(cut)).isInstanceOf(IOException.class);
        }
    }

    private static ReplicaManifest manifest() {
        LogFacts facts = new LogFacts();
        facts.restore(1, 6, 1_000, 900);
        facts.fence(new PartitionFence(List.of(new SlotRange(0, 512), new SlotRange(1024, 2048)), 4, 1));
        facts.dropped(11, 3);
        facts.batches().remember(new BatchId("node-1", 3, 9), new Applied(5, 1, 1, voided()), 900);
        facts.units()
                .remember(
                        new IdempotencyUnit("t", "key", new byte[] {1, 2, 3}, 2), new Applied(6, 1, 0, List.of()), 950);
        return new ReplicaManifest(
                3,
                1,
                new LogPosition(2, 77),
                "data-2",
                new DefinitionsFile.Extent(123, 0xcafe),
                new SegmentManifest(
                        1,
                        6,
                        List.of(new SegmentFile("00000000000000000001.seg", 1, 6, 800, 900, 4096, 0x1234, false))),
                facts);
    }

    private static List<VoidedRow> voided() {
        return List.of(
                new VoidedRow(1, VoidCause.LIMIT, ErrorCode.LIMIT_SERIES, "limit"),
                new VoidedRow(2, VoidCause.LIMIT, ErrorCode.LIMIT_SERIES, "limit"),
                new VoidedRow(4, VoidCause.TABLE_DROPPED, ErrorCode.TABLE_DROPPED, "dropped"));
    }
}
