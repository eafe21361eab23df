package dev.weir.ops.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads series of an answer and draws them: the first column of times goes across, each column of numbers, per value of the other columns, is a line. */
final class Chart {
    /** More lines can't be told from each other. */
    static final int LINES_MAX = 8;

    static final int POINTS_MAX = 200_000;

    private final Map<String, List<double[]>> lines = new LinkedHashMap<>();
    private int points;
    private int left;

    private Chart() {}

    /** @throws CommandFailedException the answer has no times, or one that is none (infinity), or no numbers */
    static Chart of(RowReader rows) throws IOException {
        Chart chart = new Chart();
        List<RowReader.Column> columns = rows.columns();
        int time = first(columns);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isNumber()) {
                numbers.add(i);
            }
        }
        if (time < 0 || numbers.isEmpty()) {
            throw CommandFailedException.refused(
                    "a chart needs a column of times and one of numbers; the answer has " + columns);
        }
        for (JsonNode row = rows.next(); row != null; row = rows.next()) {
            chart.add(row, columns, time, numbers);
        }
        return chart;
    }

    private static int first(List<RowReader.Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isTime()) {
                return i;
            }
        }
        return -1;
    }

    private void add(JsonNode row, List<RowReader.Column> columns, int time, List<Integer> numbers) {
        if (row.path(time).isNull()) {
            return;
        }
        StringBuilder group = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            if (i != time && !numbers.contains(i)) {
                group.append(group.isEmpty() ? "" : ", ").append(row.path(i).asText());
            }
        }
        for (int number : numbers) {
            if (!row.path(number).isNumber()) {
                continue;
            }
            String name = group.isEmpty()
                    ? columns.get(number).name()
                    : numbers.size() == 1
                            ? group.toString()
                            : group + " " + columns.get(number).name();
            point(name, seconds(row.path(time).asText()), row.path(number).asDouble());
        }
    }

    private static double seconds(String time) {
        try {
            Instant instant = Instant.parse(time.length() == 10 ? time + "T00:00:00Z" : time);
            return instant.getEpochSecond() + instant.getNano() / 1e9;
        } catch (DateTimeParseException e) {
            throw CommandFailedException.refused(
                    "a chart needs times such as 2026-01-31T12:00:00Z; the answer has " + time);
        }
    }

    private void point(String line, double seconds, double value) {
        if (points >= POINTS_MAX || (!lines.containsKey(line) && lines.size() >= LINES_MAX)) {
            left++;
            return;
        }
        points++;
        lines.computeIfAbsent(line, name -> new ArrayList<>()).add(new double[] {seconds, value});
    }

    /** The picture, with a legend; says what it leaves out. */
    String draw(int width, int height) {
        if (points == 0) {
            return "(no points)\n";
        }
        String picture = new Plot(lines, width, height).draw();
        return left == 0 ? picture : picture + "(%,d points of further lines are not shown)%n".formatted(left);
    }
}
