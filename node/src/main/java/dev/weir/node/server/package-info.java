/** The server put together: replicas, routers between nodes, HTTP edges. {@link dev.weir.node.server.Server} reads as the architecture. */
@NullMarked
package dev.weir.node.server;

import org.jspecify.annotations.NullMarked;
