package dev.weir.partition.engine;

import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.StoreClaim;
import java.nio.file.Path;

/**
 * Where files of tables go.
 *
 * @param cache of the store; compactions read through it
 * @param claim of the store, asked for before anything is written or removed
 * @param temporary a folder on this node's disk for files being written
 * @param publications of tables there, so that no sweep takes files from their readers
 */
public record FilePlace(FileCache cache, StoreClaim claim, Path temporary, Publications publications) {}
