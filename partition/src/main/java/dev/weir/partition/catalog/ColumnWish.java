package dev.weir.partition.catalog;

import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;

/**
 * A column that rows want to use.
 *
 * @param beyondDouble values beyond ±2^53 will be written to this INT64 field
 * @param widens a FLOAT64 may widen an existing INT64 field (JSON only)
 */
public record ColumnWish(String name, ColumnRole role, FieldType type, boolean beyondDouble, boolean widens) {}
