package dev.weir.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.lead.NodePulse;
import dev.weir.partition.engine.RowPick;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.Consistency;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.read.SeriesRow;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.query.sql.route.NodeNotice;
import dev.weir.query.sql.statement.ClusterQueries.QueryRow;
import dev.weir.query.sql.statement.ClusterQueries.Running;
import io.vertx.core.buffer.Buffer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class MessagesTest {
    private static final BatchId BATCH = new BatchId("n1", 3, 77);

    @Test
    void appendComesBackAsItWasSent() {
        AppendRequest sent = append();
        AppendRequest got = WriteMessages.decodeAppend(WriteMessages.encode(sent));
        assertThat(got.partition()).isEqualTo(5);
        assertThat(got.generation()).isEqualTo(2);
        assertThat(got.epoch()).isEqualTo(9);
        assertThat(got.batch()).isEqualTo(BATCH);
        assertThat(got.unit()).usingRecursiveComparison().isEqualTo(sent.unit());
        assertThat(got.blocks().getFirst().bytes()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(got.rowCount()).isEqualTo(4);
    }

    @Test
    void whatNodesTellOfThemselvesComesBack() {
        for (NodePulse sent :
                List.of(new NodePulse(1_790_000_000_123L, true, false, false), new NodePulse(-5, false, true, true))) {
            assertThat(PulseCalls.decode(PulseCalls.encode(sent))).isEqualTo(sent);
        }
        for (boolean above : new boolean[] {true, false}) {
            Buffer older =
                    new WireWriter(16).putLong(7).putBool(above).putBool(true).buffer();
            assertThat(PulseCalls.decode(older)).isEqualTo(new NodePulse(7, above, true, above));
        }
        Map<Integer, Map<String, Integer>> counts = Map.of(0, Map.of(), 7, Map.of("t", 3, "u", 1_000_000));
        assertThat(SeriesCountCalls.decode(SeriesCountCalls.encode(counts))).isEqualTo(counts);
    }

    @Test
    void statementsOfOtherNodesComeBack() {
        QueryRow row = new QueryRow("n1-7", "n1", "tok", "waiting", Duration.ofMillis(1500), 12, "SELECT 'ä'");
        assertThat(QueryCalls.decodeRows(QueryCalls.encode(new Running(List.of(row), List.of()))))
                .containsExactly(row);
        QueryCalls.Named named = new QueryCalls.Named("tenant", "n1-7");
        assertThat(QueryCalls.decodeNamed(QueryCalls.encode(named))).isEqualTo(named);
        assertThat(QueryCalls.decodeTenant(QueryCalls.encodeTenant("tenant"))).isEqualTo("tenant");
        assertThat(QueryCalls.decodeKilled(QueryCalls.encodeKilled(true))).isTrue();
        assertThat(QueryCalls.decodeKilled(QueryCalls.encodeKilled(false))).isFalse();
    }

    @Test
    void imagesOfSeveralPartitionsComeBackAsFarAsTheyFit() {
        ImageQuery query = new ImageQuery(List.of(new ImageQuery.Table(
                7, new RowPick(-5, 9, Map.of("host", Set.of("a", "b"))), List.of(1, 2), true)));
        ImageMessages.Asked asked = new ImageMessages.Asked(Consistency.ANY, List.of(0, 3), query);
        assertThat(ImageMessages.decodeAsked(ImageMessages.encode(asked))).isEqualTo(asked);

        ImageMessages.Part refused = new ImageMessages.Part.Refused(
                3, new PeerRefusal(ErrorCode.NO_LEADER, "partition 3 is led elsewhere", "node2"));
        assertThat(ImageMessages.decodeParts(ImageMessages.encode(List.of(taken(0, 100), refused))))
                .usingRecursiveComparison()
                .isEqualTo(List.of(taken(0, 100), refused));

        List<ImageMessages.Part> large = List.of(taken(0, 20 << 20), taken(1, 20 << 20), taken(2, 1));
        assertThat(ImageMessages.decodeParts(ImageMessages.encode(large)))
                .extracting(ImageMessages.Part::partition)
                .containsExactly(0, 1);
    }

    private static ImageMessages.Part taken(int partition, int bytes) {
        PartitionTables.Buffered buffered =
                new PartitionTables.Buffered(1, 2, 3, 4, false, List.of(1), new byte[bytes]);
        return new ImageMessages.Part.Taken(new PartitionTables(
                partition,
                5,
                List.of(
                        Optional.of(new PartitionTables.Rows(
                                List.of(), new PartitionTables.Skipped(6, 7, 8), List.of(), buffered)),
                        Optional.empty())));
    }

    @Test
    void sizesOfTablesComeBack() {
        Map<Integer, List<TableSize>> sent = Map.of(
                2, List.of(new TableSize(7, 3, 1L << 40, 1L << 50, 12), new TableSize(8, 0, 0, 0, 1)), 5, List.of());
        assertThat(TableSizeCalls.decode(TableSizeCalls.encode(sent))).isEqualTo(sent);
    }

    @Test
    void noticesComeBack() {
        NodeNotice sent = new NodeNotice("n1", 3, 4, Map.of("t", 5L << 40, "ü", 1L), Map.of());
        assertThat(RouteMessages.decodeNotice(RouteMessages.encode(sent))).isEqualTo(sent);
    }

    @Test
    void deleteTellsNoTagsFromTheUntaggedSeries() {
        for (List<Tag> tags : java.util.Arrays.<List<Tag>>asList(null, List.of(), List.of(new Tag("k", "v")))) {
            DeleteRequest sent = new DeleteRequest(1, 0, BATCH, "t", 12, "cpu", tags, "c-1");
            assertThat(WriteMessages.decodeDelete(WriteMessages.encode(sent))).isEqualTo(sent);
        }
    }

    @Test
    void everyOutcomeComesBack() {
        for (AppendOutcome sent : List.of(
                new AppendOutcome.Applied(
                        9,
                        3,
                        1,
                        List.of(new AppendOutcome.VoidedRow(
                                2, AppendOutcome.VoidCause.LIMIT, ErrorCode.LIMIT_SERIES, "limit"))),
                new AppendOutcome.Refused(new Refusal(ErrorCode.OVERLOADED, "full", 1500)),
                new AppendOutcome.Unknown("who knows"))) {
            assertThat(WriteMessages.decodeOutcome(WriteMessages.encode(sent))).isEqualTo(sent);
        }
    }

    @Test
    void readsComeBackWithTheirTypes() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("d", -0.0);
        fields.put("l", Long.MIN_VALUE);
        fields.put("u", new BigInteger("18446744073709551615"));
        fields.put("b", true);
        fields.put("s", "ä");
        ReadResult sent = new ReadResult(3, 17, List.of(new SeriesRow(List.of(new Tag("h", "1")), -5, 99, fields)));
        assertThat(ReadMessages.decodeResult(ReadMessages.encode(sent))).isEqualTo(sent);
        LatestQuery query = new LatestQuery("t", "m", Map.of("h", List.of("1", "")), 100);
        assertThat(ReadMessages.decodeQuery(ReadMessages.encode(query))).isEqualTo(query);
        TableSchema schema = new TableSchema(
                7, "t", "m", 3, true, List.of(new Column(9, "a", ColumnRole.FIELD, FieldType.FLOAT64, false)));
        LatestQuery typed = new LatestQuery("t", "m", Map.of(), 100, schema);
        assertThat(ReadMessages.decodeQuery(ReadMessages.encode(typed))).isEqualTo(typed);
    }

    @Test
    void aPageOfChangesComesBackEventByEvent() {
        FeedPage page = page();
        WireReader in = new WireReader(FeedMessages.encode(new FeedMessages.Place(1, 2, 30, 40, false), page));
        assertThat(FeedMessages.readPlace(in)).isEqualTo(new FeedMessages.Place(1, 2, 30, 40, false));
        FeedPage got = FeedMessages.readPage(in);
        assertThat(got.nextSeq()).isEqualTo(page.nextSeq());
        assertThat(got.head()).isEqualTo(page.head());
        for (int row = 0; row < 2; row++) {
            assertThat(got.batches().getFirst().event(row))
                    .isEqualTo(page.batches().getFirst().event(row));
        }
    }

    /** Nodes of before resolved times end behind the place. */
    @Test
    void whereAFeedStandsIsReadWithAndWithoutItsResolvedTime() {
        FeedMessages.Place place = new FeedMessages.Place(1, 2, 30, 40, false);
        Buffer standing = FeedMessages.standing(place, 50);
        assertThat(HexFormat.of().formatHex(standing.getBytes()))
                .isEqualTo("01" + "0000000000000001" + "0000000000000002" + "000000000000001e" + "0000000000000028"
                        + "00" + "0000000000000032");
        WireReader in = new WireReader(standing);
        assertThat(FeedMessages.readPlace(in)).isEqualTo(place);
        assertThat(FeedMessages.readResolved(in)).isEqualTo(50);
        WireReader old = new WireReader(standing.slice(0, standing.length() - 8));
        assertThat(FeedMessages.readPlace(old)).isEqualTo(place);
        assertThat(FeedMessages.readResolved(old)).isZero();
    }

    /** Refuses damaged messages by exceptions that the routes answer with 400; never hangs, never takes much memory. */
    @Test
    void damagedMessagesAreRefused() {
        List<Buffer> whole = List.of(
                WriteMessages.encode(append()),
                FeedMessages.encode(new FeedMessages.Place(1, 2, 30, 40, false), page()));
        List<Function<Buffer, Object>> readers = List.of(WriteMessages::decodeAppend, bytes -> {
            WireReader in = new WireReader(bytes);
            FeedMessages.readPlace(in);
            return FeedMessages.readPage(in);
        });
        Random random = new Random(20261129);
        for (int round = 0; round < 4000; round++) {
            int which = round % 2;
            byte[] bytes = whole.get(which).getBytes();
            for (int i = 0; i <= random.nextInt(3); i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = java.util.Arrays.copyOf(bytes, bytes.length - random.nextInt(4));
            try {
                readers.get(which).apply(Buffer.buffer(cut));
            } catch (WireFormatException | IllegalArgumentException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void anotherVersionIsNamed() {
        assertThatThrownBy(() -> new WireReader(Buffer.buffer(new byte[] {9})))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("version 9, expected 1");
    }

    @Test
    void onlyTheSameClusterAndSecretPass() {
        PeerAuth mine = new PeerAuth("weir", "s1");
        assertThat(mine.refusal("weir", new PeerAuth("weir", "s1").proof())).isNull();
        assertThat(mine.refusal("weir", new PeerAuth("weir", "s2").proof()))
                .contains("foreign cluster or wrong secret");
        assertThat(mine.refusal("other", new PeerAuth("other", "s1").proof())).isNotNull();
        assertThat(mine.refusal(null, null)).contains(PeerAuth.PROOF_HEADER);
    }

    private static AppendRequest append() {
        return new AppendRequest(
                5,
                2,
                9,
                BATCH,
                new IdempotencyUnit("t", "key", new byte[] {7, 8}, 1),
                List.of(new RowBlock("t", 4, 1, 4, ByteBuffer.wrap(new byte[] {1, 2, 3}))));
    }

    private static FeedPage page() {
        TableSchema schema = new TableSchema(
                4,
                "t",
                "cpu",
                1,
                false,
                List.of(
                        new Column(1, "h", ColumnRole.TAG, FieldType.STRING, false),
                        new Column(2, "v", ColumnRole.FIELD, FieldType.INT64, true)));
        DecodedColumn column = new DecodedColumn(
                2, "v", FieldType.INT64, BitSet.valueOf(new long[] {2}), new long[] {0, 5}, new String[0]);
        DecodedBatch batch = new DecodedBatch(
                6,
                28,
                2,
                40,
                EventType.POINT_WRITTEN,
                schema,
                "{}",
                new byte[] {Operation.INSERT.code(), Operation.UPDATE.code()},
                new long[] {-1, 2},
                new int[] {0, 0},
                List.of(List.of(new Tag("h", "a"))),
                new long[] {123},
                List.of(column));
        return new FeedPage(List.of(batch), 30, 30);
    }
}
