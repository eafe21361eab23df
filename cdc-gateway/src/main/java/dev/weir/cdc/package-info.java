/**
 * The change stream over HTTP and Arrow Flight: filter, merge, resume, deliver. Used by node, which mounts {@link dev.weir.cdc.CdcRoutes} and opens
 * {@link dev.weir.cdc.FlightPort}; knows the domain only by its ports (feeds, catalog, cursor).
 */
@NullMarked
package dev.weir.cdc;

import org.jspecify.annotations.NullMarked;
