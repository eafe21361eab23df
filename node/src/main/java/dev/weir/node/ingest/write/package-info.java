/**
 * Rows to the partitions: agreement on their schema, judgement of each, routing by slot, sending, and the report of what became of them. Knows no
 * HTTP. Runs on virtual threads; may block.
 */
@NullMarked
package dev.weir.node.ingest.write;

import org.jspecify.annotations.NullMarked;
