package dev.weir.partition.catalog;

/** A table whose drop is agreed and is being driven through the partitions. */
public record TableDrop(int tableId, String tenant, String name, String changeId) {}
