package dev.weir.partition.delta;

import io.delta.kernel.internal.SnapshotImpl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A version of a Delta table, as its log has it.
 *
 * @param snapshot Kernel's, null where there is no log yet
 * @param through what {@link TableProperties} says of the cut
 */
record PublishedTable(
        @Nullable SnapshotImpl snapshot, Map<FileGroup, List<PublishedFile>> groups, SortedMap<Integer, Long> through) {
    static PublishedTable of(
            @Nullable SnapshotImpl snapshot, List<PublishedFile> files, SortedMap<Integer, Long> through) {
        Map<FileGroup, List<PublishedFile>> groups = new HashMap<>();
        files.forEach(file ->
                groups.computeIfAbsent(file.group(), any -> new ArrayList<>()).add(file));
        return new PublishedTable(snapshot, groups, through);
    }
}
