/**
 * Who should lead: what nodes tell each other every few seconds, and what a leader does for its partitions by it. May depend on the log's port
 * and the catalog; knows no HTTP and no Hazelcast.
 */
@NullMarked
package dev.weir.node.lead;

import org.jspecify.annotations.NullMarked;
