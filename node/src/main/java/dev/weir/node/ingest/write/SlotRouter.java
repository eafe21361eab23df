package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.Row;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spreads fitting rows over the lanes of their partitions. Used by one thread. */
final class SlotRouter {
    private final SlotMap map;
    private final BuilderPool pool;
    private final boolean cutsByChunk;
    private final @Nullable Lane[] lanes;
    private int chunk;

    /** @param cutsByChunk requests end with their chunk and nowhere else */
    SlotRouter(SlotMap map, BuilderPool pool, boolean cutsByChunk) {
        this.map = map;
        this.pool = pool;
        this.cutsByChunk = cutsByChunk;
        this.lanes = new @Nullable Lane[map.size()];
    }

    /** The epoch of the map by which rows are spread. */
    long epoch() {
        return map.epoch();
    }

    /** False where no partition owns the row's slot. */
    boolean route(Row row, long timestampNanos, Judge judge, TableSchema schema, int ordinal, int rowChunk) {
        if (rowChunk != chunk) {
            close();
            chunk = rowChunk;
        }
        int place = map.placeOf(row.series().slot());
        if (place < 0) {
            return false;
        }
        Lane lane = lanes[place];
        if (lane == null) {
            lane = new Lane(map.partition(place), pool);
            lanes[place] = lane;
        }
        lane.add(row, timestampNanos, judge, schema, ordinal);
        if (!cutsByChunk && lane.isFull()) {
            lane.close(chunk);
        }
        return true;
    }

    /** Closes what is being gathered, and returns the lanes in use. */
    List<Lane> finish() {
        close();
        List<Lane> used = new ArrayList<>();
        for (Lane lane : lanes) {
            if (lane != null) {
                used.add(lane);
            }
        }
        return used;
    }

    private void close() {
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.close(chunk);
            }
        }
    }
}
