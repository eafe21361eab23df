package dev.weir.node.letters;

import dev.weir.node.ingest.BatchIds;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.DeleteRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cuts a slice into pieces: of each partition, the rows that have the same of the tags that were asked for. */
final class PieceCutter {
    private final Catalog catalog;
    private final BatchIds batches;

    PieceCutter(Catalog catalog, BatchIds batches) {
        this.catalog = catalog;
        this.batches = batches;
    }

    private record Place(PartitionRecord partition, List<Tag> tags) {}

    /**
     * @param combinations each row of the slice has the tags of exactly one
     * @throws RefusedException a partition is so new that the slice does not tell of it
     */
    List<Piece> cut(TableSchema table, RowSlice slice, List<List<Tag>> combinations) {
        Map<Place, List<Integer>> rows = new LinkedHashMap<>();
        Map<List<Tag>, Place> known = new LinkedHashMap<>();
        for (int i = 0; i < slice.rows().size(); i++) {
            Place place = known.computeIfAbsent(slice.rows().get(i).tags(), tags -> place(table, tags, combinations));
            rows.computeIfAbsent(place, none -> new ArrayList<>()).add(i);
        }
        Map<List<Tag>, String> changes = new LinkedHashMap<>();
        List<Piece> pieces = new ArrayList<>();
        rows.forEach((place, indexes) -> {
            String changeId = changes.computeIfAbsent(place.tags, tags -> batches.nextChangeId());
            pieces.add(new Piece(delete(table, slice, place, changeId), indexes));
        });
        return pieces;
    }

    private DeleteRequest delete(TableSchema table, RowSlice slice, Place place, String changeId) {
        PartitionRecord partition = place.partition;
        return new DeleteRequest(
                partition.id(),
                partition.generation(),
                batches.next(),
                table.tenant(),
                table.tableId(),
                table.name(),
                null,
                new DeleteRequest.Range(
                        place.tags, slice.fromNanos(), slice.toNanos(), false, asOf(slice, partition.id())),
                changeId);
    }

    private Place place(TableSchema table, List<Tag> tags, List<List<Tag>> combinations) {
        SeriesKey series = new SeriesKey(table.tenant(), table.name(), tags);
        List<Tag> asked = combinations.stream()
                .filter(tags::containsAll)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("row with tags " + tags + ", asked for " + combinations));
        return new Place(catalog.image().partitionOf(series.slot()), asked);
    }

    private static long asOf(RowSlice slice, int partition) {
        Long seq = slice.cut().next().get(partition);
        if (seq == null) {
            throw new RefusedException(
                    Refusal.of(ErrorCode.NO_LEADER, "partition " + partition + " is new and was not read: call again"));
        }
        return seq;
    }
}
