package dev.weir.cdc;

import java.util.Optional;

/**
 * A request for a stream, checked as far as it can be without asking anyone.
 *
 * @param arrow empty where it is one of Server-Sent Events
 */
record StreamRequest(RunKey key, Start start, Delivery delivery, Optional<ArrowOptions> arrow) {}
