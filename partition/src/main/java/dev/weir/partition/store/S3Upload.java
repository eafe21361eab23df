package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Puts files into a bucket, in one request or in parts, unless the key is taken. */
final class S3Upload {
    private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);
    private static final String IF_NONE = "*";

    private final S3Requests requests;
    private final String bucket;
    private final int partBytes;

    S3Upload(S3Requests requests, String bucket, int partBytes) {
        this.requests = requests;
        this.bucket = bucket;
        this.partBytes = partBytes;
    }

    /** Returns false where the key was taken. */
    boolean whole(String key, String object, LocalFile file) throws StoreException, InterruptedException {
        FileRegion region = FileRegion.whole(file);
        String md5 = region.md5();
        return unlessTaken(() -> requests.run(
                "put " + key,
                s3 -> s3.putObject(
                        put -> put.bucket(bucket)
                                .key(object)
                                .ifNoneMatch(IF_NONE)
                                .contentMD5(md5)
                                .metadata(digest(file)),
                        region.body())));
    }

    /** Returns false where the key was taken. Parts of an upload that fails are removed, else swept later. */
    boolean parts(String key, String object, LocalFile file) throws StoreException, InterruptedException {
        String uploadId = requests.run(
                "put " + key,
                s3 -> s3.createMultipartUpload(
                                create -> create.bucket(bucket).key(object).metadata(digest(file)))
                        .uploadId());
        boolean stored = false;
        try {
            List<CompletedPart> parts = sendParts(key, object, uploadId, file);
            stored = complete(key, object, uploadId, parts);
            return stored;
        } finally {
            if (!stored) {
                abortQuietly(object, uploadId);
            }
        }
    }

    /** Forgets an upload and its parts; nothing where it has ended. */
    void abort(String object, String uploadId) throws StoreException, InterruptedException {
        try {
            requests.run(
                    "abort upload of " + object,
                    s3 -> s3.abortMultipartUpload(
                            abort -> abort.bucket(bucket).key(object).uploadId(uploadId)));
        } catch (StoreException e) {
            if (e.kind() != Kind.NOT_FOUND) {
                throw e;
            }
        }
    }

    private List<CompletedPart> sendParts(String key, String object, String uploadId, LocalFile file)
            throws StoreException, InterruptedException {
        List<CompletedPart> parts = new ArrayList<>();
        for (long at = 0; at < file.bytes(); at += partBytes) {
            int number = parts.size() + 1;
            FileRegion region = new FileRegion(file.path(), at, Math.min(partBytes, file.bytes() - at));
            String md5 = region.md5();
            String etag = requests.run(
                    "put " + key + " part " + number,
                    s3 -> s3.uploadPart(
                                    part -> part.bucket(bucket)
                                            .key(object)
                                            .uploadId(uploadId)
                                            .partNumber(number)
                                            .contentMD5(md5),
                                    region.body())
                            .eTag());
            parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
        }
        return parts;
    }

    /** A first try may have got through without our hearing of it: then there is no such upload, and the key is taken, by us. */
    private boolean complete(String key, String object, String uploadId, List<CompletedPart> parts)
            throws StoreException, InterruptedException {
        try {
            return unlessTaken(() -> requests.run(
                    "put " + key + " complete",
                    s3 -> s3.completeMultipartUpload(complete -> complete.bucket(bucket)
                            .key(object)
                            .uploadId(uploadId)
                            .ifNoneMatch(IF_NONE)
                            .multipartUpload(all -> all.parts(parts)))));
        } catch (StoreException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private interface Request {
        Object send() throws StoreException, InterruptedException;
    }

    private static boolean unlessTaken(Request request) throws StoreException, InterruptedException {
        try {
            request.send();
            return true;
        } catch (StoreException e) {
            if (e.kind() == Kind.CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    /** One try: the failure that led here matters more, and a sweep follows anyway. */
    private void abortQuietly(String object, String uploadId) {
        try {
            requests.once(
                    "abort upload of " + object,
                    s3 -> s3.abortMultipartUpload(
                            abort -> abort.bucket(bucket).key(object).uploadId(uploadId)));
        } catch (RequestFailure | StoreException e) {
            LOG.debug("parts of {} stay until they are swept: {}", object, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, String> digest(LocalFile file) {
        return Map.of(S3Store.SHA256, HexFormat.of().formatHex(file.sha256()));
    }
}
