package dev.weir.query.sql.route;

/**
 * @param mode {@code sql.routing}
 * @param bytesMin {@code sql.routing-bytes-min}: what a tenant must have in files before its statements leave the node that got them
 */
public record RouteConfig(Mode mode, long bytesMin) {
    /** Where statements are answered. */
    public enum Mode {
        /** By the node that most likely holds the files. */
        AUTO,
        /** By the node that got the statement. */
        LOCAL
    }
}
