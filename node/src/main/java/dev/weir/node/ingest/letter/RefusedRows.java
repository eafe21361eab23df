package dev.weir.node.ingest.letter;

import dev.weir.node.ingest.rows.RowFault;
import dev.weir.node.ingest.rows.RowReader;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a write refused for good.
 *
 * @param body what the order's rows are read from
 * @param form how they are read
 */
public record RefusedRows(byte[] body, int length, LetterForm form, WriteOrder order, WriteResult result) {
    /** How many letters there would be without limits. */
    int count() {
        RowFault whole = result.bodyFault();
        if (whole == null) {
            return result.rows().rejected();
        }
        return length > 0 && RowReport.isForGood(whole.code()) ? 1 : 0;
    }

    /** A letter for each of the first {@link RowReport#KEPT_MAX}; for a body that is refused as a whole, one. Reads the rows again. */
    List<Letter> letters(int textBytesMax) {
        RowFault whole = result.bodyFault();
        if (whole != null) {
            LetterText text = LetterText.of(body, 0, length, textBytesMax);
            return List.of(new Letter(whole.code().wireName(), 1, null, whole.message(), text.text(), !text.whole()));
        }
        List<Letter> letters = new ArrayList<>();
        RowReader reader = order.rows().open();
        for (WriteResult.Refused row : result.refused()) {
            reader.seek(row.place(), row.line());
            if (!reader.next()) {
                throw new IllegalStateException("the row of line " + row.line() + " is not there any more");
            }
            LetterText text = LetterText.of(body, reader.place(), reader.stop(), textBytesMax);
            letters.add(new Letter(
                    row.code().wireName(),
                    row.line(),
                    reader.measurement(),
                    row.message(),
                    text.text(),
                    !text.whole()));
        }
        return letters;
    }

    /** The same for the same refusals of the same body under the same parameters and key, on every node. */
    byte[] digest() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            WriteOrder.Idempotency key = order.idempotency();
            add(sha256, order.tenant());
            add(sha256, key == null ? "" : key.key());
            add(sha256, form.format() + form.parameters().encode());
            sha256.update(body, 0, length);
            result.refused().forEach(row -> add(sha256, row.line() + row.code().wireName()));
            return sha256.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Under which partitions remember the letters of a write that had a key, so that its repeat through any node has no second ones. */
    static WriteOrder.@Nullable Idempotency unit(WriteOrder order, byte[] digest) {
        // Of users' keys none has a space.
        return order.idempotency() == null
                ? null
                : new WriteOrder.Idempotency("dead letters " + HexFormat.of().formatHex(digest), digest);
    }

    private static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }
}
