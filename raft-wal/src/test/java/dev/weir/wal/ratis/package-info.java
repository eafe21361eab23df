/** Tests of the log host: several hosts in one process, with a small real state. */
package dev.weir.wal.ratis;
