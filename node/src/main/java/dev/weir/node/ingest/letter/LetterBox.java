package dev.weir.node.ingest.letter;

import dev.weir.node.ingest.letter.LetterMeters.Loss;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.model.RefusedException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps refused rows in {@code _dead_letters} before their write is answered. A letter never changes what the answer says of the rows: what could not
 * be kept, for whatever reason, is counted and named in a warning.
 *
 * <p>{@link #keep} blocks for {@link #WAIT_MS} at most; called on virtual threads, many at once.
 */
public final class LetterBox {
    static final long WAIT_MS = 3_000;

    private static final Logger LOG = LoggerFactory.getLogger(LetterBox.class);

    private final LetterWriter writer;
    private final Workbench bench;
    private final LetterLimits limits;
    private final LetterMeters meters;
    private final LetterRate rate;
    private final KeptBefore before = new KeptBefore();

    public LetterBox(LetterWriter writer, Workbench bench, LetterLimits limits, LetterMeters meters) {
        this.writer = writer;
        this.bench = bench;
        this.limits = limits;
        this.meters = meters;
        this.rate = new LetterRate(limits.bytesPerSecond());
    }

    /** Returns what the writer is to be warned of; empty where every refused row is kept. */
    public Optional<String> keep(RefusedRows refused) throws InterruptedException {
        int count = refused.count();
        if (count == 0) {
            return Optional.empty();
        }
        byte[] digest = bench.run(refused::digest);
        String name = HexFormat.of().formatHex(digest);
        if (!before.isNew(name, System.nanoTime())) {
            meters.repeated(count);
            return Optional.empty();
        }
        try {
            return keep(refused, digest, name);
        } catch (RuntimeException e) { // the answer to the write stays what it is
            before.forget(name);
            meters.lost(Loss.STORE, count);
            LOG.error("{} refused rows could not be kept", count, e);
            return Optional.of(words(count, "an internal error; the log of node " + writer.node() + " has it"));
        }
    }

    private Optional<String> keep(RefusedRows refused, byte[] digest, String name) throws InterruptedException {
        int count = refused.count();
        List<Letter> letters = bench.run(() -> refused.letters(limits.textBytesMax()));
        int admitted = rate.admit(refused.order().tenant(), letters, System.nanoTime());
        meters.lost(Loss.WRITE, count - letters.size());
        meters.lost(Loss.RATE, letters.size() - admitted);
        List<Letter> kept = letters.subList(0, admitted);
        Optional<String> failure = admitted == 0 ? Optional.empty() : write(refused, kept, digest);
        if (failure.isPresent()) {
            before.forget(name);
            return failure;
        }
        return count == admitted ? Optional.empty() : Optional.of(overLimit(count, letters.size(), admitted));
    }

    private static String overLimit(int count, int letters, int admitted) {
        String limit = letters == admitted
                ? "at most " + RowReport.KEPT_MAX + " of one write are"
                : "they come faster than dead-letters.bytes-per-second";
        return count - admitted + " of " + count + " refused rows are not kept in " + LetterTable.NAME + ": " + limit;
    }

    /** Returns why the letters are not kept, if so. */
    private Optional<String> write(RefusedRows refused, List<Letter> letters, byte[] digest)
            throws InterruptedException {
        WriteOrder order = order(refused, letters, digest);
        FutureTask<Optional<String>> writing = new FutureTask<>(() -> written(order, letters));
        Thread.ofVirtual().name("weir-letters").start(writing);
        try {
            return writing.get(WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of(words(letters.size(), "the table did not take them within " + WAIT_MS + " ms"));
        } catch (ExecutionException e) {
            throw new IllegalStateException("keeping letters failed", e.getCause());
        }
    }

    private WriteOrder order(RefusedRows refused, List<Letter> letters, byte[] digest) {
        WriteOrder of = refused.order();
        LetterWriter.Form form =
                new LetterWriter.Form(refused.form().format(), refused.form().parameters(of.nowNanos()));
        return writer.order(
                of.tenant(), letters, form, writer.times(letters.size(), of.nowNanos()), RefusedRows.unit(of, digest));
    }

    private Optional<String> written(WriteOrder order, List<Letter> letters) throws InterruptedException {
        WriteResult result;
        try {
            result = writer.write(order);
        } catch (CompletionException | RefusedException e) {
            meters.lost(Loss.STORE, letters.size());
            String why =
                    e instanceof RefusedException refused ? refused.refusal().message() : String.valueOf(e.getCause());
            return Optional.of(words(letters.size(), why));
        }
        RowReport report = result.rows();
        letters.stream().limit(report.accepted()).forEach(letter -> meters.kept(letter.code()));
        meters.lost(Loss.UNKNOWN, report.unknown());
        int failed = report.rejected() + report.retry();
        meters.lost(Loss.STORE, failed);
        return failed + report.unknown() == 0
                ? Optional.empty()
                : Optional.of(words(
                        failed + report.unknown(), report.listed().getFirst().message()));
    }

    private static String words(int rows, String why) {
        return rows + " refused rows may be missing in " + LetterTable.NAME + ": " + why;
    }
}
