package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A place where a statement names a table of the tenant (not of its own WITH).
 *
 * @param reference the node
 * @param select the query that names it in its FROM
 * @param name as written
 * @param schema empty or {@code information_schema}
 * @param alone nothing else is in that FROM, so that a column without a qualifier is of this table
 * @param filtered what the WHERE of that query refuses cannot matter (it is not on the padded side of an outer join)
 * @param maybeTwice stands in a WITH, which may be read more than once
 */
public record TableUse(
        ObjectNode reference,
        ObjectNode select,
        String name,
        String schema,
        boolean alone,
        boolean filtered,
        boolean maybeTwice) {
    /** Its columns have other names here: {@code FROM t AS a(x, y)}. */
    public boolean renamesColumns() {
        return !reference.path("column_name_alias").isEmpty();
    }

    /** Rows are drawn from it before its WHERE is looked at. */
    public boolean sampled() {
        return reference.path("sample").isObject() || select.path("sample").isObject();
    }

    /** What qualifies its columns. */
    public String alias() {
        String alias = reference.path("alias").asText();
        return alias.isEmpty() ? name : alias;
    }
}
