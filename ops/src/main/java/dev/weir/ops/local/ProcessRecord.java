package dev.weir.ops.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process that we started, told apart from any later one with the same pid by its start time (in clock ticks since boot) and the boot.
 * Linux only: reads {@code /proc}.
 *
 * <p>File form: {@code <pid> <start ticks> <boot id>}, one line.
 */
record ProcessRecord(long pid, long startTicks, String bootId) {
    /** What a process is doing. */
    enum State {
        running,
        paused,
        gone
    }

    static ProcessRecord of(long pid) throws IOException {
        return new ProcessRecord(pid, Long.parseLong(statFields(pid)[21 - 2]), currentBoot());
    }

    static Optional<ProcessRecord> read(Path file) {
        try {
            String[] parts = Files.readString(file).strip().split(" ");
            if (parts.length != 3) {
                return Optional.empty();
            }
            return Optional.of(new ProcessRecord(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    void write(Path file) throws IOException {
        Files.writeString(file, pid + " " + startTicks + " " + bootId + "\n");
    }

    State state() {
        try {
            String[] fields = statFields(pid);
            if (Long.parseLong(fields[21 - 2]) != startTicks || !currentBoot().equals(bootId)) {
                return State.gone;
            }
            return state(fields);
        } catch (IOException e) {
            return State.gone;
        }
    }

    /** A killed process is gone with its last thread: until then it holds its ports, although its first thread is a zombie already. */
    static State state(String[] statFields) {
        boolean lastThread = Integer.parseInt(statFields[20 - 3]) <= 1;
        return switch (statFields[0]) {
            case "T", "t" -> State.paused;
            case "Z", "X" -> lastThread ? State.gone : State.running;
            default -> State.running;
        };
    }

    /** Sends a signal unless the process is gone. */
    void signal(String name) throws IOException, InterruptedException {
        if (state() != State.gone) {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    /** The fields of {@code /proc/<pid>/stat} from the third on; the second, the name, may hold anything. */
    private static String[] statFields(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        int end = stat.lastIndexOf(')');
        if (end < 0) {
            throw new NoSuchFileException("/proc/" + pid + "/stat is empty");
        }
        return stat.substring(end + 2).split(" ");
    }

    private static String currentBoot() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }
}
