package dev.weir.partition.engine;

import java.io.IOException;
import java.util.Set;

/**
 * Which files others were told of, or hold by a lease: these stay in the store although no manifest names them any more. Any thread; blocks on the store.
 */
public interface Publications {
    Publications NONE = new Publications() {
        @Override
        public boolean isPublished(int tableId) {
            return false;
        }

        @Override
        public Set<String> keys(String prefix) {
            return Set.of();
        }

        @Override
        public void refresh() {}

        @Override
        public boolean isHeld(String key) {
            return false;
        }
    };

    /** The table is there and is to be published. */
    boolean isPublished(int tableId);

    /**
     * Keys of data files that a table's newest published version names.
     *
     * @param prefix of the table's keys
     */
    Set<String> keys(String prefix) throws IOException, InterruptedException;

    /**
     * From then on {@link #isHeld} knows of all leases that were taken and renewed before the call.
     *
     * @throws IOException that can't be known now: nothing may go
     */
    void refresh() throws IOException, InterruptedException;

    /** A lease holds the object, be it a data file or a cut: never blocks. */
    boolean isHeld(String key);
}
