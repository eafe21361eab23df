package dev.weir.query.sql.run;

import dev.weir.query.sql.image.FileImage;
import dev.weir.query.sql.image.ImageSet;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TableNeed;
import dev.weir.query.sql.image.TablePart;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.StatementResult.Column;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What EXPLAIN shows: per table what is read and what is not and why, then DuckDB's plan. */
final class ExplainedPlan {
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    private ExplainedPlan() {}

    static StatementResult of(PlannedSelect plan, ImageSet images, Explain explain, Connection connection, String text)
            throws SQLException {
        ExplainedPlan explained = new ExplainedPlan();
        for (int i = 0; i < plan.needs().size(); i++) {
            explained.table(plan.needs().get(i), images.images().get(i));
        }
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(explain.prefix() + text)) {
            while (answer.next()) {
                explained.add("plan", answer.getString(2));
            }
        }
        return new StatementResult(
                List.of(new Column("item", "VARCHAR"), new Column("detail", "VARCHAR")),
                explained.rows,
                Optional.empty());
    }

    private void table(TableNeed need, TableImage image) {
        add("table", need.table() + ": " + times(need.times()) + (need.tags().isEmpty() ? "" : "; tags " + tags(need)));
        for (TablePart part : image.parts()) {
            for (FileImage file : part.files()) {
                add(
                        "file",
                        "partition " + part.partition() + ": " + file.path().getFileName() + ", " + file.rows()
                                + " rows, " + times(file.times()) + (file.mayRepeat() ? ", merged with others" : ""));
            }
            long buffered =
                    part.buffers().stream().mapToLong(buffer -> buffer.rows()).sum();
            if (!part.buffers().isEmpty()) {
                add("buffer", "partition " + part.partition() + ": " + buffered + " rows");
            }
            if (!part.deletes().isEmpty()) {
                add(
                        "deletes",
                        "partition " + part.partition() + ": " + part.deletes().size() + " in force");
            }
        }
        new TreeMap<>(image.skipped()).forEach((reason, files) -> add("not read", files + " files: " + reason));
    }

    private static String tags(TableNeed need) {
        List<String> tags = new ArrayList<>();
        new TreeMap<>(need.tags())
                .forEach((tag, values) -> tags.add(
                        tag + (values.size() > 3 ? " is one of " + values.size() : "=" + String.join("|", values))));
        return String.join(", ", tags);
    }

    private static String times(TimeRange range) {
        if (range.equals(TimeRange.ALL)) {
            return "all times";
        }
        return time(range.fromNanos()) + " to " + time(range.toNanos());
    }

    private static String time(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L))
                .toString();
    }

    private void add(String item, String detail) {
        rows.add(new Object[] {item, detail});
    }
}
