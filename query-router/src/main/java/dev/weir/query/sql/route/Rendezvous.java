package dev.weir.query.sql.route;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Rendezvous hashing: each tenant has its own order of nodes, the same on every node, and a node that comes or goes moves only the tenants that it
 * comes first for.
 */
final class Rendezvous {
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Rendezvous() {}

    static List<String> order(String tenant, Collection<String> nodes) {
        return nodes.stream()
                .sorted(Comparator.comparingLong((String node) -> weight(tenant, node))
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static long weight(String tenant, String node) {
        return mixed(hash(hash(hash(FNV_BASIS, tenant), "\n"), node));
    }

    private static long hash(long seed, String text) {
        long hash = seed;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }

    /** Names that differ in their last letter alone must differ in all bits. */
    private static long mixed(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
