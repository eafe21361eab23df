package dev.weir.cdc;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.Map;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The messages of an Arrow IPC stream as bytes. Arrow's own writer knows no metadata of a single batch, so heads of batches are made here.
 *
 * <pre>
 * ff ff ff ff | length of the head | Message (flatbuffer), padded to 8 bytes | body
 * ff ff ff ff | 0                                                              end of the stream
 * </pre>
 */
final class IpcMessages {
    private static final int CONTINUATION = -1;
    private static final int PREFIX = 8;
    private static final int ALIGNMENT = 8;

    private IpcMessages() {}

    static byte[] schema(Schema schema) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
        try (WriteChannel out = new WriteChannel(Channels.newChannel(bytes))) {
            MessageSerializer.serialize(out, schema);
        } catch (IOException e) {
            throw new UncheckedIOException("a schema could not be written to memory", e);
        }
        return bytes.toByteArray();
    }

    /** A stream that ends without this mark was cut. */
    static byte[] end() {
        return new byte[] {-1, -1, -1, -1, 0, 0, 0, 0};
    }

    /** A message's head alone, for carriers that say its length themselves. */
    static byte[] withoutPrefix(byte[] message) {
        return Arrays.copyOfRange(message, PREFIX, message.length);
    }

    /** What goes before the body of a record batch. */
    static byte[] batchHead(IpcBody body, Map<String, String> metadata) {
        FlatBufferBuilder builder = new FlatBufferBuilder(1024);
        int header = recordBatch(builder, body);
        int[] entries = metadata.entrySet().stream()
                .mapToInt(entry -> KeyValue.createKeyValue(
                        builder, builder.createString(entry.getKey()), builder.createString(entry.getValue())))
                .toArray();
        int custom = Message.createCustomMetadataVector(builder, entries);
        return message(
                builder,
                Message.createMessage(
                        builder, MetadataVersion.V5, MessageHeader.RecordBatch, header, body.bytes().length, custom));
    }

    /** What goes before the body of a dictionary's values, which take the place of those that it had. */
    static byte[] dictionaryHead(long id, IpcBody values) {
        FlatBufferBuilder builder = new FlatBufferBuilder(512);
        int data = recordBatch(builder, values);
        int header = DictionaryBatch.createDictionaryBatch(builder, id, data, false);
        return message(
                builder,
                Message.createMessage(
                        builder, MetadataVersion.V5, MessageHeader.DictionaryBatch, header, values.bytes().length, 0));
    }

    private static int recordBatch(FlatBufferBuilder builder, IpcBody body) {
        // Vectors of structs are written from their ends.
        RecordBatch.startNodesVector(builder, body.nullCounts().length);
        for (int i = body.nullCounts().length - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, body.rows(), body.nullCounts()[i]);
        }
        int nodes = builder.endVector();
        RecordBatch.startBuffersVector(builder, body.regions().length / 2);
        for (int i = body.regions().length - 2; i >= 0; i -= 2) {
            Buffer.createBuffer(builder, body.regions()[i], body.regions()[i + 1]);
        }
        int buffers = builder.endVector();
        int compression = body.isZstd()
                ? BodyCompression.createBodyCompression(builder, CompressionType.ZSTD, BodyCompressionMethod.BUFFER)
                : 0;
        RecordBatch.startRecordBatch(builder);
        RecordBatch.addLength(builder, body.rows());
        RecordBatch.addNodes(builder, nodes);
        RecordBatch.addBuffers(builder, buffers);
        if (body.isZstd()) {
            RecordBatch.addCompression(builder, compression);
        }
        return RecordBatch.endRecordBatch(builder);
    }

    private static byte[] message(FlatBufferBuilder builder, int root) {
        builder.finish(root);
        ByteBuffer message = builder.dataBuffer();
        int length = (message.remaining() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer bytes = ByteBuffer.allocate(PREFIX + length).order(ByteOrder.LITTLE_ENDIAN);
        return bytes.putInt(CONTINUATION).putInt(length).put(message).array();
    }
}
