/**
 * How many series tenants have in the cluster, and what leaders may still let in. May depend on the catalog and the writers' ports; knows no
 * HTTP.
 */
@NullMarked
package dev.weir.node.quota;

import org.jspecify.annotations.NullMarked;
