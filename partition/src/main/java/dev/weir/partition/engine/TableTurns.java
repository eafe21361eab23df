package dev.weir.partition.engine;

import java.util.ArrayList;
import java.util.List;

/** Whose turn it is where not all tables can be looked at: that of the next by id after the one that had the last. Any thread. */
final class TableTurns {
    private int last = Integer.MIN_VALUE;

    /** @param tables ascending */
    synchronized List<Integer> order(List<Integer> tables) {
        int first = 0;
        while (first < tables.size() && tables.get(first) <= last) {
            first++;
        }
        List<Integer> order = new ArrayList<>(tables.subList(first, tables.size()));
        order.addAll(tables.subList(0, first));
        return order;
    }

    /** The table has its turn now. */
    synchronized void had(int table) {
        last = table;
    }
}
