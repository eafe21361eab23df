package dev.weir.partition.catalog;

/**
 * One entry of the catalog's log.
 *
 * @param id of this proposal, unique in the cluster: a proposal that is sent again is answered as the first time
 */
record CatalogEntry(String id, CatalogLimits limits, CatalogCommand command) {}
