/**
 * What a consumer of the change stream needs: blocking clients of a stream ({@link dev.weir.cdc.consumer.WeirStream}) and of a named subscription
 * ({@link dev.weir.cdc.consumer.WeirSubscription}), a parser of Server-Sent Events, and a deduplicator. Imports only the JDK and is also built as a jar of its own (classifier
 * {@code consumer}).
 */
@NullMarked
package dev.weir.cdc.consumer;

import org.jspecify.annotations.NullMarked;
