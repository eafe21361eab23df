package dev.weir.docker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A disk of its own for one node's data folder, which can be filled or hung. Needs root and mount: a test that cannot have it is skipped. */
final class SmallDisk implements AutoCloseable {
    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** In memory. */
    static SmallDisk inMemory(Path mountPoint, int megabytes) {
        made(mountPoint);
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "weir-it", mountPoint.toString()),
                "skipped: mounting a small disk needs root");
        return new SmallDisk(mountPoint);
    }

    /** In a file beside its mount point; {@link #freeze} hangs it. */
    static SmallDisk freezable(Path mountPoint, int megabytes) {
        made(mountPoint);
        Path image = mountPoint.resolveSibling("disk-image");
        assumeTrue(
                run("truncate", "-s", megabytes + "M", image.toString())
                        && run("mkfs.ext4", "-q", image.toString())
                        && run("mount", "-o", "loop", image.toString(), mountPoint.toString())
                        && run("rmdir", mountPoint.resolve("lost+found").toString()),
                "skipped: a disk that can be frozen needs root and a loop device");
        return new SmallDisk(mountPoint);
    }

    private static void made(Path mountPoint) {
        try {
            Files.createDirectories(mountPoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** To the last byte. */
    void fill() {
        fillAllBut(0);
    }

    void fillAllBut(long freeBytes) {
        try (OutputStream out =
                Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] block = new byte[4096];
            FileStore disk = Files.getFileStore(mountPoint);
            while (freeBytes == 0 || disk.getUsableSpace() > freeBytes) {
                out.write(block);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw new UncheckedIOException(full);
            }
        }
    }

    /** Takes back what {@link #fill} took. */
    void empty() {
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path ballast() {
        return mountPoint.resolve("ballast");
    }

    /** Who writes or syncs waits, without an error, until {@link #thaw}. */
    void freeze() {
        assumeTrue(run("fsfreeze", "-f", mountPoint.toString()), "skipped: fsfreeze is missing");
    }

    void thaw() {
        run("fsfreeze", "-u", mountPoint.toString());
    }

    @Override
    public void close() {
        thaw();
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
            throw new IllegalStateException("interrupted in " + List.of(command), e);
        }
    }
}
