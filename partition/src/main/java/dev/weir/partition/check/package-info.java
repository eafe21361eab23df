/**
 * What must always hold (DESIGN §10), as classes fed with what was acknowledged, what the stream told and what the tables hold. Plain objects
 * used by tests and tools; depends on the model alone.
 */
@NullMarked
package dev.weir.partition.check;

import org.jspecify.annotations.NullMarked;
