package dev.weir.node.config;

import dev.weir.query.sql.route.RouteConfig;
import dev.weir.query.sql.route.RouteConfig.Mode;
import dev.weir.query.sql.run.SqlConfig;

/**
 * How statements run.
 *
 * @param bufferBytesMax of one table's rows in one partition that no file holds yet, as they travel
 * @param routing which node answers
 */
public record SqlSettings(SqlConfig sql, long bufferBytesMax, RouteConfig routing) {
    static SqlSettings of(Settings settings) {
        try {
            return new SqlSettings(sql(settings), settings.bytes("sql.buffer-bytes-max"), routing(settings));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static RouteConfig routing(Settings settings) {
        Mode mode = switch (settings.text("sql.routing")) {
            case "auto" -> Mode.AUTO;
            case "local" -> Mode.LOCAL;
            default -> throw ConfigException.of("sql.routing", "auto or local", settings.text("sql.routing"));
        };
        return new RouteConfig(mode, settings.bytes("sql.routing-bytes-min"));
    }

    private static SqlConfig sql(Settings settings) {
        return new SqlConfig(
                settings.count("sql.concurrent-max"),
                SqlConfig.defaults().threads(),
                settings.bytes("sql.memory-bytes"),
                settings.bytes("sql.spill-bytes"),
                settings.count("sql.rows-max"),
                settings.duration("sql.timeout"),
                settings.count("sql.tenant-concurrent-max"),
                settings.count("sql.tenant-queue-max"),
                Math.toIntExact(settings.bytes("sql.text-bytes-max")),
                Math.toIntExact(settings.bytes("sql.answer-bytes-max")));
    }
}
