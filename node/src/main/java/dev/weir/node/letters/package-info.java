/**
 * What is done with dead letters: listing, writing again, purging, and holding their table within its bound. Asks by SQL, deletes through the log.
 * Knows no HTTP; blocks, on virtual threads.
 */
@NullMarked
package dev.weir.node.letters;

import org.jspecify.annotations.NullMarked;
