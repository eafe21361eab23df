/** The node's entry point. May depend on everything below it; nothing depends on it. */
@NullMarked
package dev.weir.node;

import org.jspecify.annotations.NullMarked;
