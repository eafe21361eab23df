/**
 * A partition's change events as a replayable source. Read by the gateway now and by stream processing later.
 */
@NullMarked
package dev.weir.partition.feed;

import org.jspecify.annotations.NullMarked;
