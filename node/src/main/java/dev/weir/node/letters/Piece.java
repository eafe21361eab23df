package dev.weir.node.letters;

import dev.weir.partition.write.DeleteRequest;
import java.util.List;

/**
 * Rows of a slice that one delete takes.
 *
 * @param rows their places in the slice
 */
record Piece(DeleteRequest delete, List<Integer> rows) {}
