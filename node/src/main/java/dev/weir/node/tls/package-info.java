/**
 * TLS on the HTTP port, and from this node to the HTTP ports of others: PEM files, read again when they change. Knows the configuration and Vert.x, nothing of what is
 * said over the connections.
 */
@NullMarked
package dev.weir.node.tls;

import org.jspecify.annotations.NullMarked;
