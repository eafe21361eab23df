package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.RandomRows.Row;
import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.wal.segment.SegmentRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows go through block, entry, apply's view and record, and come out as they went in. */
final class EntryRoundTripTest {
    private static final long SEED = Long.getLong("weir.seed", System.nanoTime());

    @Test
    void keepsEveryRowBitByBit() {
        System.out.println("EntryRoundTripTest -Dweir.seed=" + SEED);
        SplittableRandom seeds = new SplittableRandom(SEED);
        for (int round = 0; round < 40; round++) {
            new Round(seeds.split(), round).run();
        }
    }

    @Test
    void reusesBuilderAfterReset() {
        RandomRows random = new RandomRows(new SplittableRandom(SEED));
        TableSchema schema = random.schema(3, 1);
        RowBlockBuilder reused = new RowBlockBuilder("tenant", schema);
        for (int round = 0; round < 20; round++) {
            reused.reset();
            RowBlockBuilder fresh = new RowBlockBuilder("tenant", schema);
            for (Row row : random.rows(schema, 1 + round * 17)) {
                RandomRows.put(reused, row);
                RandomRows.put(fresh, row);
            }
            assertThat(reused.build().bytes()).isEqualTo(fresh.build().bytes());
        }
    }

    /** One entry of a few requests. */
    private static final class Round {
        private final SplittableRandom random;
        private final RandomRows rows;
        private final int number;
        private final TestDefinitions leader = new TestDefinitions();
        private final TestDefinitions replica = new TestDefinitions();
        private final List<Row> expected = new ArrayList<>();
        private final List<TableSchema> schemaOf = new ArrayList<>();

        Round(SplittableRandom random, int number) {
            this.random = random;
            this.rows = new RandomRows(random);
            this.number = number;
        }

        void run() {
            EntryBuilder entry = new EntryBuilder(random.nextBoolean() ? leader : replica);
            for (int entries = 0; entries < 3; entries++) {
                entry.reset();
                expected.clear();
                schemaOf.clear();
                int requests = 1 + random.nextInt(3);
                for (int request = 0; request < requests; request++) {
                    entry.add(request(request), 0);
                }
                apply(EntryReader.read(entry.build()), requests);
            }
        }

        private AppendRequest request(int counter) {
            List<RowBlock> blocks = new ArrayList<>();
            for (int block = 0, count = 1 + random.nextInt(2); block < count; block++) {
                TableSchema schema = new RandomRows(new SplittableRandom(number * 7L + block)).schema(block, 1);
                RowBlockBuilder builder = new RowBlockBuilder(schema.tenant(), schema);
                for (Row row : rows.rows(schema, 1 + random.nextInt(random.nextInt(8) == 0 ? 1500 : 60))) {
                    RandomRows.put(builder, row);
                    expected.add(row);
                    schemaOf.add(schema);
                }
                blocks.add(RowBlock.parse(builder.build().bytes()));
            }
            IdempotencyUnit unit =
                    random.nextBoolean() ? null : new IdempotencyUnit("tenant", "key", new byte[] {1, 2}, 3);
            return new AppendRequest(5, 2, 77, new BatchId("node", 9, counter), unit, blocks);
        }

        private void apply(List<Section> sections, int requests) {
            assertThat(sections).hasSize(requests);
            RecordBuilder record = new RecordBuilder();
            List<Integer> acceptedRows = new ArrayList<>();
            Map<Integer, Operation> operations = new HashMap<>();
            int row = 0;
            for (Section section : sections) {
                AppendSection append = (AppendSection) section;
                assertThat(append.epoch()).isEqualTo(77);
                assertThat(append.generation()).isEqualTo(2);
                assertThat(append.batch().incarnation()).isEqualTo(9);
                for (BlockView block : append.blocks()) {
                    addRows(record, block, row, acceptedRows, operations);
                    row += block.rowCount();
                }
            }
            assertThat(row).isEqualTo(expected.size());
            if (record.count() > 0) {
                SegmentRecord stored = new SegmentRecord(1000, record.count(), 5555, record.build());
                long from = random.nextInt(4) == 0 ? random.nextLong(990, 1000 + record.count()) : 1000;
                check(RecordReader.read(5, stored, from, replica), Math.max(from, 1000), acceptedRows, operations);
            }
        }

        private void addRows(
                RecordBuilder record,
                BlockView block,
                int firstRow,
                List<Integer> acceptedRows,
                Map<Integer, Operation> operations) {
            int[] ids = replica.resolve(block);
            int count = block.rowCount();
            long[] accepted = random.nextInt(3) == 0 ? new long[(count + 63) / 64] : null;
            long[] updates = random.nextInt(3) == 0 ? new long[(count + 63) / 64] : null;
            for (int i = 0; i < count; i++) {
                if (accepted == null || random.nextInt(3) > 0) {
                    if (accepted != null) {
                        accepted[i >> 6] |= 1L << i;
                    }
                    acceptedRows.add(firstRow + i);
                    boolean update = updates != null && random.nextBoolean();
                    if (update) {
                        updates[i >> 6] |= 1L << i;
                    }
                    operations.put(firstRow + i, update ? Operation.UPDATE : Operation.INSERT);
                }
                assertThat(block.timestamps()[i])
                        .isEqualTo(expected.get(firstRow + i).timestamp());
            }
            record.addRows(block, ids, accepted, updates);
        }

        private void check(
                List<ChangeBatch> batches, long seq, List<Integer> acceptedRows, Map<Integer, Operation> operations) {
            long next = seq;
            for (ChangeBatch batch : batches) {
                assertThat(batch.firstSeq()).isEqualTo(next);
                for (int i = 0; i < batch.count(); i++, next++) {
                    int row = acceptedRows.get((int) (next - 1000));
                    check(batch.event(i), next, row, operations.get(row));
                    equal(
                            batch.seriesHash(batch.series(i)),
                            expected.get(row).series().hash());
                }
            }
            assertThat(next).isEqualTo(1000 + acceptedRows.size());
        }

        private void check(ChangeEvent event, long seq, int row, Operation operation) {
            Row want = expected.get(row);
            TableSchema schema = schemaOf.get(row);
            equal(event.seq(), seq);
            equal(event.type(), EventType.POINT_WRITTEN);
            equal(event.operation(), operation);
            equal(event.measurement(), schema.name());
            equal(event.timestampNanos(), want.timestamp());
            equal(event.tags(), want.series().tags());
            equal(event.committedAtNanos(), 5555L);
            Map<String, Object> fields = new HashMap<>();
            for (Column column : schema.columns()) {
                if (want.fields().containsKey(column.id())) {
                    fields.put(column.name(), bits(want.fields().get(column.id())));
                }
            }
            Map<String, Object> got = new HashMap<>();
            event.fields().forEach((name, value) -> got.put(name, bits(value)));
            equal(got, fields);
        }

        /** Doubles by their bits, so that NaN payloads and the sign of zero count. */
        private static Object bits(Object value) {
            return value instanceof Double d ? "bits " + Double.doubleToRawLongBits(d) : value;
        }
    }

    /** Plain, since it is called for every value. */
    private static void equal(Object got, Object want) {
        if (!got.equals(want)) {
            throw new AssertionError("seed " + SEED + ": " + got + ", expected " + want);
        }
    }
}
