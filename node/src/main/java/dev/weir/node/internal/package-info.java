/**
 * What nodes say to each other over the HTTP port ({@code /internal/v1}): binary, versioned, only with the cluster's secret. Requests and
 * hints; truth stays in the logs.
 */
@NullMarked
package dev.weir.node.internal;

import org.jspecify.annotations.NullMarked;
