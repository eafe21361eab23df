package dev.weir.partition.file;

import dev.weir.partition.model.Column;

/**
 * A column of the table as a data file has it.
 *
 * @param column as it was when the file was written
 * @param name what it is called in the file: the column's own name, or one made from it
 */
public record FileColumn(Column column, String name) {}
