/** {@code weir query}: statements, their answers in five forms, and the prompt. Uses the client; knows no server code. */
@NullMarked
package dev.weir.ops.query;

import org.jspecify.annotations.NullMarked;
