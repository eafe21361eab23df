package dev.weir.partition.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a manifest says of which points exist: files of a replica's key folder, and deletes that they do not reflect.
 *
 * @param runs older points, ascending by {@link Run#first}
 * @param newest the newest point of each series; null where the segments have to be read for it (a manifest of version 1, or none yet)
 * @param nextRun id of the next run
 */
record KeyManifest(List<Run> runs, @Nullable KeyFile newest, List<KeySpans.Span> deletes, long nextRun) {
    static final KeyManifest NONE = new KeyManifest(List.of(), null, List.of(), 1);

    KeyManifest {
        runs = List.copyOf(runs);
        deletes = List.copyOf(deletes);
    }

    /** Files named. */
    List<KeyFile> files() {
        List<KeyFile> files = new java.util.ArrayList<>();
        runs.forEach(run -> files.add(run.file()));
        if (newest != null) {
            files.add(newest);
        }
        return files;
    }

    /** @param name in the key folder */
    record KeyFile(String name, long bytes, int crc32c) {}

    /** A run stands for the spills {@code first} to {@code last}. */
    record Run(long first, long last, long points, KeyFile file) {}
}
