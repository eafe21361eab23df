/**
 * The log host on Apache Ratis, the only package that knows Ratis.
 *
 * <p>May depend on {@code dev.weir.wal}, the JDK, SLF4J and Ratis. Shows to the outside {@link RatisLogHost} and what it is
 * started with. One Ratis server with gRPC serves all groups of a node.
 */
@NullMarked
package dev.weir.wal.ratis;

import org.jspecify.annotations.NullMarked;
