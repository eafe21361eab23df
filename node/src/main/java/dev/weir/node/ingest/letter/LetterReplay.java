package dev.weir.node.ingest.letter;

import dev.weir.node.ingest.rows.JoinedRows;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.model.Refusal;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes the texts of letters again. What is refused leaves no new letters. Blocks; called on virtual threads. */
public final class LetterReplay {
    private final RowWriter writer;
    private final NameCaches caches;

    /**
     * What is kept of a row.
     *
     * @param parameters as {@link LetterForm} words them
     */
    public record Kept(String text, String format, String parameters) {}

    public LetterReplay(RowWriter writer, NameCaches caches) {
        this.writer = writer;
        this.caches = caches;
    }

    /**
     * @param letters {@link RowReport#KEPT_MAX} at most
     * @return of each why it is not stored; empty: it is
     */
    public List<Optional<Refusal>> replay(String tenant, List<Kept> letters, long nowNanos)
            throws InterruptedException {
        if (letters.size() > RowReport.KEPT_MAX) {
            throw new IllegalArgumentException(
                    "replay: expected at most " + RowReport.KEPT_MAX + " letters, found " + letters.size());
        }
        List<JoinedRows.Text> texts =
                letters.stream().map(letter -> text(letter, tenant)).toList();
        WriteResult result = writer.write(new WriteOrder(tenant, () -> new JoinedRows(texts), nowNanos, null));
        List<Optional<Refusal>> outcomes = new ArrayList<>();
        for (int i = 0; i < letters.size(); i++) {
            outcomes.add(
                    Optional.ofNullable(result.rows().kept().get(i)).map(row -> Refusal.of(row.code(), row.message())));
        }
        return outcomes;
    }

    private JoinedRows.Text text(Kept letter, String tenant) {
        JsonObject parameters = new JsonObject(letter.parameters());
        LetterForm form = LetterForm.of(letter.format(), parameters);
        byte[] text = letter.text().getBytes(StandardCharsets.UTF_8);
        return new JoinedRows.Text(() -> form.open(text, caches, tenant), parameters.getLong("default_time"));
    }
}
