/**
 * What SQL reads: images of tables as of one cut. The port {@link dev.weir.query.sql.image.TableImages} is implemented in node, over partitions here
 * and elsewhere; this package knows files and Arrow batches, not how they came to be.
 */
@NullMarked
package dev.weir.query.sql.image;

import org.jspecify.annotations.NullMarked;
