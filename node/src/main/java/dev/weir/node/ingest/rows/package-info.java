/**
 * Bodies into rows: the line-protocol parser (hot path), the JSON reader, and the caches of names and series that they share. Knows no HTTP, no
 * catalog and no partition; uses the model and JDK, Jackson for JSON.
 */
@NullMarked
package dev.weir.node.ingest.rows;

import org.jspecify.annotations.NullMarked;
