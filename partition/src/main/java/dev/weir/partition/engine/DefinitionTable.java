package dev.weir.partition.engine;

import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.SeriesDefinition;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a partition's log has defined so far, in memory: series with ids, tables with the ids of their series, schema versions.
 *
 * <p>Threading: the apply thread adds, any thread reads.
 */
final class DefinitionTable implements Definitions {
    /** Decoded tags kept, a slot per low bits of the id; so a page of events decodes each series once. */
    private static final int DECODED = 1024;

    private final SeriesPages series = new SeriesPages();
    private final SeriesIndex index = new SeriesIndex(series);
    private final TableDirectory tables = new TableDirectory();
    private final AtomicReferenceArray<Decoded> decoded = new AtomicReferenceArray<>(DECODED);

    private record Decoded(int seriesId, List<Tag> tags) {}

    @Override
    public int seriesId(int tableId, long hash, byte[] bytes, int from, int length) {
        return index.find(tableId, hash, bytes, from, length);
    }

    @Override
    public List<Tag> tags(int seriesId) {
        int slot = seriesId & (DECODED - 1);
        Decoded found = decoded.get(slot);
        if (found == null || found.seriesId != seriesId) {
            found = new Decoded(seriesId, series.tags(seriesId));
            decoded.set(slot, found);
        }
        return found.tags;
    }

    @Override
    public long hash(int seriesId) {
        return series.hash(seriesId);
    }

    @Override
    public @Nullable TableSchema schema(int tableId, int version) {
        return tables.schema(tableId, version);
    }

    /** Series defined; their ids are 0 to one less. */
    int seriesCount() {
        return series.count();
    }

    int tableOf(int seriesId) {
        return series.table(seriesId);
    }

    SeriesDefinition definition(int seriesId) {
        return new SeriesDefinition(
                seriesId, series.table(seriesId), series.canonicalTags(seriesId), series.hash(seriesId));
    }

    TableDirectory tables() {
        return tables;
    }

    /** Bytes of all series' tags. */
    long tagBytes() {
        return series.tagBytes();
    }

    /** Defines a series that is not known. Returns its id. */
    int addSeries(int tableId, long hash, byte[] bytes, int from, int length) {
        int id = series.add(tableId, hash, bytes, from, length);
        index.add(id);
        tables.addSeries(tableId, id, bytes, from, length);
        return id;
    }

    void addSchema(TableSchema schema) {
        tables.addSchema(schema);
    }

    /** Adds what a definitions file holds, in its order. */
    DefinitionFrames.Target loader() {
        return new DefinitionFrames.Target() {
            @Override
            public void series(int id, int tableId, byte[] tags, long hash) {
                int given = addSeries(tableId, hash, tags, 0, tags.length);
                if (given != id) {
                    throw new IllegalStateException("definitions: expected series " + given + ", found " + id);
                }
            }

            @Override
            public void schema(TableSchema schema) {
                addSchema(schema);
            }
        };
    }
}
