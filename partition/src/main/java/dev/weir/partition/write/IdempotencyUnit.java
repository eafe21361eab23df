package dev.weir.partition.write;

/**
 * The unit in which a client's repeats are suppressed.
 *
 * @param tenant whose key it is
 * @param key the client's {@code Idempotency-Key}
 * @param bodyDigest SHA-256 of the body as the client meant it (decompressed), with what else selects its meaning (precision, time)
 * @param chunk which piece of the body, cut before routing
 */
public record IdempotencyUnit(String tenant, String key, byte[] bodyDigest, int chunk) {}
