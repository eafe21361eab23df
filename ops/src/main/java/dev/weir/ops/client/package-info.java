/** Calls to a cluster over HTTP and what can come of them. Depends on the JDK and Jackson. */
@NullMarked
package dev.weir.ops.client;

import org.jspecify.annotations.NullMarked;
