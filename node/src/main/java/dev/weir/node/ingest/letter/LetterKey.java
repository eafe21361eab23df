package dev.weir.node.ingest.letter;

/** Tells a letter from all others of a tenant. */
public record LetterKey(long timeNanos, String node, String code) {}
