/**
 * Where files live for good: a port over object stores, its two forms ({@code file:} and {@code s3:}), the names of data files in it, and the
 * disk cache before it. Knows bytes and keys, no rows; may depend on {@code entry.StoredFile} and the JDK, and on the AWS SDK inside
 * {@code S3*}.
 */
@NullMarked
package dev.weir.partition.store;

import org.jspecify.annotations.NullMarked;
