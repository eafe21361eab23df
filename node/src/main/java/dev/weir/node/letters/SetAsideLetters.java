package dev.weir.node.letters;

import dev.weir.node.ingest.letter.Letter;
import dev.weir.node.ingest.letter.LetterKey;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.node.ingest.letter.LetterWriter;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/** Letters of rows that are set aside. Blocks; called on virtual threads. */
final class SetAsideLetters {
    /** Of {@code dead-letters.bytes-max} they may take one part in so many. */
    private static final int SHARE = 2;

    private final RowSource source;
    private final LetterWriter writer;
    private final LetterDeletes deletes;
    private final LetterSql sql;
    private final long bytesMax;

    /** What they may take of a tenant's {@code dead-letters.bytes-max}. */
    static long bytesMax(long lettersBytesMax) {
        return lettersBytesMax / SHARE;
    }

    /** @param bytesMax of one tenant's, see {@link #bytesMax(long)} */
    SetAsideLetters(RowSource source, LetterWriter writer, LetterDeletes deletes, LetterSql sql, long bytesMax) {
        this.source = source;
        this.writer = writer;
        this.deletes = deletes;
        this.sql = sql;
        this.bytesMax = bytesMax;
    }

    /**
     * Keeps all rows of a slice.
     *
     * @return in their order
     * @throws RefusedException there is no room, or some may not be kept; then those that are go again
     */
    List<LetterKey> keep(TableSchema table, RowSlice slice, long nowNanos) {
        List<Letter> letters = new ArrayList<>(slice.rows().size());
        long bytes = 0;
        for (WholeRow row : slice.rows()) {
            Letter letter = row.letter(letters.size() + 1, table.name());
            letters.add(letter);
            bytes += letter.bytes();
        }
        requireRoom(table.tenant(), bytes);
        LetterWriter.Form form =
                new LetterWriter.Form("json", "{\"precision\":\"ns\",\"default_time\":" + nowNanos + "}");
        List<LetterKey> keys = writer.keys(letters, nowNanos);
        try {
            writer.keep(table.tenant(), letters, keys, form);
            return keys;
        } catch (RefusedException e) {
            // Also those of the refused write: some of its rows may be kept.
            throw new RefusedException(takeBackAfter(e.refusal(), table.tenant(), keys));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    /** Deletes letters whose rows are in their table still. */
    void takeBack(String tenant, List<LetterKey> letters) {
        if (!letters.isEmpty()) {
            deletes.delete(source.table(tenant, LetterTable.NAME), letters);
        }
    }

    /** Deletes such letters because of a failure; returns it, and should they stay says that, too. */
    Refusal takeBackAfter(Refusal failure, String tenant, List<LetterKey> letters) {
        try {
            if (source.hasLetters(tenant)) {
                takeBack(tenant, letters);
            }
            return failure;
        } catch (RefusedException e) {
            return new Refusal(
                    failure.code(),
                    failure.message() + "; letters of rows that are in the table still may stay: "
                            + e.refusal().message(),
                    failure.retryAfterMs());
        }
    }

    private void requireRoom(String tenant, long bytes) {
        long before = source.hasLetters(tenant)
                ? sql.number(
                        tenant,
                        "SELECT CAST(sum(bytes) AS BIGINT) FROM " + LetterTable.NAME + " WHERE code = '"
                                + LetterTable.QUARANTINED + "'")
                : 0;
        if (before + bytes > bytesMax) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.TOO_LARGE,
                    "letters of rows that were set aside take " + before + " bytes, these " + bytes
                            + " more; expected at most " + bytesMax
                            + ", half of dead-letters.bytes-max: replay or purge some, or raise it"));
        }
    }
}
