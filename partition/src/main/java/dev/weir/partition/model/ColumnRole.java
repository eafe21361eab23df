package dev.weir.partition.model;

/** Whether a column belongs to the series or to the point. */
public enum ColumnRole {
    TAG,
    FIELD
}
