package dev.weir.node.ingest.rows;

/** A body whose rows can be read from the beginning as often as needed. */
@FunctionalInterface
public interface RowSource {
    RowReader open();
}
