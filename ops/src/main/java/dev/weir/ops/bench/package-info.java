/** Load and stop-watches, so that anyone can repeat our figures: ingest, change stream, failover. Clients are kept cheap, since they share the machine. */
@NullMarked
package dev.weir.ops.bench;

import org.jspecify.annotations.NullMarked;
