package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Tag;
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
    private static final String GOLDEN_1 =
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

    private static final String GOLDEN =
            "574d414e0200000003000000010000000000000002000000000000004d0006646174612d32000000000000007b0000cafe00"
                    + "00000000000001000000000000000600000001001830303030303030303030303030303030303030312e7365670000000000"
                    + "0000010000000000000006000000000000032000000000000003840000000000001000000012340000000000000000040100"
                    + "096e65776573742d3737000000000000001f00000def00000001000000000000000100000000000000030000000000000011"
                    + "0006332e6b657973000000000000006300000abc0000000100000005fffffffffffffff70000000000000009000000000000"
                    + "00040000000000000001000000000000000600000000000003e8000000000000038401000000000000000400000001000000"
                    + "0200000000000002000000040000000800000000010000000b00000000000000030000000100066e6f64652d310000000000"
                    + "0000038000000000000000000000010000000000000009000000000000038400000000000000050000000100000001000000"
                    + "030000000200054c494d4954000c4c494d49545f53455249455300056c696d6974000000010000000200000001000d544142"
                    + "4c455f44524f50504544000d5441424c455f44524f50504544000764726f70706564000000040000000100017400036b6579"
                    + "0000000301020300000000000003b60000000100000002000000000000000600000001000000000000000000000001000000"
                    + "070000000000000004000000010026742f6370752d372f646174653d313937302d30312d30312f70332d312d342e70617271"
                    + "75657400000000000010e100000000000000045c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c"
                    + "5cfffffffffffffff90000000000000008000000000000000100000000000000040000000000000320000000000000035200"
                    + "000001000000000000100001000000000000000400000002000000020000000000000003010000000080000000000000007f"
                    + "ffffffffffffff0000000000000005000000000d00000004686f73740000000161fffffffffffffffb00000000000000092c"
                    + "467288";

    /** With moved history. */
    private static final String GOLDEN_3 =
            "574d414e0300000003000000010000000000000002000000000000004d0006646174612d32000000000000007b0000cafe00"
                    + "00000000000001000000000000000600000001001830303030303030303030303030303030303030312e7365670000000000"
                    + "0000010000000000000006000000000000032000000000000003840000000000001000000012340000000000000000040100"
                    + "096e65776573742d3737000000000000001f00000def00000001000000000000000100000000000000030000000000000011"
                    + "0006332e6b657973000000000000006300000abc0000000100000005fffffffffffffff70000000000000009000000000000"
                    + "00040000000000000001000000000000000600000000000003e8000000000000038401000000000000000400000001000000"
                    + "0200000000000002000000040000000800000000010000000b00000000000000030000000100066e6f64652d310000000000"
                    + "0000038000000000000000000000010000000000000009000000000000038400000000000000050000000100000001000000"
                    + "030000000200054c494d4954000c4c494d49545f53455249455300056c696d6974000000010000000200000001000d544142"
                    + "4c455f44524f50504544000d5441424c455f44524f50504544000764726f70706564000000040000000100017400036b6579"
                    + "0000000301020300000000000003b60000000100000002000000000000000600000001000000000000000000000001000000"
                    + "070000000000000004000000010026742f6370752d372f646174653d313937302d30312d30312f70332d312d342e70617271"
                    + "75657400000000000010e100000000000000045c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c"
                    + "5cfffffffffffffff90000000000000008000000000000000100000000000000040000000000000320000000000000035200"
                    + "000001000000000000100001000000000000000400000002000000020000000000000003010000000080000000000000007f"
                    + "ffffffffffffff0000000000000005000000000d00000004686f73740000000161fffffffffffffffb000000000000000900"
                    + "000000000000040000000100242e776569722d636c75737465722f7365676d656e74732f70332f70332d312d342e73656700"
                    + "000000000003095c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c0000000000000001000000"
                    + "000000000400000000000002bc000000000000031686583c30";

    @Test
    void writesTheseBytes() {
        assertThat(HexFormat.of().formatHex(ManifestCodec.encode(manifest()))).isEqualTo(GOLDEN);
        assertThat(HexFormat.of().formatHex(ManifestCodec.encode(moved()))).isEqualTo(GOLDEN_3);
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
        assertThat(read.keys()).isEqualTo(keys());
        assertThat(read.facts().files(7).flushedThrough()).isEqualTo(4);
        assertThat(read.facts().files(7).files().getFirst().sha256()).isEqualTo(file().sha256());
        assertThat(read.facts().files(7).deletes())
                .isEqualTo(manifest().facts().files(7).deletes());
        assertThat(ManifestCodec.encode(read)).isEqualTo(bytes);
    }

    @Test
    void readsMovedHistory() throws IOException {
        byte[] bytes = ManifestCodec.encode(moved());
        MovedHistory read = ManifestCodec.decode(bytes).facts().moved();
        assertThat(read.through()).isEqualTo(4);
        assertThat(read.segments()).usingRecursiveComparison().isEqualTo(List.of(segment()));
        assertThat(ManifestCodec.encode(ManifestCodec.decode(bytes))).isEqualTo(bytes);
    }

    @Test
    void readsVersionTwo() throws IOException {
        ReplicaManifest read = ManifestCodec.decode(HexFormat.of().parseHex(GOLDEN));
        assertThat(read.facts().moved()).isEqualTo(MovedHistory.NONE);
    }

    @Test
    void readsVersionOne() throws IOException {
        ReplicaManifest read = ManifestCodec.decode(HexFormat.of().parseHex(GOLDEN_1));
        assertThat(read.segments()).isEqualTo(manifest().segments());
        assertThat(read.keys()).isEqualTo(KeyManifest.NONE);
        assertThat(read.facts().tablesWithFiles()).isEmpty();
        assertThat(read.facts().batches().find(new BatchId("node-1", 3, 9))).isEqualTo(new Applied(5, 1, 1, voided()));
    }

    @Test
    void refusesEveryDamagedByte() {
        byte[] bytes = ManifestCodec.encode(moved());
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> ManifestCodec.decode(damaged)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void refusesEveryCut() {
        byte[] bytes = ManifestCodec.encode(moved());
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
        facts.files(7, new FileSet(4, List.of(file()), List.of(DeleteRule.ofSeries(3, List.of()))));
        facts.deleted(7, new DeleteRule(5, false, List.of(new Tag("host", "a")), -5, 9));
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
                keys(),
                facts);
    }

    private static ReplicaManifest moved() {
        ReplicaManifest manifest = manifest();
        manifest.facts().moved(MovedHistory.NONE.with(segment()));
        return manifest;
    }

    private static MovedSegment segment() {
        return new MovedSegment(".weir-cluster/segments/p3/p3-1-4.seg", 777, file().sha256(), 1, 4, 700, 790);
    }

    private static KeyManifest keys() {
        return new KeyManifest(
                List.of(new KeyManifest.Run(1, 3, 17, new KeyManifest.KeyFile("3.keys", 99, 0xabc))),
                new KeyManifest.KeyFile("newest-77", 31, 0xdef),
                List.of(new KeySpans.Span(5, -9, 9, 4)),
                4);
    }

    private static StoredFile file() {
        byte[] digest = new byte[32];
        Arrays.fill(digest, (byte) 0x5c);
        return new StoredFile(
                "t/cpu-7/date=1970-01-01/p3-1-4.parquet",
                4321,
                4,
                digest,
                -7,
                8,
                1,
                4,
                800,
                850,
                List.of(new SlotRange(0, 4096)),
                true,
                4,
                2);
    }

    private static List<VoidedRow> voided() {
        return List.of(
                new VoidedRow(1, VoidCause.LIMIT, ErrorCode.LIMIT_SERIES, "limit"),
                new VoidedRow(2, VoidCause.LIMIT, ErrorCode.LIMIT_SERIES, "limit"),
                new VoidedRow(4, VoidCause.TABLE_DROPPED, ErrorCode.TABLE_DROPPED, "dropped"));
    }
}
