package dev.weir.partition.store;

/** Keys of an S3 account; the secret is never shown. */
public record S3Credentials(String accessKey, String secretKey) {
    public S3Credentials {
        if (accessKey.isBlank() || secretKey.isBlank()) {
            throw new IllegalArgumentException("store.s3: expected an access key with its secret, found an empty one");
        }
    }

    @Override
    public String toString() {
        return "S3Credentials[accessKey=" + accessKey + "]";
    }
}
