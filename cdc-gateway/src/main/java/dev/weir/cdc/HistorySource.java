package dev.weir.cdc;

import dev.weir.partition.engine.History;

/** Where streams get tables from as they stand, and how much of that they may. */
public record HistorySource(History history, HistoryConfig config) {}
