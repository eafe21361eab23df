package dev.weir.ops.local;

import dev.weir.ops.client.CommandFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words that start a server: the start script of the distribution, in a session of its own so that a closed terminal takes nothing along. */
final class ServerCommand {
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private ServerCommand() {}

    static List<String> words() {
        String home = System.getProperty("weir.home");
        if (home == null || !Files.isExecutable(Path.of(home, "bin", "weir"))) {
            throw CommandFailedException.refused(
                    "expected a distribution with bin/weir at weir.home, found " + home + ": start by the script weir");
        }
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            words.add(SETSID.toString());
        }
        words.addAll(List.of(Path.of(home, "bin", "weir").toString(), "server"));
        return words;
    }
}
