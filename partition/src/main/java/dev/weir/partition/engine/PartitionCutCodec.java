package dev.weir.partition.engine;

import dev.weir.partition.entry.FormatException;
import dev.weir.partition.entry.SchemaCodec;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.TableSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A cut as an object in the store, version 1; big-endian.
 *
 * <pre>
 * "WCUT" u8 version=1 u8[3]=0
 * i32 partition, i64 cut seq, i32 tables, each
 *   i32 length and schema ({@link SchemaCodec}), i64 through seq, i32 files, i32 deletes, each as in {@link FileSetCodec}
 * u32 CRC-32C of all bytes before
 * </pre>
 */
final class PartitionCutCodec {
    private static final byte[] HEADER = {'W', 'C', 'U', 'T', 1, 0, 0, 0};
    private static final int CHECKSUM_BYTES = 4;

    private PartitionCutCodec() {}

    static byte[] encode(PartitionCut cut) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(HEADER);
            out.writeInt(cut.partition());
            out.writeLong(cut.cutSeq());
            out.writeInt(cut.tables().size());
            for (PartitionCut.Table table : cut.tables()) {
                write(out, table);
            }
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can always be written", e);
        }
        return bytes.toByteArray();
    }

    /**
     * @param name of the object, for the message
     * @throws IOException damaged, or of a version that this build does not know
     */
    static PartitionCut decode(String name, byte[] bytes) throws IOException {
        int end = bytes.length - CHECKSUM_BYTES;
        if (end < HEADER.length || !Arrays.equals(bytes, 0, HEADER.length, HEADER, 0, HEADER.length)) {
            throw new IOException(name + ": expected a cut of version 1, found " + bytes.length
                    + " bytes that do not begin like one");
        }
        int found = ByteBuffer.wrap(bytes).getInt(end);
        int expected = checksum(bytes, end);
        if (found != expected) {
            throw new IOException(
                    name + ": checksum " + Integer.toHexString(found) + ", expected " + Integer.toHexString(expected));
        }
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(bytes, HEADER.length, end - HEADER.length))) {
            int partition = in.readInt();
            long cutSeq = in.readLong();
            List<PartitionCut.Table> tables = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                tables.add(readTable(in));
            }
            return new PartitionCut(partition, cutSeq, tables);
        } catch (FormatException | IllegalArgumentException | NegativeArraySizeException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    private static void write(DataOutputStream out, PartitionCut.Table table) throws IOException {
        byte[] schema = SchemaCodec.encode(table.schema());
        out.writeInt(schema.length);
        out.write(schema);
        out.writeLong(table.throughSeq());
        out.writeInt(table.files().size());
        for (StoredFile file : table.files()) {
            FileSetCodec.write(out, file);
        }
        out.writeInt(table.deletes().size());
        for (DeleteRule rule : table.deletes()) {
            FileSetCodec.write(out, rule);
        }
    }

    private static PartitionCut.Table readTable(DataInputStream in) throws IOException {
        byte[] encoded = in.readNBytes(in.readInt());
        TableSchema schema = SchemaCodec.decode(encoded);
        long throughSeq = in.readLong();
        List<StoredFile> files = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            files.add(FileSetCodec.readFile(in));
        }
        List<DeleteRule> deletes = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            deletes.add(FileSetCodec.readRule(in));
        }
        return new PartitionCut.Table(schema, throughSeq, files, deletes);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
