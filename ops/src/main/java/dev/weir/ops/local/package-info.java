/** Clusters of processes on this machine, for play and tests: start, stop, kill, pause. */
@NullMarked
package dev.weir.ops.local;

import org.jspecify.annotations.NullMarked;
