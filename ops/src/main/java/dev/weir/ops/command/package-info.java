/** The commands that talk to a running cluster: options in, one call, a table or JSON out. */
@NullMarked
package dev.weir.ops.command;

import org.jspecify.annotations.NullMarked;
