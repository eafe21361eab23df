package dev.weir.partition.store;

import java.net.URI;

/**
 * Where files live and how to get there.
 *
 * @param url {@code store.url}: {@code file:/absolute/folder} or {@code s3://bucket[/prefix]}
 * @param s3 read for {@code s3:} only
 * @param retry of {@code s3:} requests; a {@code file:} store tries once
 */
public record StoreConfig(URI url, S3Config s3, RetryConfig retry) {
    public StoreConfig {
        String scheme = url.getScheme();
        boolean file =
                "file".equals(scheme) && url.getPath() != null && url.getPath().startsWith("/");
        boolean bucket = "s3".equals(scheme) && url.getAuthority() != null && url.getUserInfo() == null;
        if (!file && !bucket) {
            throw new IllegalArgumentException(
                    "store.url: expected file:/absolute/folder or s3://bucket[/prefix], found " + url);
        }
        if (url.getQuery() != null || url.getFragment() != null) {
            throw new IllegalArgumentException("store.url: expected no '?' and no '#', found " + url);
        }
    }

    /** A folder of this machine, with the default retries. */
    public static StoreConfig folder(java.nio.file.Path folder) {
        return new StoreConfig(
                URI.create("file:" + folder.toAbsolutePath().toUri().getRawPath()),
                S3Config.DEFAULT,
                RetryConfig.DEFAULT);
    }

    boolean isFile() {
        return "file".equals(url.getScheme());
    }
}
