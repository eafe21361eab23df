package dev.weir.partition.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFileRoundTripTest {
    private static final int SEEDS = Integer.getInteger("weir.sim.seeds", 20);
    private static final FileLimits SMALL = new FileLimits(70, 1 << 16, 13, 1, false);
    private static final FileLimits SPLIT = new FileLimits(500, 1 << 20, 100, 1, true);

    @TempDir
    Path folder;

    @Test
    void givesBackWhatWasWritten() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomTable table = new RandomTable(new SplittableRandom(seed));
            TableSchema schema = table.schema(1);
            List<PointRow> rows = table.rows(schema, 1 + seed * 20, -3 + seed % 5, 100, false);
            Path path = folder.resolve("seed" + seed);
            FileHead head = new FileHead(schema, 3, 100, 100_000);
            WrittenFile written =
                    RowLists.write(path, head, seed % 2 == 0 ? SMALL : SPLIT, new ListSource(schema, rows, 1 + seed));
            rows.sort(PointRow.ORDER);
            try (DataFileReader reader = DataFileReader.open(path, schema)) {
                assertThat(RowLists.of(reader)).as("seed %d", seed).isEqualTo(rows);
                assertThat(reader.info().rows()).isEqualTo(rows.size());
                assertThat(reader.info().columns())
                        .extracting(FileColumn::column)
                        .isEqualTo(plain(schema.columns()));
            }
            assertThat(written.rows()).isEqualTo(rows.size());
            assertThat(written.file().bytes()).isEqualTo(Files.size(path));
            assertThat(written.file().sha256())
                    .isEqualTo(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path)));
            assertThat(written.minTimestampNanos())
                    .isEqualTo(rows.stream().mapToLong(PointRow::time).min().orElseThrow());
            assertThat(written.lastSeq())
                    .isEqualTo(rows.stream().mapToLong(PointRow::seq).max().orElseThrow());
        }
    }

    @Test
    void leavesOutRowGroupsWithoutTheSeriesThatAreAskedFor() throws Exception {
        int left = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RandomTable table = new RandomTable(random);
            TableSchema schema = table.schema(1);
            List<PointRow> rows = table.rows(schema, 1 + seed * 20, 0, 100, false);
            Path path = folder.resolve("groups" + seed);
            RowLists.write(path, new FileHead(schema, 3, 100, 100_000), SMALL, new ListSource(schema, rows, 7));
            rows.sort(PointRow.ORDER);
            SeriesKey asked = rows.get(random.nextInt(rows.size())).series();
            try (DataFileReader reader = DataFileReader.open(path, schema, List.of(asked.tags()))) {
                List<PointRow> found = RowLists.of(reader);
                assertThat(found.stream().filter(row -> row.series().equals(asked)))
                        .as("seed %d", seed)
                        .containsExactlyElementsOf(rows.stream()
                                .filter(row -> row.series().equals(asked))
                                .toList());
                left += rows.size() - found.size();
            }
        }
        assertThat(left).as("rows left out").isPositive();
    }

    @Test
    void readsUnderANewerSchema() throws IOException {
        TableSchema old = schema(
                1,
                tag(1, "host"),
                field(2, "n", FieldType.INT64),
                field(3, "gone", FieldType.BOOL),
                field(4, "u", FieldType.UINT64));
        TableSchema now = schema(
                4,
                tag(1, "host"),
                field(2, "n", FieldType.FLOAT64),
                field(4, "u", FieldType.FLOAT64),
                field(5, "gone", FieldType.STRING),
                tag(6, "region"));
        Path path = folder.resolve("old");
        List<PointRow> rows = List.of(
                row(old, "a", 5, 1, Map.of(2, 7L, 3, true, 4, -1L)),
                row(old, "a", 6, 2, Map.of(3, false)),
                row(old, "b", 0, 3, Map.of(2, -9L, 4, 5L)));
        RowLists.write(path, new FileHead(old, 0, 1, 3), FileLimits.DEFAULT, new ListSource(old, rows, 10));
        assertThat(RowLists.of(DataFileReader.open(path, now)))
                .containsExactly(
                        row(old, "a", 5, 1, Map.of(2, 7.0, 4, 0x1p64)),
                        row(old, "a", 6, 2, Map.of()),
                        row(old, "b", 0, 3, Map.of(2, -9.0, 4, 5.0)));
    }

    @Test
    void refusesAColumnThatDoesNotWiden() throws IOException {
        TableSchema old = schema(1, field(2, "n", FieldType.FLOAT64));
        Path path = folder.resolve("narrow");
        RowLists.write(
                path,
                new FileHead(old, 0, 1, 1),
                FileLimits.DEFAULT,
                new ListSource(old, List.of(row(old, null, 1, 1, Map.of(2, 1.0))), 1));
        assertThatThrownBy(() -> DataFileReader.open(path, schema(2, field(2, "n", FieldType.INT64))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("column n is float64");
    }

    @Test
    void refusesRowsThatBreakTheFilesPromise() {
        TableSchema schema = schema(1, tag(1, "host"), field(2, "n", FieldType.INT64));
        refuses(schema, "rising", row(schema, "a", 5, 1, Map.of()), row(schema, "a", 5, 2, Map.of()));
        refuses(
                schema,
                "expected day 1970-01-01",
                row(schema, "a", 5, 1, Map.of()),
                row(schema, "a", RandomTable.DAY, 2, Map.of()));
        refuses(schema, "expected a seq of 1 to 9", row(schema, "a", 5, 10, Map.of()));
        refuses(
                schema,
                "the tag 'rack'",
                new PointRow(new SeriesKey("t", "m", List.of(new Tag("rack", "1"))), 0, 1, Map.of()));
    }

    @Test
    void refusesSeriesOutOfOrder() throws IOException {
        TableSchema schema = schema(1, tag(1, "host"), field(2, "n", FieldType.INT64));
        RowBatch batch = new RowBatch(schema, 4);
        for (String host : List.of("b", "a")) {
            PointRow row = row(schema, host, 1, 1, Map.of());
            batch.series(row.tags(), row.series().hash());
            batch.add(1, 1);
        }
        Path path = folder.resolve("order");
        try (DataFileWriter writer = DataFileWriter.create(path, new FileHead(schema, 0, 1, 1), FileLimits.DEFAULT)) {
            assertThatThrownBy(() -> writer.append(batch)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void leavesNoFileWithoutFinish() throws IOException {
        TableSchema schema = schema(1, field(2, "n", FieldType.INT64));
        Path path = folder.resolve("given-up");
        ListSource rows = new ListSource(schema, List.of(row(schema, null, 1, 1, Map.of(2, 1L))), 1);
        try (DataFileWriter writer = DataFileWriter.create(path, new FileHead(schema, 0, 1, 1), FileLimits.DEFAULT)) {
            writer.append(rows.next());
            assertThatThrownBy(() -> DataFileWriter.create(path, new FileHead(schema, 0, 1, 1), FileLimits.DEFAULT))
                    .isInstanceOf(java.nio.file.FileAlreadyExistsException.class);
            assertThat(path).exists();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void damageIsNoticed() throws IOException {
        RandomTable table = new RandomTable(new SplittableRandom(5));
        TableSchema schema = table.schema(1);
        Path path = folder.resolve("whole");
        RowLists.write(
                path,
                new FileHead(schema, 0, 0, 1000),
                SMALL,
                new ListSource(schema, table.rows(schema, 300, 0, 0, false), 50));
        List<PointRow> whole = RowLists.of(DataFileReader.open(path, schema));
        byte[] bytes = Files.readAllBytes(path);
        SplittableRandom random = new SplittableRandom(6);
        for (int round = 0; round < 40; round++) {
            byte[] damaged =
                    round % 3 == 0 ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
            if (round % 3 != 0) {
                damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Path other = folder.resolve("damaged" + round);
            Files.write(other, damaged);
            try {
                List<PointRow> read = new ArrayList<>(RowLists.of(DataFileReader.open(other, schema)));
                assertThat(read).as("round %d: bytes that do not matter", round).isEqualTo(whole);
            } catch (IOException expected) {
                assertThat(expected).hasMessageContaining(other.toString());
            }
        }
    }

    private void refuses(TableSchema schema, String why, PointRow... rows) {
        Path path = folder.resolve("refused");
        assertThatThrownBy(() -> RowLists.write(
                        path,
                        new FileHead(schema, 0, 1, 9),
                        FileLimits.DEFAULT,
                        new ListSource(schema, List.of(rows), 10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
        assertThat(path).doesNotExist();
    }

    private static List<Column> plain(List<Column> columns) {
        return columns.stream()
                .map(column -> new Column(column.id(), column.name(), column.role(), column.type(), false))
                .toList();
    }

    static TableSchema schema(int version, Column... columns) {
        return new TableSchema(1, "t", "m", version, false, List.of(columns));
    }

    static Column tag(int id, String name) {
        return new Column(id, name, ColumnRole.TAG, FieldType.STRING, false);
    }

    static Column field(int id, String name, FieldType type) {
        return new Column(id, name, ColumnRole.FIELD, type, false);
    }

    static PointRow row(TableSchema schema, String host, long time, long seq, Map<Integer, Object> fields) {
        List<Tag> tags = host == null ? List.of() : List.of(new Tag("host", host));
        return new PointRow(new SeriesKey(schema.tenant(), schema.name(), tags), time, seq, fields);
    }
}
