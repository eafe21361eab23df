package dev.weir.partition.engine;

import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileReader;
import dev.weir.partition.file.MergeCounts;
import dev.weir.partition.file.MergeRows;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.Pinned;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges files of a day into one: rows of one point by field, deletes in force applied. What it answers has still to be committed through the log; where
 * that fails the output belongs to nobody. Blocks on disk and store; one thread.
 */
final class TableCompaction {
    private final int partition;
    private final FileCache cache;
    private final FileOutput output;

    TableCompaction(int partition, FileCache cache, FileOutput output) {
        this.partition = partition;
        this.cache = cache;
        this.output = output;
    }

    /** @param term in which this replica leads */
    CompactionSection run(TableCut cut, CompactionPlan plan, long term)
            throws IOException, StoreException, InterruptedException {
        List<StoredFile> inputs = plan.inputs();
        long through = cut.nextSeq() - 1;
        List<Pinned> pinned = new ArrayList<>();
        try {
            List<RowSource> sources = new ArrayList<>();
            for (StoredFile input : inputs) {
                Pinned here = cache.open(input);
                pinned.add(here);
                sources.add(DataFileReader.open(here.path(), cut.schema()));
            }
            try (MergeRows merged = new MergeRows(
                    cut.schema(), sources, new DeleteRules(cut.files().deletes(), through))) {
                FileOutput.Range range = new FileOutput.Range(
                        partition,
                        inputs.stream().mapToLong(StoredFile::firstSeq).min().orElseThrow(),
                        inputs.stream().mapToLong(StoredFile::lastSeq).max().orElseThrow(),
                        inputs.stream()
                                .mapToLong(StoredFile::firstCommittedAtNanos)
                                .min()
                                .orElseThrow(),
                        inputs.stream()
                                .mapToLong(StoredFile::lastCommittedAtNanos)
                                .max()
                                .orElseThrow(),
                        through);
                boolean repeats = !plan.first() && inputs.stream().anyMatch(StoredFile::repeats);
                List<StoredFile> outputs =
                        output.write(merged, cut, range, repeats).map(List::of).orElseGet(List::of);
                check(inputs, outputs, merged.counts());
                return new CompactionSection(
                        cut.schema().tableId(),
                        inputs.stream().map(StoredFile::key).toList(),
                        outputs,
                        through,
                        term);
            }
        } finally {
            pinned.forEach(Pinned::close);
        }
    }

    /** No row may come or go unseen. */
    private void check(List<StoredFile> inputs, List<StoredFile> outputs, MergeCounts counts) {
        long in = inputs.stream().mapToLong(StoredFile::rows).sum();
        long out = outputs.stream().mapToLong(StoredFile::rows).sum();
        if (counts.in() != in || counts.out() != out || in != out + counts.merged() + counts.deleted()) {
            throw new IllegalStateException("partition " + partition + ": compaction of "
                    + inputs.getFirst().key() + " and " + (inputs.size() - 1) + " more: expected " + in
                    + " rows in = out + merged + deleted, found " + counts.in() + " in, " + out + " out, " + counts);
        }
    }
}
