package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a stream of record batches looks like to its carrier. Bodies are the same in all; heads are made for each reader, since they hold its cursor. */
enum ArrowWire {
    /** Messages of the IPC stream format, one after the other, with the metadata of a batch in its head. */
    IPC {
        @Override
        void opening(Buffer bytes, IpcSchema schema) {
            bytes.appendBytes(schema.opening());
        }

        @Override
        void batch(Buffer bytes, List<byte[]> dictionaries, IpcBody body, Map<String, String> metadata) {
            dictionaries.forEach(bytes::appendBytes);
            bytes.appendBytes(IpcMessages.batchHead(body, metadata)).appendBytes(body.bytes());
        }

        @Override
        Optional<Buffer> end() {
            return Optional.of(Buffer.buffer(IpcMessages.end()));
        }

        @Override
        boolean tellsStart() {
            return false;
        }
    },

    /** Each a message of Flight, with the metadata beside the head. Under one schema from its beginning to its end, and without dictionaries. */
    FLIGHT {
        @Override
        void opening(Buffer bytes, IpcSchema schema) {
            bytes.appendBytes(FlightMessages.schema(schema));
        }

        @Override
        void batch(Buffer bytes, List<byte[]> dictionaries, IpcBody body, Map<String, String> metadata) {
            if (!dictionaries.isEmpty()) {
                throw new IllegalStateException(
                        "Flight: expected batches without dictionaries, found " + dictionaries.size());
            }
            bytes.appendBytes(FlightMessages.batch(body, metadata));
        }

        @Override
        Optional<Buffer> end() {
            return Optional.empty();
        }

        @Override
        boolean tellsStart() {
            return true;
        }
    };

    /** Appends what goes before the first batch under a schema. */
    abstract void opening(Buffer bytes, IpcSchema schema);

    /** Appends a batch, and what it needs before it. */
    abstract void batch(Buffer bytes, List<byte[]> dictionaries, IpcBody body, Map<String, String> metadata);

    /** The mark behind the last batch under a schema; empty where the carrier itself says how a stream ends. */
    abstract Optional<Buffer> end();

    /** Whether the stream itself says where it begins, for want of a header that does. */
    abstract boolean tellsStart();

    final Buffer opening(IpcSchema schema) {
        Buffer bytes = Buffer.buffer();
        opening(bytes, schema);
        return bytes;
    }

    /** A batch without rows. */
    final Buffer empty(IpcSchema schema, Map<String, String> metadata) {
        Buffer bytes = Buffer.buffer();
        batch(bytes, List.of(), schema.empty(), metadata);
        return bytes;
    }
}
