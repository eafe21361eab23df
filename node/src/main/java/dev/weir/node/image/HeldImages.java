package dev.weir.node.image;

import dev.weir.node.internal.PartitionTables;
import dev.weir.node.internal.PartitionTables.Buffered;
import dev.weir.partition.engine.DeleteRule;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.query.sql.image.BufferImage;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.image.DeletedRange;
import dev.weir.query.sql.image.FileImage;
import dev.weir.query.sql.image.ImageSet;
import dev.weir.query.sql.image.ReadCut;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import dev.weir.query.sql.image.TimeRange;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/** Images of one statement, with the files that they hold. Built by one thread. */
final class HeldImages implements ImageSet {
    private final ReadCut cut;
    private final DataFiles files;
    private final List<TableImage> images = new ArrayList<>();
    private final List<DataFiles.Held> held = new ArrayList<>();

    HeldImages(ReadCut cut, DataFiles files) {
        this.cut = cut;
        this.files = files;
    }

    @Override
    public List<TableImage> images() {
        return images;
    }

    @Override
    public ReadCut cut() {
        return cut;
    }

    /**
     * Adds the table that was asked for in place {@code index}; fetches its files.
     *
     * @throws RefusedException a file can't be had
     */
    void add(TableSchema schema, int index, List<PartitionTables> parts, CancelSignal cancel)
            throws InterruptedException {
        List<TablePart> made = new ArrayList<>();
        Map<String, Integer> skipped = new HashMap<>();
        for (PartitionTables part : parts) {
            Optional<PartitionTables.Rows> rows = part.tables().get(index);
            if (rows.isPresent()) {
                skip(
                        skipped,
                        "all their rows are older or newer",
                        rows.get().skipped().byTime());
                skip(
                        skipped,
                        "no series of their partition has these tags",
                        rows.get().skipped().byTags());
                skip(
                        skipped,
                        "the newest row of each series is in the log",
                        rows.get().skipped().byNewest());
                made.add(part(schema, part.partition(), rows.get(), cancel));
            }
        }
        images.add(new TableImage(schema, made, skipped));
    }

    private static void skip(Map<String, Integer> skipped, String why, int files) {
        if (files > 0) {
            skipped.merge(why, files, Integer::sum);
        }
    }

    @Override
    public void close() {
        held.forEach(DataFiles.Held::close);
        held.clear();
    }

    private TablePart part(TableSchema schema, int partition, PartitionTables.Rows rows, CancelSignal cancel)
            throws InterruptedException {
        Repeats repeats = new Repeats(rows);
        List<FileImage> fileImages = new ArrayList<>();
        for (StoredFile file : rows.files()) {
            if (cancel.isCanceled()) {
                throw new RefusedException(Refusal.of(ErrorCode.CANCELED, "nobody waits for the statement any more"));
            }
            fileImages.add(image(file, schema, repeats));
        }
        List<BufferImage> buffers = new ArrayList<>();
        if (rows.buffered().rows() > 0) {
            buffers.add(image(rows.buffered(), repeats));
        }
        List<DeletedRange> deletes =
                rows.deletes().stream().map(rule -> deleted(rule, schema)).toList();
        return new TablePart(partition, fileImages, buffers, deletes);
    }

    private FileImage image(StoredFile file, TableSchema schema, Repeats repeats) throws InterruptedException {
        DataFiles.Held here = files.hold(file, schema);
        held.add(here);
        return new FileImage(
                here.path(),
                new TimeRange(file.minTimestampNanos(), file.maxTimestampNanos()),
                file.rows(),
                file.lastSeq(),
                repeats.touches(file.minTimestampNanos(), file.maxTimestampNanos()),
                here.footer().wholeMicros(),
                here.footer().columns());
    }

    private static BufferImage image(Buffered buffered, Repeats repeats) {
        return new BufferImage(
                new TimeRange(buffered.minNanos(), buffered.maxNanos()),
                buffered.rows(),
                buffered.maxSeq(),
                repeats.touches(buffered.minNanos(), buffered.maxNanos()),
                BufferArrow.columns(buffered.arrow()),
                allocator -> new ArrowStreamReader(new ByteArrayInputStream(buffered.arrow()), allocator));
    }

    /** An exact series says of each tag of the table what it is, or that it is missing. */
    private static DeletedRange deleted(DeleteRule rule, TableSchema schema) {
        Map<String, List<String>> tags = new LinkedHashMap<>();
        if (rule.exact()) {
            for (Column column : schema.columns()) {
                if (column.role() == ColumnRole.TAG) {
                    tags.put(column.name(), List.of(""));
                }
            }
        }
        for (Tag tag : rule.tags()) {
            tags.put(tag.key(), List.of(tag.value()));
        }
        return new DeletedRange(rule.seq(), new TimeRange(rule.fromNanos(), rule.toNanos()), tags);
    }

    /** The times in which a point may occur in more than one source. */
    private static final class Repeats {
        private final List<TimeRange> ranges = new ArrayList<>();

        Repeats(PartitionTables.Rows rows) {
            for (StoredFile file : rows.files()) {
                if (file.repeats()) {
                    ranges.add(new TimeRange(file.minTimestampNanos(), file.maxTimestampNanos()));
                }
            }
            Buffered buffered = rows.buffered();
            if (buffered.repeats()) {
                ranges.add(new TimeRange(buffered.minNanos(), buffered.maxNanos()));
            }
        }

        boolean touches(long minNanos, long maxNanos) {
            TimeRange range = new TimeRange(minNanos, maxNanos);
            return ranges.stream().anyMatch(each -> !each.and(range).isEmpty());
        }
    }
}
