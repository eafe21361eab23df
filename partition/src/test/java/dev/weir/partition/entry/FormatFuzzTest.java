package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.fail;

import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.wal.segment.SegmentRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Damaged bytes are refused with {@link FormatException}, or read as something; they never hang, exhaust memory or throw anything else. */
final class FormatFuzzTest {
    private static final long SEED = Long.getLong("weir.seed", System.nanoTime());
    private static final int MUTATIONS = 4_000;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @BeforeAll
    static void printSeed() {
        System.out.println("FormatFuzzTest -Dweir.seed=" + SEED);
    }

    @Test
    void refusesDamagedBlocks() {
        for (RowBlock block : List.of(Samples.block(), Samples.compressedBlock())) {
            byte[] golden = Samples.bytes(block.bytes());
            mutate(golden, bytes -> RowBlock.parse(ByteBuffer.wrap(bytes)));
            mutate(golden, bytes -> readBlock(withChecksum(bytes)));
        }
    }

    @Test
    void refusesDamagedEntries() {
        mutate(Samples.entry(), bytes -> EntryReader.read(ByteBuffer.wrap(bytes)));
        mutate(Samples.quarantine(), bytes -> EntryReader.read(ByteBuffer.wrap(bytes)));
        mutate(Samples.movesBegin(), bytes -> EntryReader.read(ByteBuffer.wrap(bytes)));
        mutate(Samples.move(), bytes -> EntryReader.read(ByteBuffer.wrap(bytes)));
    }

    @Test
    void refusesDamagedRecords() {
        TestDefinitions definitions = new TestDefinitions();
        byte[] record = Samples.record(definitions);
        mutate(record, bytes -> readRecord(bytes, 4, definitions));
        byte[] compressed = compressedRecord(definitions);
        mutate(compressed, bytes -> readRecord(bytes, 70, definitions));
    }

    @Test
    void refusesDamagedReplies() {
        mutate(Samples.reply(), ApplyReply::decode);
    }

    @Test
    void refusesDamagedSchemas() {
        mutate(SchemaCodec.encode(Samples.SCHEMA), SchemaCodec::decode);
    }

    private void mutate(byte[] golden, Consumer<byte[]> reader) {
        reader.accept(golden);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = mutated(golden);
            try {
                reader.accept(bytes);
            } catch (FormatException refused) {
                if (refused.getMessage() == null || refused.getMessage().length() < 10) {
                    fail("a refusal without words: " + refused);
                }
            } catch (RuntimeException | Error e) {
                fail("seed " + SEED + ", bytes " + HexFormat.of().formatHex(bytes), e);
            }
        }
    }

    private byte[] mutated(byte[] golden) {
        byte[] bytes = golden.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] = (byte) 0xff;
                case 3 -> bytes = Arrays.copyOf(bytes, at);
                case 4 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 10), (byte) 0xff);
                default -> System.arraycopy(golden, random.nextInt(Math.min(at + 1, golden.length)), bytes, at, 1);
            }
        }
        return bytes;
    }

    /** So that the damage gets past the checksum. */
    private static byte[] withChecksum(byte[] bytes) {
        if (bytes.length < 5) {
            return bytes;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        byte[] fixed = bytes.clone();
        for (int i = 0; i < 4; i++) {
            fixed[bytes.length - 4 + i] = (byte) (crc.getValue() >>> (8 * i));
        }
        return fixed;
    }

    /** Through entry and record to its last value, as far as the damage lets it. */
    private static void readBlock(byte[] bytes) {
        TestDefinitions definitions = new TestDefinitions();
        RowBlock block = RowBlock.parse(ByteBuffer.wrap(bytes));
        EntryBuilder entry = new EntryBuilder(definitions);
        entry.add(Samples.append(block), 0);
        RecordBuilder record = new RecordBuilder();
        AppendSection append = (AppendSection) EntryReader.read(entry.build()).get(0);
        for (BlockView view : append.blocks()) {
            record.addRows(view, definitions.resolve(view), null, null);
        }
        readRecord(Samples.bytes(record.build()), record.count(), definitions);
    }

    private static byte[] compressedRecord(TestDefinitions definitions) {
        EntryBuilder entry = new EntryBuilder(definitions);
        entry.add(Samples.append(Samples.compressedBlock()), 0);
        RecordBuilder record = new RecordBuilder();
        AppendSection append = (AppendSection) EntryReader.read(entry.build()).get(0);
        BlockView view = append.blocks().get(0);
        record.addRows(view, definitions.resolve(view), null, null);
        return Samples.bytes(record.build());
    }

    private static void readRecord(byte[] bytes, int count, TestDefinitions definitions) {
        SegmentRecord record = new SegmentRecord(1, count, 1, ByteBuffer.wrap(bytes));
        for (ChangeBatch batch : RecordReader.read(1, record, 0, definitions)) {
            for (int row = 0; row < batch.count(); row++) {
                batch.operation(row);
                batch.timestampNanos(row);
                batch.series(row);
                for (FieldColumn field : batch.fields()) {
                    if (field.present(row)) {
                        read(field, row);
                    }
                }
            }
        }
    }

    private static void read(FieldColumn field, int row) {
        switch (field.type()) {
            case FLOAT64 -> field.doubleAt(row);
            case INT64, UINT64 -> field.longAt(row);
            case BOOL -> field.boolAt(row);
            case STRING -> field.stringAt(row);
        }
    }
}
