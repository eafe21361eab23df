package dev.weir.ops.query;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Draws lines as letters: each line has a mark of its own, and steps between its points are filled. */
final class Plot {
    private static final char[] MARKS = {'*', '+', 'o', 'x', '#', '@', '%', '='};
    private static final int AXIS = 12;

    private final Map<String, List<double[]>> lines;
    private final int width;
    private final int height;
    private final char[][] cells;
    private double minX = Double.MAX_VALUE;
    private double maxX = -Double.MAX_VALUE;
    private double minY = Double.MAX_VALUE;
    private double maxY = -Double.MAX_VALUE;

    /** @param lines name → (seconds, value) in any order; at least one point */
    Plot(Map<String, List<double[]>> lines, int width, int height) {
        this.lines = lines;
        this.width = Math.max(20, width - AXIS - 2);
        this.height = Math.max(5, height);
        this.cells = new char[this.height][this.width];
        for (char[] row : cells) {
            Arrays.fill(row, ' ');
        }
        lines.values().forEach(points -> points.forEach(this::bound));
    }

    private void bound(double[] point) {
        minX = Math.min(minX, point[0]);
        maxX = Math.max(maxX, point[0]);
        minY = Math.min(minY, point[1]);
        maxY = Math.max(maxY, point[1]);
    }

    String draw() {
        int line = 0;
        for (List<double[]> points : lines.values()) {
            draw(points, MARKS[line++ % MARKS.length]);
        }
        StringBuilder out = new StringBuilder();
        for (int row = 0; row < height; row++) {
            boolean labeled = row == 0 || row == height - 1 || row == height / 2;
            double value = maxY - (maxY - minY) * row / (height - 1);
            out.append(labeled ? "%%%d.5g ┤".formatted(AXIS).formatted(value) : " ".repeat(AXIS) + " │");
            out.append(new String(cells[row]).stripTrailing()).append('\n');
        }
        out.append(" ".repeat(AXIS + 1)).append('└').append("─".repeat(width)).append('\n');
        String from = time(minX);
        String to = time(maxX);
        out.append(" ".repeat(AXIS + 2))
                .append(from)
                .append(" ".repeat(Math.max(1, width - from.length() - to.length())))
                .append(to)
                .append('\n');
        line = 0;
        for (String name : lines.keySet()) {
            out.append("  ")
                    .append(MARKS[line++ % MARKS.length])
                    .append(' ')
                    .append(name)
                    .append('\n');
        }
        return out.toString();
    }

    private void draw(List<double[]> points, char mark) {
        List<double[]> ordered =
                points.stream().sorted((a, b) -> Double.compare(a[0], b[0])).toList();
        int beforeX = -1;
        int beforeY = 0;
        for (double[] point : ordered) {
            int x = place(point[0], minX, maxX, width);
            int y = height - 1 - place(point[1], minY, maxY, height);
            for (int between = beforeX + 1; beforeX >= 0 && between < x; between++) {
                int slope = Math.round(beforeY + (float) (y - beforeY) * (between - beforeX) / (x - beforeX));
                cells[slope][between] = cells[slope][between] == ' ' ? '·' : cells[slope][between];
            }
            cells[y][x] = mark;
            beforeX = x;
            beforeY = y;
        }
    }

    private static int place(double value, double min, double max, int count) {
        return max == min ? count / 2 : (int) Math.round((value - min) / (max - min) * (count - 1));
    }

    private static String time(double seconds) {
        return Instant.ofEpochSecond((long) seconds)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }
}
