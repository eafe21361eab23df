package dev.weir.node.ingest;

import dev.weir.partition.entry.BlockView;
import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.EntryReader;
import dev.weir.partition.entry.RecordBuilder;
import dev.weir.partition.entry.RecordReader;
import dev.weir.partition.entry.Section;
import dev.weir.partition.entry.SeriesDefinition;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendRequest;
import dev.weir.wal.segment.SegmentRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decodes requests to rows, through the real formats of entry and record. */
final class BlockRows implements Definitions {
    private final List<SeriesDefinition> series = new ArrayList<>();
    private final Map<List<Integer>, TableSchema> schemas = new HashMap<>();

    static List<StoredRow> of(AppendRequest request) {
        BlockRows definitions = new BlockRows();
        EntryBuilder entry = new EntryBuilder(definitions);
        entry.add(request, 0);
        RecordBuilder record = new RecordBuilder();
        for (Section section : EntryReader.read(entry.build())) {
            for (BlockView block : ((Section.AppendSection) section).blocks()) {
                record.addRows(block, definitions.define(block), null, null);
            }
        }
        List<StoredRow> rows = new ArrayList<>();
        SegmentRecord stored = new SegmentRecord(1, record.count(), 1, record.build());
        for (ChangeBatch batch : RecordReader.read(request.partition(), stored, 1, definitions)) {
            for (int i = 0; i < batch.count(); i++) {
                rows.add(StoredRow.of(batch.event(i)));
            }
        }
        return rows;
    }

    private int[] define(BlockView block) {
        if (block.inlineSchema() != null) {
            schemas.put(List.of(block.tableId(), block.schemaVersion()), block.inlineSchema());
        }
        int[] ids = new int[block.seriesCount()];
        for (int ref = 0; ref < ids.length; ref++) {
            ids[ref] = series.size();
            series.add(block.definition(ref, ids[ref]));
        }
        return ids;
    }

    @Override
    public int seriesId(int tableId, long hash, byte[] bytes, int from, int length) {
        return -1;
    }

    @Override
    public List<Tag> tags(int seriesId) {
        List<Tag> tags = new ArrayList<>();
        ByteBuffer canonical = ByteBuffer.wrap(series.get(seriesId).canonicalTags());
        while (canonical.hasRemaining()) {
            tags.add(new Tag(text(canonical), text(canonical)));
        }
        return tags;
    }

    @Override
    public long hash(int seriesId) {
        return series.get(seriesId).hash();
    }

    @Override
    public TableSchema schema(int tableId, int version) {
        return schemas.get(List.of(tableId, version));
    }

    private static String text(ByteBuffer from) {
        byte[] bytes = new byte[from.getInt()];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
