package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionsFileTest {
    private static final String GOLDEN =
            "57444546010000000000002c5280d59902070174036370750100050104686f7374000500020166010100030169010200"
                    + "0401730105000501620104000000001ed734039c010000000000000007112233445566778800000004686f7374000000"
                    + "0161";
    private static final byte[] TAGS = CanonicalTags.encode(List.of(new Tag("host", "a")));

    @TempDir
    private Path directory;

    private final QuickFiles files = new QuickFiles();
    private Path path;
    private DefinitionsFile.Extent extent;

    @BeforeEach
    void write() throws IOException {
        path = directory.resolve("definitions");
        try (DefinitionsFile file = DefinitionsFile.create(files, path)) {
            file.schema(Rows.schema(7, "t", "cpu", 1));
            file.series(0, 7, TAGS, 0x1122334455667788L);
            extent = file.sync();
        }
    }

    @Test
    void writesTheseBytes() throws IOException {
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(path))).isEqualTo(GOLDEN);
    }

    @Test
    void handsOverWhatItHolds() throws IOException {
        DefinitionTable table = new DefinitionTable();
        DefinitionsFile.open(files, path, extent, table.loader()).close();
        assertThat(table.schema(7, 1)).isEqualTo(Rows.schema(7, "t", "cpu", 1));
        assertThat(table.seriesId(7, 0x1122334455667788L, TAGS, 0, TAGS.length)).isZero();
        assertThat(table.tags(0)).containsExactly(new Tag("host", "a"));
    }

    @Test
    void cutsOffWhatNoManifestNames() throws IOException {
        try (DefinitionsFile file = DefinitionsFile.open(files, path, extent, new DefinitionTable().loader())) {
            file.series(1, 7, TAGS, 5);
            file.sync();
        }
        DefinitionTable table = new DefinitionTable();
        try (DefinitionsFile file = DefinitionsFile.open(files, path, extent, table.loader())) {
            file.series(1, 7, TAGS, 6);
            DefinitionsFile.Extent longer = file.sync();
            DefinitionsFile.open(files, path, longer, new DefinitionTable().loader())
                    .close();
        }
        assertThat(table.seriesCount()).isEqualTo(1);
    }

    @Test
    void readsFramesThatAreLargerThanItsBuffer() throws IOException {
        byte[] tags = new byte[3 << 20];
        Path large = directory.resolve("large");
        DefinitionsFile.Extent end;
        try (DefinitionsFile file = DefinitionsFile.create(files, large)) {
            for (int i = 0; i < 3; i++) {
                file.series(i, 7, tags, i);
                file.series(i + 10, 7, TAGS, i);
            }
            end = file.sync();
        }
        int[] seen = new int[1];
        DefinitionsFile.open(files, large, end, new DefinitionFrames.Target() {
                    @Override
                    public void series(int id, int tableId, byte[] found, long hash) {
                        assertThat(found.length).isEqualTo(id < 10 ? tags.length : TAGS.length);
                        seen[0]++;
                    }

                    @Override
                    public void schema(TableSchema schema) {}
                })
                .close();
        assertThat(seen[0]).isEqualTo(6);
    }

    @Test
    void refusesEveryDamagedByteAndEveryCut() throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x21;
            Files.write(path, damaged);
            assertRefused();
            Files.write(path, Arrays.copyOf(bytes, i));
            assertRefused();
        }
    }

    private void assertRefused() {
        assertThatThrownBy(() -> DefinitionsFile.open(files, path, extent, new DefinitionTable().loader()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path.toString());
    }
}
