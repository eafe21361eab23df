/**
 * Dead letters: rows that a write refused for good, kept as rows of the tenant's table {@code _dead_letters} with their text and reason, by the same way
 * as other rows. Knows no HTTP; of the node's configuration, the bounds of its section. Called on virtual threads; blocks, for a bounded time.
 */
@NullMarked
package dev.weir.node.ingest.letter;

import org.jspecify.annotations.NullMarked;
