package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SideFilesTest {
    @TempDir
    private Path directory;

    private OneReplica one;

    @BeforeEach
    void open() {
        one = new OneReplica(directory, 400, 300);
    }

    @AfterEach
    void close() {
        one.close();
    }

    @Test
    void listsBesideASealedSegmentWhatItUses() throws IOException {
        for (int i = 0; i < 10; i++) {
            one.write(OneReplica.CPU, Rows.row("first-" + i % 2, i, "i", 1L));
        }
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.DISK, Rows.row("second", i, "i", 1L));
        }
        one.snapshot();

        List<Path> sides = sides();
        assertThat(sides).hasSize(one.replica().opened().segments().segments().size() - 1);
        assertThat(read(sides.getFirst())).containsExactly("schema 7/1", "series 0 of 7", "series 1 of 7");
        assertThat(read(sides.getLast())).containsExactly("schema 8/1", "series 2 of 8");
    }

    @Test
    void removesThemWithTheirSegments() throws IOException {
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.CPU, Rows.row("a", i, "i", 1L));
        }
        one.snapshot();
        int before = sides().size();
        one.apply(entry -> entry.addTrim(15));
        one.snapshot();
        assertThat(sides()).hasSizeLessThan(before).isNotEmpty();
    }

    private List<Path> sides() throws IOException {
        try (var files = Files.list(one.replica().opened().segmentFolder())) {
            return files.filter(file -> file.toString().endsWith(".def"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> read(Path file) throws IOException {
        List<String> found = new ArrayList<>();
        byte[] bytes = Files.readAllBytes(file);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes);
        DefinitionsFile.open(
                        new QuickFiles(),
                        file,
                        new DefinitionsFile.Extent(bytes.length, (int) crc.getValue()),
                        new DefinitionFrames.Target() {
                            @Override
                            public void series(int id, int tableId, byte[] tags, long hash) {
                                found.add("series " + id + " of " + tableId);
                            }

                            @Override
                            public void schema(TableSchema schema) {
                                found.add("schema " + schema.tableId() + "/" + schema.version());
                            }
                        })
                .close();
        return found;
    }
}
