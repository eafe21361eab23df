/**
 * The node's configuration: keys, where their values come from, and one checked record per section.
 *
 * <p>Depends on the JDK only. The assembly reads the records and hands each part what it needs.
 */
@NullMarked
package dev.weir.node.config;

import org.jspecify.annotations.NullMarked;
