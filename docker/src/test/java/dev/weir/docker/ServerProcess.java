package dev.weir.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One {@code bin/weir server --config FILE}. */
final class ServerProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 60;

    private final Path log;
    private final Process process;

    private ServerProcess(Path log, Process process) {
        this.log = log;
        this.process = process;
    }

    /**
     * @param config whose sibling {@code <name>.log} gets what the server says
     * @param jvmOptions for {@code WEIR_JAVA_OPTS}
     */
    static ServerProcess start(Path config, String jvmOptions) {
        Path log = config.resolveSibling(config.getFileName() + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        LocalCluster.HOME.resolve("bin/weir").toString(), "server", "--config", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("WEIR_JAVA_OPTS", jvmOptions);
        try {
            return new ServerProcess(log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The end of what it said, for a failure. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        } catch (IOException e) {
            return "no log at " + log;
        }
    }

    /** In order; what does not end in a minute is killed. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                close();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
