package dev.weir.partition.engine;

import dev.weir.partition.engine.KeyManifest.KeyFile;
import dev.weir.partition.engine.KeyManifest.Run;
import dev.weir.partition.engine.KeyRun.Block;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes one run of the youngest ones: doubles and deleted points go. Deletes that come while it runs apply to its output too. Reads through files
 * of its own, so it may run on any thread while the replica goes on.
 */
final class KeyMerge {
    /** Fewer runs than this are left alone. */
    private static final int RUNS_MIN = 6;

    private final SegmentFiles files;
    private final Path folder;
    private final List<Run> inputs;
    private final KeySpans deletes;
    private final String name;

    KeyMerge(SegmentFiles files, Path folder, List<Run> inputs, KeySpans deletes) {
        this.files = files;
        this.folder = folder;
        this.inputs = List.copyOf(inputs);
        this.deletes = deletes;
        // One that an earlier opening of the replica began may still write to a file of its own.
        this.name = UUID.randomUUID() + ".keys";
    }

    /** From which run on they are merged, -1 for none: a run joins where those behind it have half as many points or more, so that none is written often. */
    static int mergeFrom(List<Run> runs) {
        if (runs.size() < RUNS_MIN) {
            return -1;
        }
        int from = runs.size() - 1;
        long behind = runs.get(from).points();
        while (from > 0 && (runs.get(from - 1).points() <= 2 * behind || runs.size() - from < RUNS_MIN / 2)) {
            from--;
            behind += runs.get(from).points();
        }
        return from;
    }

    /** Of the file that it writes. */
    String name() {
        return name;
    }

    List<Run> inputs() {
        return inputs;
    }

    /** Those that the output reflects. */
    List<KeySpans.Span> deletes() {
        return deletes.all();
    }

    KeyRun run() throws IOException {
        List<Cursor> open = new ArrayList<>();
        try (KeyRunWriter writer = KeyRunWriter.create(files, folder, name)) {
            PriorityQueue<Cursor> queue = new PriorityQueue<>();
            for (Run input : inputs) {
                Cursor cursor = new Cursor(KeyRun.open(files, folder, input));
                open.add(cursor);
                if (cursor.next()) {
                    queue.add(cursor);
                }
            }
            merge(queue, writer);
            long points = writer.points();
            KeyFile file = writer.finish();
            return KeyRun.open(
                    files,
                    folder,
                    new Run(inputs.getFirst().first(), inputs.getLast().last(), points, file));
        } finally {
            for (Cursor cursor : open) {
                cursor.run.close();
            }
        }
    }

    private void merge(PriorityQueue<Cursor> queue, KeyRunWriter writer) throws IOException {
        int series = -1;
        long time = 0;
        while (!queue.isEmpty()) {
            Cursor first = queue.remove();
            boolean again = first.series() == series && first.time() == time;
            if (!again
                    && !deletes.covers(
                            first.series(), first.time(), first.run.run().last())) {
                series = first.series();
                time = first.time();
                writer.add(series, time);
            }
            if (first.next()) {
                queue.add(first);
            }
        }
    }

    /** Walks one run. */
    private static final class Cursor implements Comparable<Cursor> {
        private final KeyRun run;
        private int nextBlock;
        private @Nullable Block block;
        private int at;

        private Cursor(KeyRun run) {
            this.run = run;
        }

        private boolean next() throws IOException {
            Block now = block;
            if (now != null && at + 1 < now.count()) {
                at++;
                return true;
            }
            if (nextBlock == run.blocks()) {
                return false;
            }
            block = run.block(nextBlock++);
            at = 0;
            return true;
        }

        private int series() {
            return current().series()[at];
        }

        private long time() {
            return current().times()[at];
        }

        private Block current() {
            Block now = block;
            if (now == null) {
                throw new IllegalStateException("no block read yet");
            }
            return now;
        }

        @Override
        public int compareTo(Cursor other) {
            int bySeries = Integer.compare(series(), other.series());
            return bySeries != 0 ? bySeries : Long.compare(time(), other.time());
        }
    }
}
