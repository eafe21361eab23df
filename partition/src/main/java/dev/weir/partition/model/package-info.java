/**
 * The words that all modules share: points, series, schemas, change events, cursors, error codes. Imports only the JDK.
 */
@NullMarked
package dev.weir.partition.model;

import org.jspecify.annotations.NullMarked;
