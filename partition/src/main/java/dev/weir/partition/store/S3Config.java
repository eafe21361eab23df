package dev.weir.partition.store;

import java.net.URI;
import java.util.Optional;

/**
 * How to speak to an S3 server.
 *
 * @param endpoint {@code store.s3.endpoint}: of a server other than AWS, {@code http(s)://host[:port]}
 * @param region {@code store.s3.region}
 * @param pathStyle {@code store.s3.path-style}: the bucket in the path, not in the host name; most servers other than AWS need it
 * @param credentials {@code store.s3.access-key}, {@code store.s3.secret-key-file}; empty: the AWS chain (environment, profile, web
 *     identity, container, instance)
 * @param partBytes {@code store.s3.part-bytes}: larger files go up in parts of this size
 */
public record S3Config(
        Optional<URI> endpoint, String region, boolean pathStyle, Optional<S3Credentials> credentials, int partBytes) {
    public static final int PART_BYTES_MIN = 5 << 20;
    public static final int PART_BYTES_MAX = 1 << 30;
    public static final S3Config DEFAULT =
            new S3Config(Optional.empty(), "us-east-1", false, Optional.empty(), 16 << 20);

    public S3Config {
        if (endpoint.isPresent()) {
            URI uri = endpoint.get();
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http || uri.getHost() == null) {
                throw new IllegalArgumentException("store.s3.endpoint: expected http(s)://host[:port], found " + uri);
            }
        }
        if (region.isBlank()) {
            throw new IllegalArgumentException("store.s3.region: expected a region, found none");
        }
        if (partBytes < PART_BYTES_MIN || partBytes > PART_BYTES_MAX) {
            throw new IllegalArgumentException("store.s3.part-bytes: expected " + PART_BYTES_MIN + " to "
                    + PART_BYTES_MAX + ", found " + partBytes);
        }
    }
}
