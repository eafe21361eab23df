package dev.weir.node.letters;

import dev.weir.node.ingest.BatchIds;
import dev.weir.node.ingest.letter.LetterReplay;
import dev.weir.node.ingest.letter.LetterWriter;
import dev.weir.node.internal.ImageRouter;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.write.PartitionWrites;
import dev.weir.query.sql.run.SqlEngine;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;

/** The parts of this package, put together. */
public record Letters(LetterDesk desk, Quarantine quarantine, LetterBounds bounds) {
    /** What they need of the node. */
    public record Ports(
            Catalog catalog,
            PartitionWrites writes,
            BatchIds batches,
            SqlEngine sql,
            ImageRouter images,
            LetterReplay replay,
            LetterWriter writer,
            InstantSource clock,
            ExecutorService blocking,
            MeterRegistry meters) {}

    /**
     * @param bytesMax {@code dead-letters.bytes-max}
     * @param mine whether this node holds the table within it, at present
     */
    public static Letters of(Ports ports, long bytesMax, BooleanSupplier mine) {
        TenantSql sql = new TenantSql(ports.sql());
        RowSource source = new TableRows(ports.catalog(), sql, ports.images());
        LetterDeletes deletes = new LetterDeletes(ports.catalog(), ports.writes(), ports.batches());
        return new Letters(
                new LetterDesk(ports.catalog(), sql, ports.replay(), deletes, ports.clock(), ports.meters()),
                new Quarantine(
                        source,
                        new SetAsideLetters(source, ports.writer(), deletes, sql, SetAsideLetters.bytesMax(bytesMax)),
                        new PieceCutter(ports.catalog(), ports.batches()),
                        ports.writes(),
                        ports.clock(),
                        ports.meters()),
                new LetterBounds(ports.catalog(), sql, bytesMax, mine, ports.blocking(), ports.meters()));
    }
}
