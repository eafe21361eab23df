package dev.weir.ops.bench;

import picocli.CommandLine.Command;

/** {@code weir bench}: figures that anyone can repeat. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures a cluster: ingest, change stream, queries, failover.",
        subcommands = {
            BenchIngestCommand.class,
            BenchCdcCommand.class,
            BenchQueryCommand.class,
            BenchFailoverCommand.class
        })
public final class BenchCommand {}
