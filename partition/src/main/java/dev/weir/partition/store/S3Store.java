package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * Objects in a bucket, below a prefix.
 *
 * <p>A put is conditional ({@code If-None-Match: *}) and carries the file's SHA-256 as metadata {@code weir-sha256}, so that a refusal tells
 * whether an earlier try of ours got through. Reading goes by ranges of a part's size, so each request is short and a failed one is all that
 * is asked for again. Every request is signed when it is sent.
 */
final class S3Store implements ObjectStore {
    static final String SHA256 = "weir-sha256";
    private static final Duration PROBE_BUDGET_MAX = Duration.ofSeconds(15);

    private final StoreConfig config;
    private final String bucket;
    private final String prefix;
    private final StoreMetrics metrics;
    private final S3Client client;
    private final S3Requests requests;
    private final S3Reads reads;
    private final S3Upload upload;

    S3Store(StoreConfig config) {
        this(config, new StoreMetrics(), null);
    }

    private S3Store(StoreConfig config, StoreMetrics metrics, @Nullable S3Client shared) {
        this.config = config;
        this.bucket = config.url().getAuthority();
        this.prefix = prefix(config.url().getPath());
        this.metrics = metrics;
        this.client = shared == null ? S3Clients.build(config.s3(), config.retry(), metrics) : shared;
        long timeoutMs = config.retry().requestTimeout().toMillis();
        this.requests = new S3Requests(
                client,
                new Retries(config.retry(), metrics, Retries.Pace.real()),
                new S3Failures(where(), metrics, timeoutMs),
                url());
        this.reads = new S3Reads(requests, bucket, config.s3().partBytes());
        this.upload = new S3Upload(requests, bucket, config.s3().partBytes());
    }

    @Override
    public Put put(String key, LocalFile file) throws StoreException, InterruptedException {
        String object = object(key);
        boolean stored = file.bytes() <= config.s3().partBytes()
                ? upload.whole(key, object, file)
                : upload.parts(key, object, file);
        if (stored) {
            metrics.up(file.bytes());
            return Put.STORED;
        }
        expectSame(key, object, file);
        return Put.PRESENT;
    }

    @Override
    public int read(String key, long offset, ByteBuffer target) throws StoreException, InterruptedException {
        String object = object(key);
        int before = target.position();
        while (target.hasRemaining()) {
            byte[] part = reads.range("read " + key, object, offset + target.position() - before, target.remaining());
            target.put(part);
            metrics.down(part.length);
            if (part.length == 0) {
                break;
            }
        }
        return target.position() - before;
    }

    @Override
    public long download(String key, Path target) throws StoreException, InterruptedException {
        String object = object(key);
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            boolean done = false;
            try {
                reads.all("download " + key, object, part -> {
                    channel.write(part);
                    metrics.down(part.limit());
                });
                done = true;
                return channel.size();
            } finally {
                if (!done) {
                    Files.deleteIfExists(target);
                }
            }
        } catch (StoreException e) {
            throw e;
        } catch (java.nio.channels.ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("download " + key);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException(Kind.INVALID, "download " + key + ": " + target + " exists already", e);
        } catch (IOException e) {
            throw new StoreException(
                    Kind.FULL, "download " + key + ": local file " + target + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<ObjectEntry> stat(String key) throws StoreException, InterruptedException {
        String object = object(key);
        return head("stat " + key, object).map(head -> new ObjectEntry(key, head.contentLength(), head.lastModified()));
    }

    @Override
    public List<ObjectEntry> list(String keyPrefix, String after, int max) throws StoreException, InterruptedException {
        ObjectKeys.checkPage(max);
        ListObjectsV2Response page = requests.run(
                "list " + keyPrefix,
                s3 -> s3.listObjectsV2(list -> {
                    list.bucket(bucket).prefix(prefix + keyPrefix).maxKeys(max);
                    if (!after.isEmpty()) {
                        list.startAfter(prefix + after);
                    }
                }));
        return page.contents().stream()
                .map(found ->
                        new ObjectEntry(found.key().substring(prefix.length()), found.size(), found.lastModified()))
                .toList();
    }

    @Override
    public void delete(String key) throws StoreException, InterruptedException {
        String object = object(key);
        requests.run(
                "delete " + key,
                s3 -> s3.deleteObject(delete -> delete.bucket(bucket).key(object)));
    }

    @Override
    public int sweepUnfinished(Instant before) throws StoreException, InterruptedException {
        List<MultipartUpload> begun = requests.run(
                "sweep",
                s3 -> s3
                        .listMultipartUploadsPaginator(
                                list -> list.bucket(bucket).prefix(prefix))
                        .uploads()
                        .stream()
                        .filter(one -> one.initiated().isBefore(before))
                        .toList());
        for (MultipartUpload one : begun) {
            upload.abort(one.key(), one.uploadId());
        }
        return begun.size();
    }

    /** Tries less long than a put: who starts a node waits for it. */
    @Override
    public void probe() throws StoreException, InterruptedException {
        Duration budget = config.retry().budget();
        RetryConfig retry =
                config.retry().withBudget(budget.compareTo(PROBE_BUDGET_MAX) < 0 ? budget : PROBE_BUDGET_MAX);
        StoreProbe.run(new S3Store(new StoreConfig(config.url(), config.s3(), retry), metrics, client));
    }

    @Override
    public Optional<Path> localPath(String key) {
        return Optional.empty();
    }

    @Override
    public String url() {
        return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }

    @Override
    public StoreMetrics metrics() {
        return metrics;
    }

    @Override
    public void close() {
        requests.close();
    }

    private void expectSame(String key, String object, LocalFile file) throws StoreException, InterruptedException {
        HeadObjectResponse head = head("put " + key, object)
                .orElseThrow(() -> new StoreException(
                        Kind.UNAVAILABLE,
                        "put " + key + ": " + url() + " refused it as taken, then had no such object"));
        String digest = head.metadata().get(SHA256);
        try {
            SameBytes.expect(
                    key,
                    file,
                    head.contentLength(),
                    () -> digest == null ? digest(key, object) : HexFormat.of().parseHex(digest));
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of an object that somebody else put. */
    private byte[] digest(String key, String object) throws IOException, InterruptedException {
        MessageDigest digest = Sha256.start();
        reads.all("put " + key, object, digest::update);
        return digest.digest();
    }

    private Optional<HeadObjectResponse> head(String what, String object) throws StoreException, InterruptedException {
        try {
            return Optional.of(requests.run(
                    what, s3 -> s3.headObject(head -> head.bucket(bucket).key(object))));
        } catch (StoreException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private String object(String key) throws StoreException {
        return prefix + ObjectKeys.check(key);
    }

    private String where() {
        return url() + config.s3().endpoint().map(endpoint -> " at " + endpoint).orElse("");
    }

    private static String prefix(@Nullable String path) {
        String trimmed = path == null ? "" : path.replaceAll("^/+|/+$", "");
        return trimmed.isEmpty() ? "" : trimmed + "/";
    }
}
