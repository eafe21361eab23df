/**
 * Ordered, durable, replicated bytes. Knows no point and no table.
 *
 * <p>May depend on the JDK, SLF4J and (in {@code dev.weir.wal.ratis} only) Apache Ratis. Everything above depends on
 * the interfaces of this package.
 */
@NullMarked
package dev.weir.wal;

import org.jspecify.annotations.NullMarked;
