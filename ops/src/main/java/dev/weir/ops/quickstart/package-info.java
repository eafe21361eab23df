/** {@code weir quickstart}: a cluster, real data, the change stream and a killed leader, told in words and judged at the end. */
@NullMarked
package dev.weir.ops.quickstart;

import org.jspecify.annotations.NullMarked;
