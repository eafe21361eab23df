package dev.weir.partition.entry;

import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A replica's definitions, as simply as can be. */
final class TestDefinitions implements Definitions {
    private final List<SeriesDefinition> series = new ArrayList<>();
    private final Map<Key, Integer> ids = new HashMap<>();
    private final Map<List<Integer>, TableSchema> schemas = new HashMap<>();

    private record Key(int tableId, List<Tag> tags) {}

    @Override
    public int seriesId(int tableId, long hash, byte[] bytes, int from, int length) {
        return ids.getOrDefault(new Key(tableId, CanonicalTags.decode(bytes, from, length)), -1);
    }

    @Override
    public List<Tag> tags(int seriesId) {
        byte[] tags = series.get(seriesId).canonicalTags();
        return CanonicalTags.decode(tags, 0, tags.length);
    }

    @Override
    public long hash(int seriesId) {
        return series.get(seriesId).hash();
    }

    @Override
    public TableSchema schema(int tableId, int version) {
        return schemas.get(List.of(tableId, version));
    }

    /** Takes the definitions of a block, as applying it does, and answers the id of each of its series. */
    int[] resolve(BlockView block) {
        if (block.inlineSchema() != null) {
            schemas.put(List.of(block.tableId(), block.schemaVersion()), block.inlineSchema());
        }
        int[] resolved = new int[block.seriesCount()];
        for (int ref = 0; ref < resolved.length; ref++) {
            resolved[ref] =
                    block.seriesId(ref) >= 0 ? block.seriesId(ref) : define(block.definition(ref, series.size()));
        }
        return resolved;
    }

    private int define(SeriesDefinition definition) {
        byte[] tags = Arrays.copyOf(definition.canonicalTags(), definition.canonicalTags().length);
        Key key = new Key(definition.tableId(), CanonicalTags.decode(tags, 0, tags.length));
        return ids.computeIfAbsent(key, k -> {
            series.add(definition);
            return definition.seriesId();
        });
    }
}
