/** The command line {@code weir}. Speaks HTTP only; starts servers as processes of their own and never links them. */
@NullMarked
package dev.weir.ops;

import org.jspecify.annotations.NullMarked;
