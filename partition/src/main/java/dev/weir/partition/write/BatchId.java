package dev.weir.partition.write;

/**
 * Names one batch of one front door, so that a retry inside the cluster never doubles an event.
 *
 * @param node the front door's node id
 * @param incarnation of its process, from the catalog; rises at each start
 * @param counter rising within the incarnation
 */
public record BatchId(String node, long incarnation, long counter) {}
