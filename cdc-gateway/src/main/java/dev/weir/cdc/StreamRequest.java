package dev.weir.cdc;

/** A request for a stream, checked as far as it can be without asking anyone. */
record StreamRequest(RunKey key, Start start) {}
