package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.FlushSection;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The formats, byte by byte. If one of these fails, the format has changed: then it needs a new version, and the old one is still read. */
final class GoldenBytesTest {
    private static final String BLOCK =
            "010461636d65070245070461636d65036370750200060104686f7374000500020575736167650101000305636f756e740102"
                    + "010405746f74616c01030005026f6b010400060573746174650105000302a8dd8426863211b40d00000004686f7374000000"
                    + "0161c1e28426863511b40d00000004686f73740000000162000122008080d0e2c6bfce972f00000000000000000040be4025"
                    + "0502018e00000102010e0000e244b10900000003028d00000114000d00007024f40a0000040387000001030001f001050484"
                    + "00010301010605930001050002010200040800067570646f776e0102dd03e7e4";
    private static final String ENTRY =
            "0101ff000000026e3103ac02010461636d65036b657902d16e010802e807010461636d65070201070461636d650363707502"
                    + "00060104686f7374000500020575736167650101000305636f756e740102010405746f74616c01030005026f6b0104000605"
                    + "737461746501050003020000a8dd8426863211b40d00000004686f73740000000161c1e28426863511b40d00000004686f73"
                    + "74000000016268000122008080d0e2c6bfce972f00000000000000000040be40250502018e00000102010e0000e244b10900"
                    + "000003028d00000114000d00007024f40a0000040387000001030001f0010504840001030101060593000105000201020004"
                    + "0800067570646f776e01020224000000026e3103ac02020461636d650703637075010d00000004686f737400000001610363"
                    + "2d310216000000026e3103ac02020461636d6507036370750003632d320326000000026e3103ac02020461636d6507036370"
                    + "750d00000004686f73740000000162090a0203632d33040200000090030500000000060300000001e807070a000000020080"
                    + "04d80480200802080f000000020301f4030401a006010080200901093f0000000700ac0201026631a846fa01abababababab"
                    + "abababababababababababababababababababababababababab01c60101ac02d00fa01f0100802001b60203050a45000000"
                    + "070202663102663201026633a846fa01abababababababababababababababababababababababababababababababab01c6"
                    + "0101ac02d00fa01f0100802001b60203ab0205";
    /** Flush and compaction of before they had a term. */
    private static final String WITHOUT_TERMS =
            "01093e0000000700ac0201026631a846fa01abababababababababababababababababababababababababababababababab"
                    + "01c60101ac02d00fa01f0100802001b602030a44000000070202663102663201026633a846fa01ababababababababababab"
                    + "ababababababababababababababababababababab01c60101ac02d00fa01f0100802001b60203ab02";

    private static final String QUARANTINE =
            "010328000000026e3103ac02020461636d6507036370750d00000004686f73740000000162090a0303632d34ac02";
    private static final String MOVE =
            "010b2e000000027331e807ababababababababababababababababababababababababababababababababad029003c00ca40d05";
    private static final String RECORD =
            "01017500000007020301050204020101000002000122008080d0e2c6bfce972f00000000000000000040be40250502018e00"
                    + "000102010e0000e244b10900000003028d00000114000d00007024f40a0000040387000001030001f0010504840001030101"
                    + "0605930001050002010200040800067570646f776e01020237000000020461636d6507036370750201a8dd8426863211b40d"
                    + "00000004686f73740000000161137b226368616e67655f6964223a22632d31227d0210000000030461636d6509036d656d00"
                    + "00027b7d";
    private static final String REPLY =
            "010401ad02050200010000000201096e6f5f6c65616465720c736c6f742039206d6f766564020d7461626c655f64726f7070"
                    + "65640764726f707065640300000001070002146964656d706f74656e63795f6d69736d617463680c616e6f7468657220626f"
                    + "64790003096e6f20616e73776572";

    @Test
    void writesBlock() {
        assertThat(hex(Samples.bytes(Samples.block().bytes()))).isEqualTo(BLOCK);
    }

    @Test
    void writesEntry() {
        assertThat(hex(Samples.entry())).isEqualTo(ENTRY);
    }

    @Test
    void readsFilesOfBeforeThereWereTerms() {
        assertThat(EntryReader.read(ByteBuffer.wrap(HexFormat.of().parseHex(WITHOUT_TERMS))))
                .extracting(section -> switch (section) {
                    case FlushSection flush -> flush.term();
                    case CompactionSection compaction -> compaction.term();
                    default -> throw new AssertionError(section.toString());
                })
                .containsExactly(Section.ANY_TERM, Section.ANY_TERM);
    }

    @Test
    void writesQuarantine() {
        assertThat(hex(Samples.quarantine())).isEqualTo(QUARANTINE);
    }

    @Test
    void writesMove() {
        assertThat(hex(Samples.move())).isEqualTo(MOVE);
    }

    @Test
    void writesTheBeginningOfMoves() {
        assertThat(hex(Samples.movesBegin())).isEqualTo("010c00000000");
    }

    @Test
    void writesRecord() {
        assertThat(hex(Samples.record(new TestDefinitions()))).isEqualTo(RECORD);
    }

    @Test
    void writesReply() {
        assertThat(hex(Samples.reply())).isEqualTo(REPLY);
    }

    @Test
    void refusesUnknownVersions() {
        assertThatThrownBy(() -> RowBlock.parse(version2(BLOCK))).hasMessage("row block version 2, expected 1");
        assertThatThrownBy(() -> EntryReader.read(version2(ENTRY))).hasMessage("entry version 2, expected 1");
        assertThatThrownBy(() -> ApplyReply.decode(version2(REPLY).array())).hasMessage("reply version 2, expected 1");
    }

    @Test
    void refusesUnknownSections() {
        byte[] entry = {1, 99, 0, 0, 0, 0};
        assertThatThrownBy(() -> EntryReader.read(ByteBuffer.wrap(entry)))
                .isInstanceOf(FormatException.class)
                .hasMessage("section kind 99, expected 1 to 12; the entry was written by a newer version");
    }

    private static ByteBuffer version2(String golden) {
        byte[] bytes = HexFormat.of().parseHex(golden);
        bytes[0] = 2;
        return ByteBuffer.wrap(bytes);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
