package dev.weir.wal.ratis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A small disk of its own, which can be filled and hung. Needs root and mount; a test that cannot have it is skipped. */
final class TestDisk implements AutoCloseable {
    private final Path mountPoint;

    private TestDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** In memory. */
    static TestDisk small(Path directory, int megabytes) {
        Path mountPoint = newMountPoint(directory);
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "weir-test", mountPoint.toString()),
                "needs root, to mount a small disk");
        return new TestDisk(mountPoint);
    }

    /** A file system in a file, which {@link #freeze} can hang. */
    static TestDisk freezable(Path directory, int megabytes) {
        Path mountPoint = newMountPoint(directory);
        Path image = directory.resolve("image");
        assumeTrue(
                run("truncate", "-s", megabytes + "M", image.toString())
                        && run("mkfs.ext4", "-q", image.toString())
                        && run("mount", "-o", "loop", image.toString(), mountPoint.toString()),
                "needs root and a loop device, to mount a disk that can be frozen");
        return new TestDisk(mountPoint);
    }

    private static Path newMountPoint(Path directory) {
        try {
            return Files.createDirectories(directory.resolve("disk"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return mountPoint;
    }

    void fill() {
        try (var out = Files.newOutputStream(mountPoint.resolve("ballast"))) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw new UncheckedIOException(full);
            }
        }
    }

    void empty() {
        try {
            Files.delete(mountPoint.resolve("ballast"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void freeze() {
        assumeTrue(run("fsfreeze", "-f", mountPoint.toString()), "needs fsfreeze");
    }

    void thaw() {
        run("fsfreeze", "-u", mountPoint.toString());
    }

    @Override
    public void close() {
        run("umount", "-l", mountPoint.toString());
    }

    private static boolean run(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
