package dev.weir.partition.file;

import static dev.weir.partition.file.DataFileRoundTripTest.field;
import static dev.weir.partition.file.DataFileRoundTripTest.row;
import static dev.weir.partition.file.DataFileRoundTripTest.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What readers of data files hold on to. If one of these fails, the format has changed: then it needs a new version ({@code weir.format}), FORMATS tells of it,
 * and files of the old one are still read.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GoldenFileTest {
    private static final String SCHEMA = """
            message weir {
              required int64 time (TIMESTAMP(MICROS,true)) = 2097153;
              optional binary host (STRING) = 1;
              optional binary Host__c9 (STRING) = 9;
              optional double usage = 2;
              optional int64 count = 3;
              optional int64 total (INTEGER(64,false)) = 4;
              optional boolean ok = 5;
              optional binary a_b__c6 (STRING) = 6;
              required int32 _time_ns = 2097154;
              required int64 _seq = 2097155;
              required int64 _series_hash (INTEGER(64,false)) = 2097156;
            }
            """;
    private static final Map<String, String> METADATA = Map.of(
            "weir.format",
            "1",
            "weir.tenant",
            "acme",
            "weir.table",
            "cpu",
            "weir.table-id",
            "7",
            "weir.schema-version",
            "3",
            "weir.partition",
            "2",
            "weir.first-seq",
            "10",
            "weir.last-seq",
            "19",
            "weir.day",
            "2026-11-30",
            "weir.columns",
            """
            [{"id":1,"name":"host","role":"tag","type":"string","column":"host"},\
            {"id":2,"name":"usage","role":"field","type":"float64","column":"usage"},\
            {"id":3,"name":"count","role":"field","type":"int64","column":"count"},\
            {"id":4,"name":"total","role":"field","type":"uint64","column":"total"},\
            {"id":5,"name":"ok","role":"field","type":"bool","column":"ok"},\
            {"id":6,"name":"a.b","role":"field","type":"string","column":"a_b__c6"},\
            {"id":9,"name":"Host","role":"tag","type":"string","column":"Host__c9"}]""");
    private static final String CHUNKS = """
            time ZSTD [RLE, DELTA_BINARY_PACKED] bloom filter false page index true min: 2026-11-30T12:00:00.000000+0000, max: 2026-11-30T12:00:09.000000+0000, num_nulls: 0
            host ZSTD [PLAIN, RLE, RLE_DICTIONARY] bloom filter true page index true min: h0, max: h1, num_nulls: 0
            Host__c9 ZSTD [PLAIN, RLE] bloom filter true page index true num_nulls: 10, min/max not defined
            usage ZSTD [PLAIN, RLE] bloom filter false page index true min: -0.0, max: 1.125, num_nulls: 0
            count ZSTD [RLE, DELTA_BINARY_PACKED] bloom filter false page index true min: 0, max: 9, num_nulls: 0
            total ZSTD [RLE, DELTA_BINARY_PACKED] bloom filter false page index true min: 18446744073709551606, max: 18446744073709551615, num_nulls: 0
            ok ZSTD [PLAIN, RLE] bloom filter false page index true min: false, max: true, num_nulls: 0
            a_b__c6 ZSTD [PLAIN, RLE] bloom filter false page index true min: text 0, max: text 9, num_nulls: 0
            _time_ns ZSTD [PLAIN, RLE] bloom filter false page index true min: 123, max: 186, num_nulls: 0
            _seq ZSTD [RLE, DELTA_BINARY_PACKED] bloom filter false page index true min: 10, max: 19, num_nulls: 0
            _series_hash ZSTD [PLAIN, RLE] bloom filter false page index true min: 7221652790234731352, max: 7221653889746359563, num_nulls: 0
            """;

    private static final long NOON = 1_796_040_000_000_000_123L;

    private Path path;
    private ParquetMetadata footer;

    @BeforeAll
    void write(@TempDir Path folder) throws IOException {
        TableSchema schema = new TableSchema(
                7,
                "acme",
                "cpu",
                3,
                false,
                List.of(
                        tag(1, "host"),
                        field(2, "usage", FieldType.FLOAT64),
                        field(3, "count", FieldType.INT64),
                        field(4, "total", FieldType.UINT64),
                        field(5, "ok", FieldType.BOOL),
                        field(6, "a.b", FieldType.STRING),
                        tag(9, "Host")));
        List<PointRow> rows = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            rows.add(row(
                    schema,
                    "h" + i % 2,
                    NOON + i * 1_000_000_007L,
                    10 + i,
                    Map.of(2, i == 3 ? -0.0 : i / 8.0, 3, (long) i, 4, -1L - i, 5, i % 3 == 0, 6, "text " + i)));
        }
        path = folder.resolve("golden.parquet");
        RowLists.write(path, new FileHead(schema, 2, 10, 19), FileLimits.DEFAULT, new ListSource(schema, rows, 4));
        LocalInputFile file = new LocalInputFile(path);
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
        try (var in = file.newStream()) {
            footer = ParquetFileReader.readFooter(file, options, in);
        }
    }

    @Test
    void columnsHaveTheseNamesTypesAndIds() {
        assertThat(footer.getFileMetaData().getSchema().toString()).isEqualTo(SCHEMA);
    }

    @Test
    void metadataSaysWhatTheFileIsOf() {
        assertThat(footer.getFileMetaData().getKeyValueMetaData()).isEqualTo(METADATA);
    }

    @Test
    void chunksAreEncodedAndBoundedSo() {
        StringBuilder chunks = new StringBuilder();
        for (BlockMetaData group : footer.getBlocks()) {
            for (ColumnChunkMetaData chunk : group.getColumns()) {
                chunks.append(chunk.getPath().toDotString())
                        .append(' ')
                        .append(chunk.getCodec())
                        .append(' ')
                        .append(chunk.getEncodings().stream().sorted().toList())
                        .append(" bloom filter ")
                        .append(chunk.getBloomFilterOffset() >= 0)
                        .append(" page index ")
                        .append(chunk.getColumnIndexReference() != null && chunk.getOffsetIndexReference() != null)
                        .append(' ')
                        .append(chunk.getStatistics())
                        .append('\n');
            }
        }
        assertThat(chunks.toString()).isEqualTo(CHUNKS);
    }

    @Test
    void theFileIsPlainParquet() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            assertThat(fourBytes(file, 0)).isEqualTo("PAR1");
            assertThat(fourBytes(file, file.length() - 4)).isEqualTo("PAR1");
        }
    }

    private static String fourBytes(RandomAccessFile file, long at) throws IOException {
        byte[] bytes = new byte[4];
        file.seek(at);
        file.readFully(bytes);
        return new String(bytes, java.nio.charset.StandardCharsets.US_ASCII);
    }
}
