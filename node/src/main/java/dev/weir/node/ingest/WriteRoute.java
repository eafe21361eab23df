package dev.weir.node.ingest;

import dev.weir.node.ingest.letter.LetterBox;
import dev.weir.node.ingest.letter.LetterForm;
import dev.weir.node.ingest.letter.RefusedRows;
import dev.weir.node.ingest.rows.RowSource;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a body: received on the event loop, then on a virtual thread inflated, written, answered. */
final class WriteRoute {
    private static final Logger LOG = LoggerFactory.getLogger(WriteRoute.class);

    private final IngestLimits limits;
    private final BytesBudget budget;
    private final Workbench bench;
    private final Ways ways;
    private final InstantSource clock;
    private final IngestMeters meters;

    /** Where rows go: into their tables, or, refused, among the dead letters. */
    record Ways(RowWriter writer, LetterBox letters) {}

    /** Makes a reader of a body's rows; the body is not changed. */
    @FunctionalInterface
    interface Format {
        RowSource rows(byte[] body, int length);
    }

    /**
     * A request whose parameters have been read.
     *
     * @param form the format in words, for rows that are kept as dead letters
     * @param meaning what selects the meaning of the body beside its bytes, for {@code Idempotency-Key}
     */
    record Request(
            Exchange exchange,
            String tenant,
            Format format,
            LetterForm form,
            @Nullable String idempotencyKey,
            String meaning) {}

    WriteRoute(
            IngestLimits limits,
            BytesBudget budget,
            Workbench bench,
            Ways ways,
            InstantSource clock,
            IngestMeters meters) {
        this.limits = limits;
        this.budget = budget;
        this.bench = bench;
        this.ways = ways;
        this.clock = clock;
        this.meters = meters;
    }

    void take(Request request) {
        Exchange exchange = request.exchange();
        String header = exchange.request().getHeader("Content-Encoding");
        Optional<Encoding> encoding = Encoding.of(header);
        if (encoding.isEmpty()) {
            BodyReceiver.ignore(
                    exchange,
                    Answer.refusal(
                            ErrorCode.UNSUPPORTED_MEDIA,
                            "Content-Encoding: expected one of " + Encoding.ACCEPTED + ", found another one"));
            return;
        }
        GrowingBody body = new GrowingBody(budget, limits.bodyBytesMax(), "ingest.body-bytes-max");
        BodyReceiver.receive(
                exchange,
                body,
                whole -> Thread.ofVirtual().name("weir-ingest").start(() -> write(request, encoding.get(), whole)));
    }

    private void write(Request request, Encoding encoding, GrowingBody body) {
        long began = System.nanoTime();
        meters.began();
        Answer answer = Answer.refusal(ErrorCode.INTERNAL, "internal error; the node's log has the reason");
        GrowingBody plain = encoding == Encoding.PLAIN
                ? body
                : new GrowingBody(budget, limits.inflatedBytesMax(), "ingest.inflated-bytes-max, after inflating");
        try {
            answer = answer(request, encoding, body, plain);
        } catch (RefusedException e) {
            answer = Answer.refusal(e.refusal());
        } catch (BadEncodingException e) {
            answer = Answer.refusal(ErrorCode.BAD_ENCODING, e.getMessage() + "; nothing was stored");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer = Answer.refusal(ErrorCode.UNKNOWN_OUTCOME, "the node stops; the outcome is unknown");
        } catch (RuntimeException e) {
            LOG.error("a write of tenant {} failed", request.tenant(), e);
        } finally {
            body.release();
            plain.release();
            meters.ended(System.nanoTime() - began, answer.status());
            request.exchange().answer(answer);
        }
    }

    private Answer answer(Request request, Encoding encoding, GrowingBody body, GrowingBody plain)
            throws BadEncodingException, InterruptedException {
        if (encoding != Encoding.PLAIN) {
            inflate(encoding, body, plain);
        }
        meters.body(plain.length());
        String key = request.idempotencyKey();
        WriteOrder.Idempotency idempotency =
                key == null ? null : new WriteOrder.Idempotency(key, digest(plain, request.meaning()));
        WriteOrder order = new WriteOrder(
                request.tenant(), request.format().rows(plain.bytes(), plain.length()), nowNanos(), idempotency);
        WriteResult result = ways.writer().write(order);
        meters.wrote(result);
        Optional<String> unkept =
                ways.letters().keep(new RefusedRows(plain.bytes(), plain.length(), request.form(), order, result));
        return WriteAnswers.of(result, request.tenant(), unkept);
    }

    private void inflate(Encoding encoding, GrowingBody body, GrowingBody plain)
            throws BadEncodingException, InterruptedException {
        BadEncodingException broken = bench.run(() -> {
                    try {
                        encoding.inflate(body.bytes(), body.length(), plain);
                        return Optional.<BadEncodingException>empty();
                    } catch (BadEncodingException e) {
                        return Optional.of(e);
                    }
                })
                .orElse(null);
        if (broken != null) {
            throw broken;
        }
        body.release();
    }

    private byte[] digest(GrowingBody body, String meaning) throws InterruptedException {
        return bench.run(() -> {
            try {
                MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
                sha256.update(meaning.getBytes(StandardCharsets.UTF_8));
                sha256.update((byte) 0);
                sha256.update(body.bytes(), 0, body.length());
                return sha256.digest();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private long nowNanos() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
