package dev.weir.partition.store;

import java.io.IOException;
import java.nio.file.Path;

/** The calls by which a {@link FileStore} changes a file system; {@link DiskFiles} makes them on a real one, tests fail them in turn. */
interface StoreFiles {
    /** Makes a folder whose parent exists; nothing where it exists. */
    void createDirectory(Path folder) throws IOException;

    /** Copies a file's bytes to a new file, not yet durable. */
    void copy(Path from, Path to) throws IOException;

    /** Makes a file's bytes durable. */
    void sync(Path file) throws IOException;

    /**
     * Gives a file a second name, at once or not at all.
     *
     * @throws java.nio.file.FileAlreadyExistsException the name is taken; the file that has it stays as it is
     */
    void link(Path file, Path name) throws IOException;

    /** Removes a name; nothing where there is none. */
    void delete(Path file) throws IOException;

    /** Makes the names in a folder durable. */
    void syncDirectory(Path folder) throws IOException;
}
