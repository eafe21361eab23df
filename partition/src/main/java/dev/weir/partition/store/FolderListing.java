package dev.weir.partition.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** A page of the files below a folder in the order of their keys; enters only folders in which keys of the page may be. */
final class FolderListing {
    private final Path root;
    private final String prefix;
    private final String after;
    private final int max;
    private final List<ObjectEntry> found = new ArrayList<>();

    FolderListing(Path root, String prefix, String after, int max) {
        this.root = root;
        this.prefix = prefix;
        this.after = after;
        this.max = max;
    }

    List<ObjectEntry> page() throws IOException {
        if (!Files.isDirectory(root)) {
            throw new IOException("the store's folder is gone");
        }
        enter(root, "");
        return List.copyOf(found);
    }

    /** @param base the folder's key, with a '/' at its end unless it is the root */
    private void enter(Path folder, String base) throws IOException {
        for (Child child : children(folder, base)) {
            if (found.size() == max) {
                return;
            }
            if (!child.isFolder()) {
                add(child);
            } else if (mayHold(child.key())) {
                enter(child.path(), child.key());
            }
        }
    }

    private record Child(Path path, String key, boolean isFolder) {}

    private List<Child> children(Path folder, String base) throws IOException {
        List<Child> children = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
            for (Path path : paths) {
                boolean isFolder = Files.isDirectory(path);
                String key = base + path.getFileName() + (isFolder ? "/" : "");
                if (!key.equals(FileStore.INCOMING + "/")) {
                    children.add(new Child(path, key, isFolder));
                }
            }
        } catch (NoSuchFileException removedMeanwhile) {
            return List.of();
        }
        children.sort((a, b) -> ObjectKeys.compare(a.key(), b.key()));
        return children;
    }

    private boolean mayHold(String folderKey) {
        boolean prefixFits = folderKey.startsWith(prefix) || prefix.startsWith(folderKey);
        boolean endsBehind = after.startsWith(folderKey) || ObjectKeys.compare(folderKey, after) > 0;
        return prefixFits && endsBehind;
    }

    private void add(Child child) throws IOException {
        if (!child.key().startsWith(prefix) || ObjectKeys.compare(child.key(), after) <= 0) {
            return;
        }
        try {
            BasicFileAttributes attributes = Files.readAttributes(child.path(), BasicFileAttributes.class);
            found.add(new ObjectEntry(
                    child.key(),
                    attributes.size(),
                    attributes.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException removedMeanwhile) {
            return;
        }
    }
}
