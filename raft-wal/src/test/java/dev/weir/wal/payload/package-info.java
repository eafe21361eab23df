/** The measurements of ADR 001: three ways to hold the payload of a replicated log, on real Ratis servers. Run by hand. */
package dev.weir.wal.payload;
