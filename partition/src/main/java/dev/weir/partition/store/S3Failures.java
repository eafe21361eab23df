package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What an answer of an S3 server, or the lack of one, means to us. */
final class S3Failures {
    private static final Set<String> SKEWED = Set.of("RequestTimeTooSkewed", "RequestInTheFuture", "RequestExpired");
    private static final Set<String> TRANSIENT_CODES = Set.of(
            "RequestTimeout",
            "SlowDown",
            "Throttling",
            "ThrottlingException",
            "TooManyRequests",
            "ConditionalRequestConflict",
            "OperationAborted",
            "ExpiredToken",
            "BadDigest",
            "IncompleteBody",
            "InternalError",
            "ServiceUnavailable");
    private static final Set<String> MISSING = Set.of("NoSuchKey", "NoSuchUpload", "NotFound");

    private final String url;
    private final StoreMetrics metrics;
    private final long requestTimeoutMs;

    S3Failures(String url, StoreMetrics metrics, long requestTimeoutMs) {
        this.url = url;
        this.metrics = metrics;
        this.requestTimeoutMs = requestTimeoutMs;
    }

    RequestFailure of(Throwable thrown) {
        if (thrown instanceof S3Exception answer) {
            return ofAnswer(answer);
        }
        LocalDiskException disk = find(thrown, LocalDiskException.class);
        if (disk != null) {
            return new RequestFailure(Kind.FULL, false, "local disk: " + disk.getMessage(), disk);
        }
        if (thrown instanceof ApiCallAttemptTimeoutException) {
            return unavailable("no answer within " + requestTimeoutMs + " ms", thrown);
        }
        String message = String.valueOf(thrown.getMessage());
        if (message.contains("Unable to load credentials")) {
            return new RequestFailure(Kind.DENIED, false, at("no credentials found: " + message), thrown);
        }
        IOException network = find(thrown, IOException.class);
        return unavailable(
                network == null ? message : network.getClass().getSimpleName() + ": " + network.getMessage(), thrown);
    }

    private RequestFailure ofAnswer(S3Exception answer) {
        int status = answer.statusCode();
        AwsErrorDetails details = answer.awsErrorDetails();
        String code = details == null || details.errorCode() == null ? "" : details.errorCode();
        String text = at(describe(answer, status, code, details));
        if (SKEWED.contains(code)) {
            return new RequestFailure(Kind.CLOCK_SKEW, true, text + "; " + skew(), answer);
        }
        if (status == 412) {
            return new RequestFailure(Kind.CONFLICT, false, text, answer);
        }
        if (status == 404 && !code.equals("NoSuchBucket")) {
            return new RequestFailure(Kind.NOT_FOUND, false, text, answer);
        }
        boolean isTransient =
                (status >= 500 && status != 501) || status == 429 || status == 408 || TRANSIENT_CODES.contains(code);
        if (isTransient) {
            return new RequestFailure(Kind.UNAVAILABLE, true, text, answer);
        }
        boolean denied = status == 401 || status == 403 || code.equals("NoSuchBucket");
        return new RequestFailure(denied ? Kind.DENIED : Kind.INVALID, false, text, answer);
    }

    /** A HEAD has no body, hence no code: 404 says it all. */
    private static String describe(S3Exception answer, int status, String code, @Nullable AwsErrorDetails details) {
        if (MISSING.contains(code) || (status == 404 && code.isEmpty())) {
            return "no such object";
        }
        String message = details == null ? "" : String.valueOf(details.errorMessage());
        String words = code.isEmpty() ? "" : " " + code + " (" + message + ")";
        return status + words + ", request " + answer.requestId();
    }

    private String skew() {
        long seconds = Math.round(metrics.clockSkewMs() / 1000.0);
        String where = seconds > 0 ? "ahead of" : "behind";
        return "clock skew: the store's clock is " + Math.abs(seconds) + " s " + where + " this machine's";
    }

    private RequestFailure unavailable(String what, Throwable cause) {
        return new RequestFailure(Kind.UNAVAILABLE, true, at(what), cause);
    }

    private String at(String what) {
        return url + " answered: " + what;
    }

    private static <T extends Throwable> @Nullable T find(Throwable thrown, Class<T> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    /** Reading or writing our own file failed under a request: no matter of the server's. */
    static final class LocalDiskException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LocalDiskException(IOException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
