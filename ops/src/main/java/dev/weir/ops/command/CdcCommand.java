package dev.weir.ops.command;

import picocli.CommandLine.Command;

/** {@code weir cdc}. */
@Command(
        name = "cdc",
        mixinStandardHelpOptions = true,
        description = "The change stream.",
        subcommands = {CdcTailCommand.class, CdcExportCommand.class})
public final class CdcCommand {}
