package dev.weir.partition.engine;

import dev.weir.partition.engine.KeyManifest.KeyFile;
import dev.weir.partition.engine.KeyManifest.Run;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The older points of all series, in runs on this node's disk: what snapshots have moved out of memory. Which of a series' points are here and
 * which in {@link PointTimes} says nothing; together they are what the log came to, on every replica alike.
 *
 * <p>Threading: changed by the apply thread, under the replica's lock where readers see it; asked by holders of the lock.
 */
final class KeyRuns implements AutoCloseable {
    private final SegmentFiles files;
    private final Path folder;
    private final List<KeyRun> runs = new ArrayList<>();
    private final IntUnaryOperator tableOf;
    private final KeySpans deletes;
    private long nextRun;

    private KeyRuns(SegmentFiles files, Path folder, KeyManifest manifest, IntUnaryOperator tableOf) {
        this.files = files;
        this.folder = folder;
        this.tableOf = tableOf;
        this.deletes = KeySpans.of(manifest.deletes(), tableOf);
        this.nextRun = manifest.nextRun();
    }

    /**
     * Opens what a manifest names.
     *
     * @param tableOf id of a series' table; asked by merges too, from other threads
     * @throws IOException a file is missing or damaged
     */
    static KeyRuns open(SegmentFiles files, Path folder, KeyManifest manifest, IntUnaryOperator tableOf)
            throws IOException {
        KeyRuns opened = new KeyRuns(files, folder, manifest, tableOf);
        try {
            for (Run run : manifest.runs()) {
                opened.runs.add(KeyRun.open(files, folder, run));
            }
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    boolean contains(int series, long time) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            KeyRun run = runs.get(i);
            try {
                if (run.contains(series, time)
                        && !deletes.covers(series, time, run.run().last())) {
                    return true;
                }
            } catch (IOException e) {
                throw unreadable(run, e);
            }
        }
        return false;
    }

    /** The series' latest point here that is not after {@code time}. */
    OptionalLong floor(int series, long time) {
        OptionalLong latest = OptionalLong.empty();
        for (KeyRun run : runs) {
            OptionalLong found = floor(run, series, time);
            if (found.isPresent() && (latest.isEmpty() || found.getAsLong() > latest.getAsLong())) {
                latest = found;
            }
        }
        return latest;
    }

    /** Points of the series between two times, both inclusive, are no longer part of the table. */
    void deleteRange(int series, long from, long to) {
        if (!runs.isEmpty()) {
            deletes.add(new KeySpans.Span(series, from, to, nextRun));
        }
    }

    /** As {@link #deleteRange}, of all series of a table. */
    void deleteTable(int tableId, long from, long to) {
        if (!runs.isEmpty()) {
            deletes.add(KeySpans.Span.ofTable(tableId, from, to, nextRun));
        }
    }

    /** Points in files; some may be there twice, or deleted. */
    long points() {
        return runs.stream().mapToLong(run -> run.run().points()).sum();
    }

    /** Of the files. */
    long bytes() {
        return runs.stream().mapToLong(run -> run.run().file().bytes()).sum();
    }

    /** Writes points of memory as a run; {@link #add} makes it count. Null where there are none. */
    @Nullable
    KeyRun spill(PointTimes times) throws IOException {
        String name = nextRun + ".keys";
        try (KeyRunWriter writer = KeyRunWriter.create(files, folder, name)) {
            for (int series = 0; series < times.seriesEnd(); series++) {
                if (times.count(series) > 1) {
                    long[] all = times.times(series);
                    for (int i = 0; i < all.length - 1; i++) {
                        writer.add(series, all[i]);
                    }
                }
            }
            if (writer.points() == 0) {
                return null;
            }
            long points = writer.points();
            KeyFile file = writer.finish();
            return KeyRun.open(files, folder, new Run(nextRun, nextRun, points, file));
        }
    }

    void add(KeyRun run) {
        runs.add(run);
        nextRun = run.run().last() + 1;
    }

    /** What to merge now, if anything. */
    @Nullable
    KeyMerge planMerge() {
        List<Run> all = runs.stream().map(KeyRun::run).toList();
        int from = isHalfDeleted() ? 0 : KeyMerge.mergeFrom(all);
        return from < 0
                ? null
                : new KeyMerge(files, folder, all.subList(from, all.size()), KeySpans.of(deletes.all(), tableOf));
    }

    /** Of the points that begin the blocks of the runs, half or more were deleted: by them it is judged what to write again. */
    private boolean isHalfDeleted() {
        long blocks = 0;
        long deleted = 0;
        for (KeyRun run : deletes.isEmpty() ? List.<KeyRun>of() : runs) {
            blocks += run.blocks();
            deleted += run.blocksDeleted(deletes);
        }
        return deleted > 0 && 2 * deleted >= blocks;
    }

    /** A merge's output takes the place of its inputs; closed and forgotten where they have changed. */
    void replace(KeyMerge merge, KeyRun output) throws IOException {
        List<Run> inputs = merge.inputs();
        int from = 0;
        while (from < runs.size() && !runs.get(from).run().equals(inputs.getFirst())) {
            from++;
        }
        int to = from + inputs.size();
        boolean same = to <= runs.size()
                && runs.subList(from, to).stream().map(KeyRun::run).toList().equals(inputs);
        if (!same) {
            output.close();
            return;
        }
        for (KeyRun run : runs.subList(from, to)) {
            run.close();
        }
        runs.subList(from, to).clear();
        runs.add(from, output);
        deletes.forget(runs.getFirst().run().first());
        if (from == 0) {
            // What the merge knew of was before its youngest input: no other run needs it.
            merge.deletes().forEach(deletes::remove);
        }
    }

    /** @param newest file of each series' newest point */
    KeyManifest manifest(KeyFile newest) {
        return new KeyManifest(runs.stream().map(KeyRun::run).toList(), newest, deletes.all(), nextRun);
    }

    @Override
    public void close() throws IOException {
        for (KeyRun run : runs) {
            run.close();
        }
    }

    private OptionalLong floor(KeyRun run, int series, long time) {
        long bound = time;
        while (true) {
            OptionalLong found;
            try {
                found = run.floor(series, bound);
            } catch (IOException e) {
                throw unreadable(run, e);
            }
            KeySpans.Span deleted = found.isEmpty()
                    ? null
                    : deletes.covering(series, found.getAsLong(), run.run().last());
            if (deleted == null) {
                return found;
            }
            if (deleted.from() == Long.MIN_VALUE) {
                return OptionalLong.empty();
            }
            bound = deleted.from() - 1;
        }
    }

    private static UncheckedIOException unreadable(KeyRun run, IOException e) {
        return new UncheckedIOException("key run " + run.run().file().name() + ": " + e.getMessage(), e);
    }
}
