package dev.weir.partition.model;

/**
 * A column of a table. A name has one role for good: a key is a tag or a field, never both.
 *
 * @param id unique in its table, never reused
 * @param name as written by the user, case-sensitive
 * @param type STRING for tags
 * @param beyondDouble an INT64 field in which a value beyond ±2^53 was or may have been acknowledged, so that it can't become FLOAT64
 */
public record Column(int id, String name, ColumnRole role, FieldType type, boolean beyondDouble) {}
