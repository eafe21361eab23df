/**
 * The change stream over HTTP: filter, merge, resume, deliver. Used by node, which mounts {@link dev.weir.cdc.CdcRoutes}; knows the domain
 * only by its ports (feeds, catalog, cursor).
 */
@NullMarked
package dev.weir.cdc;

import org.jspecify.annotations.NullMarked;
