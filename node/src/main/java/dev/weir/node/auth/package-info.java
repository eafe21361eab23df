/**
 * Who calls, and what they may do: tokens are made here, and checked against the catalog's image.
 *
 * <p>Depends on {@code partition}'s catalog. A secret appears in no message, log or {@code toString}.
 */
@NullMarked
package dev.weir.node.auth;

import org.jspecify.annotations.NullMarked;
