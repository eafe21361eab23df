package dev.weir.partition.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Reads objects by ranges. */
final class S3Reads {
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final byte[] NOTHING = {};

    private final S3Requests requests;
    private final String bucket;
    private final int partBytes;

    S3Reads(S3Requests requests, String bucket, int partBytes) {
        this.requests = requests;
        this.bucket = bucket;
        this.partBytes = partBytes;
    }

    interface Sink {
        void accept(ByteBuffer part) throws IOException;
    }

    /** Bytes from {@code offset} on, at most {@code bytes} and at most a part; none at the object's end. */
    byte[] range(String what, String object, long offset, int bytes) throws StoreException, InterruptedException {
        long last = offset + Math.min(bytes, partBytes) - 1;
        return requests.run(what, s3 -> get(s3, object, "bytes=" + offset + "-" + last));
    }

    /** The whole object, in order. */
    void all(String what, String object, Sink sink) throws IOException, InterruptedException {
        long at = 0;
        byte[] part;
        do {
            part = range(what, object, at, partBytes);
            sink.accept(ByteBuffer.wrap(part));
            at += part.length;
        } while (part.length == partBytes);
    }

    private byte[] get(S3Client s3, String object, String range) {
        try {
            return s3.getObject(
                            get -> get.bucket(bucket).key(object).range(range),
                            ResponseTransformer.<GetObjectResponse>toBytes())
                    .asByteArrayUnsafe();
        } catch (S3Exception e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return NOTHING;
            }
            throw e;
        }
    }
}
