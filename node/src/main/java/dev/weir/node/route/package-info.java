/**
 * What this node says of itself to others, and hears of them, so that statements go where the files are: hints alone, for
 * {@code dev.weir.query.sql.route}. Depends on internal calls, the catalog's image and the partition engine's figures.
 */
@NullMarked
package dev.weir.node.route;

import org.jspecify.annotations.NullMarked;
