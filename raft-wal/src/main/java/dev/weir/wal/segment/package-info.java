/**
 * Change segments: append-only files of records that each cover a dense range of sequence numbers.
 *
 * <p>Depends on the JDK alone. A record's payload is opaque here.
 */
@NullMarked
package dev.weir.wal.segment;

import org.jspecify.annotations.NullMarked;
