package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.RowFault;
import dev.weir.node.ingest.rows.RowReader;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.TableSettings;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How old a table's rows may be when they arrive. */
record AgeLimit(TableSettings settings, long oldestKeptNanos) {
    /** Of a table that keeps all. */
    static final AgeLimit NONE = new AgeLimit(TableSettings.DEFAULTS, Long.MIN_VALUE);

    /** @param nowNanos the time of arrival, ns since 1970 */
    static AgeLimit of(TableSettings settings, long nowNanos) {
        return settings.expires() ? new AgeLimit(settings, settings.oldestKeptNanos(nowNanos)) : NONE;
    }

    /** Why the row that was just read is refused; null where it is young enough. */
    @Nullable
    RowFault fault(long timestampNanos, RowReader reader) {
        if (timestampNanos >= oldestKeptNanos) {
            return null;
        }
        return new RowFault(
                ErrorCode.OLDER_THAN_RETENTION,
                reader.locate("time " + Instant.ofEpochSecond(0, timestampNanos)
                        + " is older than the retention of table \""
                        + reader.row().series().table().table()
                        + "\" (limit " + settings.retentionText() + ")"));
    }
}
