package dev.weir.node.ingest;

/**
 * Something of a node that is not as it should be, while it goes on: writes are taken.
 *
 * @param name stable: {@code store_probe}, {@code store}, {@code store_clock}, {@code clock}, {@code flush}, {@code orphans}, {@code publish}
 * @param message what was expected and found
 */
public record HealthCheck(String name, String message) {}
