/**
 * What a consumer of the change stream needs: a blocking client, a parser of Server-Sent Events, and a deduplicator. Imports only the JDK and is
 * also built as a jar of its own (classifier {@code consumer}).
 */
@NullMarked
package dev.weir.cdc.consumer;

import org.jspecify.annotations.NullMarked;
