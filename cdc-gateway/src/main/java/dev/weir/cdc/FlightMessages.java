package dev.weir.cdc;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.arrow.flight.impl.Flight.FlightData;

/**
 * Flight's messages as bytes. Arrow's own server makes them of vectors, for each reader anew, and never compresses; here they are made of bodies that readers share.
 *
 * <pre>
 * field (protobuf)     of a schema              of a record batch
 * 2    data_header     Message (flatbuffer)     Message, without custom metadata
 * 3    app_metadata    -                        JSON object of texts: what the IPC format has as custom metadata
 * 1000 data_body       -                        the buffers, as in the IPC format
 * </pre>
 */
final class FlightMessages {
    private FlightMessages() {}

    static byte[] schema(IpcSchema schema) {
        return message(IpcMessages.withoutPrefix(schema.opening()), new byte[0], new byte[0]);
    }

    static byte[] batch(IpcBody body, Map<String, String> metadata) {
        byte[] head = IpcMessages.withoutPrefix(IpcMessages.batchHead(body, Map.of()));
        return message(head, json(metadata), body.bytes());
    }

    /** Fields without bytes are left out. */
    private static byte[] message(byte[] head, byte[] metadata, byte[] body) {
        byte[] bytes = new byte
                [size(FlightData.DATA_HEADER_FIELD_NUMBER, head)
                        + size(FlightData.APP_METADATA_FIELD_NUMBER, metadata)
                        + size(FlightData.DATA_BODY_FIELD_NUMBER, body)];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            write(out, FlightData.DATA_HEADER_FIELD_NUMBER, head);
            write(out, FlightData.APP_METADATA_FIELD_NUMBER, metadata);
            write(out, FlightData.DATA_BODY_FIELD_NUMBER, body);
        } catch (IOException e) {
            throw new UncheckedIOException("a message could not be written to memory", e);
        }
        out.checkNoSpaceLeft();
        return bytes;
    }

    private static int size(int field, byte[] value) {
        return value.length == 0 ? 0 : CodedOutputStream.computeByteArraySize(field, value);
    }

    private static void write(CodedOutputStream out, int field, byte[] value) throws IOException {
        if (value.length > 0) {
            out.writeByteArray(field, value);
        }
    }

    private static byte[] json(Map<String, String> metadata) {
        JsonBytes json = new JsonBytes(256);
        char before = '{';
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            json.put(before);
            json.string(entry.getKey());
            json.put(':');
            json.string(entry.getValue());
            before = ',';
        }
        if (metadata.isEmpty()) {
            json.put('{');
        }
        json.put('}');
        return json.copy();
    }
}
