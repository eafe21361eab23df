package dev.weir.query.sql.plan;

/** Names and texts as parts of SQL. */
public final class Quoted {
    private Quoted() {}

    public static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    public static String text(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
