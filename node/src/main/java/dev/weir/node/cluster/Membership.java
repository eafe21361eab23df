package dev.weir.node.cluster;

import java.util.Optional;
import java.util.Set;

/**
 * Hints about the other nodes: who is up, who leads what. Every hint may be late, missing or wrong; whoever uses one is corrected by the
 * answer he gets. Any thread; nothing blocks.
 */
public interface Membership extends AutoCloseable {
    /** The key under which {@link #leader} keeps the catalog's leader; partitions use their ids. */
    int CATALOG = -1;

    /** Node ids that are seen here; without this node while the layer is down. */
    Set<String> up();

    /** Calls back when {@link #up} may have changed; the callback only signals. */
    AutoCloseable onChange(Runnable listener);

    /** Tells the others that this node leads a partition, or {@link #CATALOG}. */
    void announceLeader(int partition);

    /** The node that was last said to lead a partition. */
    Optional<String> leader(int partition);

    @Override
    void close();
}
