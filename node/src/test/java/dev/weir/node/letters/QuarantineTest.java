package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.ingest.BatchIds;
import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.node.ingest.MapPartitions;
import dev.weir.node.ingest.StoredRow;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.node.ingest.letter.LetterWriter;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.ColumnWish;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.PartitionWrites;
import dev.weir.query.sql.image.TimeRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever happens on the way, each row is in the table or a letter. */
class QuarantineTest {
    private static final int PARTITIONS = 2;
    private static final String TIMES_2_AND_3 =
            "time >= '1970-01-01T00:00:00.000000002Z' AND time <= '1970-01-01T00:00:00.000000003Z'";
    private static final AppendOutcome CHANGED = new AppendOutcome.Applied(
            0,
            0,
            0,
            List.of(new AppendOutcome.VoidedRow(
                    0, AppendOutcome.VoidCause.CHANGED, ErrorCode.CONFLICT, "rows in it were written")));

    private final FoldingCatalog catalog = new FoldingCatalog(PARTITIONS);
    private final MapPartitions partitions = new MapPartitions();
    private final AtomicLong batch = new AtomicLong();
    private final BatchIds batches = () -> new BatchId("n1", 1, batch.incrementAndGet());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Table table = new Table();
    private final Quarantine quarantine = quarantine(1 << 20);

    private Quarantine quarantine(long bytesMax) {
        RowWriter writer = new RowWriter(catalog, table, batches, new Workbench(1));
        SetAsideLetters letters = new SetAsideLetters(
                table,
                new LetterWriter(catalog, writer, new NameCaches(1 << 20), "n1"),
                new LetterDeletes(catalog, table, batches),
                (tenant, statement) -> List.<Object[]>of(new Object[] {0L}),
                bytesMax);
        return new Quarantine(
                table, letters, new PieceCutter(catalog, batches), table, () -> Instant.ofEpochSecond(1_000), meters);
    }

    /** The table {@code cpu}, and the way to all partitions. */
    private final class Table implements RowSource, PartitionWrites {
        private final List<WholeRow> rows = new ArrayList<>();
        private final Deque<Supplier<Optional<AppendOutcome>>> answers = new ArrayDeque<>();
        private final List<DeleteRequest> deletes = new ArrayList<>();
        private boolean lettersCameFirst = true;
        private int writesUntilFull = Integer.MAX_VALUE;
        private TimeRange buffered = new TimeRange(2, 3);
        private boolean canTakeBack = true;

        void write(String host, long time, int value) {
            rows.removeIf(row -> row.timeNanos() == time && row.tags().equals(tags(host)));
            rows.add(new WholeRow(time, tags(host), host + "@" + time + "=" + value, 1));
        }

        @Override
        public TableSchema table(String tenant, String name) {
            return catalog.image().table(tenant, name).orElseThrow();
        }

        @Override
        public boolean hasLetters(String tenant) {
            return true;
        }

        @Override
        public RowSlice oldest(String tenant, String name, RowRange range) {
            List<WholeRow> found = rows.stream()
                    .filter(row -> isMeant(range.times(), range.combinations(), row))
                    .sorted(Comparator.comparingLong(WholeRow::timeNanos))
                    .toList();
            TreeMap<Integer, Long> cut = new TreeMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                cut.put(partition, 100L + partition);
            }
            return new RowSlice(found, new Cursor(cut), false);
        }

        @Override
        public long count(String tenant, String name, RowRange range) {
            return oldest(tenant, name, range).rows().size();
        }

        @Override
        public TimeRange buffered(TableSchema schema) {
            return buffered;
        }

        @Override
        public CompletionStage<AppendOutcome> append(AppendRequest request) {
            return writesUntilFull-- > 0 ? partitions.append(request) : refused(ErrorCode.DISK_FULL);
        }

        @Override
        public CompletionStage<AppendOutcome> delete(DeleteRequest request) {
            if (request.measurement().equals(LetterTable.NAME)) {
                return canTakeBack ? partitions.delete(request) : refused(ErrorCode.NO_LEADER);
            }
            deletes.add(request);
            Supplier<Optional<AppendOutcome>> answer = answers.poll();
            return CompletableFuture.completedFuture(
                    (answer == null ? Optional.<AppendOutcome>empty() : answer.get()).orElseGet(() -> apply(request)));
        }

        private static CompletionStage<AppendOutcome> refused(ErrorCode code) {
            return CompletableFuture.completedFuture(new AppendOutcome.Refused(Refusal.of(code, code.wireName())));
        }

        private AppendOutcome apply(DeleteRequest request) {
            DeleteRequest.Range range = request.range();
            TimeRange times = new TimeRange(range.fromNanos(), range.toNanos());
            List<WholeRow> gone = rows.stream()
                    .filter(row -> partition(row) == request.partition() && isMeant(times, List.of(range.tags()), row))
                    .toList();
            lettersCameFirst &= gone.stream().allMatch(row -> letters().contains(row.text()));
            rows.removeAll(gone);
            return new AppendOutcome.Applied(200, 0, 0, List.of());
        }

        private int partition(WholeRow row) {
            return catalog.image()
                    .partitionOf(new SeriesKey("acme", "cpu", row.tags()).slot())
                    .id();
        }

        private static boolean isMeant(TimeRange times, List<List<Tag>> combinations, WholeRow row) {
            return row.timeNanos() >= times.fromNanos()
                    && row.timeNanos() <= times.toNanos()
                    && combinations.stream().anyMatch(row.tags()::containsAll);
        }
    }

    private static List<Tag> tags(String host) {
        return List.of(new Tag("host", host));
    }

    private List<Object> letters() {
        return partitions.letters().stream()
                .map(letter -> letter.fields().get("text"))
                .toList();
    }

    @BeforeEach
    void fill() {
        catalog.propose(new CatalogCommand.CreateTable(
                        "acme",
                        "cpu",
                        false,
                        false,
                        List.of(
                                new ColumnWish("host", ColumnRole.TAG, FieldType.STRING, false, false),
                                new ColumnWish("v", ColumnRole.FIELD, FieldType.INT64, false, false)),
                        TableSettings.DEFAULTS))
                .toCompletableFuture()
                .join();
        for (int host = 0; host < 8; host++) {
            for (int time = 1; time <= 4; time++) {
                table.write("h" + host, time, 0);
            }
        }
    }

    @Test
    void keepsEachRowBeforeItGoesAndTakesNoOther() {
        Quarantine.Done done = quarantine.setAside("acme", "cpu", Optional.of("host IN ('h1', 'h2') AND time < 3"));
        assertThat(done)
                .isEqualTo(new Quarantine.Done(
                        4,
                        false,
                        Optional.of("time <= '1970-01-01T00:00:00.000000002Z' AND \"host\" IN ('h1', 'h2')")));
        assertThat(letters()).containsExactlyInAnyOrder("h1@1=0", "h2@1=0", "h1@2=0", "h2@2=0");
        assertThat(table.lettersCameFirst).isTrue();
        assertThat(table.rows).hasSize(28);
        assertThat(table.deletes).allSatisfy(request -> {
            assertThat(request.range().asOfSeq()).isEqualTo(100 + request.partition());
            assertThat(request.range().fromNanos()).isEqualTo(1);
            assertThat(request.range().toNanos()).isEqualTo(2);
        });
        assertThat(partitions.letters()).allSatisfy(letter -> {
            assertThat(letter.tags()).contains(new Tag("code", "quarantined"));
            assertThat(letter.fields().get("format")).isEqualTo("json");
            assertThat(letter.fields().get("measurement")).isEqualTo("cpu");
        });
    }

    @Test
    void takesWhatIsInNoFileWhereNothingElseIsSaid() {
        assertThat(quarantine.setAside("acme", "cpu", Optional.empty()))
                .isEqualTo(new Quarantine.Done(16, false, Optional.of(TIMES_2_AND_3)));
        assertThat(table.rows).allMatch(row -> row.timeNanos() == 1 || row.timeNanos() == 4);
        assertThat(table.lettersCameFirst).isTrue();
    }

    @Test
    void saysWhatIsMeantSoThatLaterCallsMeanTheSame() {
        Quarantine.Meant meant = quarantine.meant("acme", "cpu", Optional.empty());
        assertThat(meant).isEqualTo(new Quarantine.Meant(16, Optional.of(TIMES_2_AND_3)));
        table.buffered = new TimeRange(1, 4);
        assertThat(quarantine.setAside("acme", "cpu", meant.where()))
                .isEqualTo(new Quarantine.Done(16, false, meant.where()));
    }

    @Test
    void meansNothingWhereEveryRowIsInAFileOrConditionsContradictEachOther() {
        table.buffered = new TimeRange(0, -1);
        assertThat(quarantine.meant("acme", "cpu", Optional.empty()))
                .isEqualTo(new Quarantine.Meant(0, Optional.empty()));
        for (String none : List.of("host = 'h1' AND host = 'h2'", "time > 3 AND time < 2")) {
            assertThat(quarantine.setAside("acme", "cpu", Optional.of(none)))
                    .isEqualTo(new Quarantine.Done(0, false, Optional.empty()));
        }
        assertThat(table.rows).hasSize(32);
    }

    @Test
    void readsAgainWhatWasWrittenMeanwhileAndTakesItsFirstLetterBack() {
        table.answers.add(() -> {
            table.write("h1", 2, 7);
            return Optional.of(CHANGED);
        });
        Quarantine.Done done = quarantine.setAside("acme", "cpu", Optional.of("host = 'h1' AND time = 2"));
        assertThat(done.rows()).isEqualTo(1);
        assertThat(done.more()).isFalse();
        assertThat(letters()).containsExactly("h1@2=0", "h1@2=7");
        long first = partitions.letters().getFirst().time();
        assertThat(partitions.deletes()).hasSize(1);
        assertThat(partitions.deletes().getFirst().range())
                .isEqualTo(new DeleteRequest.Range(List.of(new Tag("node", "n1")), first, first, false));
        assertThat(table.rows).hasSize(31);
    }

    @Test
    void saysThatThereIsMoreWhereOnePartitionChanged() {
        table.answers.add(() -> Optional.of(CHANGED));
        Quarantine.Done done = quarantine.setAside("acme", "cpu", Optional.of("time = 1"));
        assertThat(done.more()).isTrue();
        assertThat(done.rows()).isEqualTo(32 - table.rows.size());
        Quarantine.Done rest = quarantine.setAside("acme", "cpu", Optional.of("time = 1"));
        assertThat(done.rows() + rest.rows()).isEqualTo(8);
        assertThat(rest.more()).isFalse();
    }

    @Test
    void givesUpWhereRowsChangeAllTheTime() {
        for (int i = 0; i < 10; i++) {
            table.answers.add(() -> Optional.of(CHANGED));
        }
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("host = 'h1'")))
                .hasMessage(
                        "rows of table cpu could not be set aside in 5 attempts; the last: rows in it were written");
        assertThat(table.rows).hasSize(32);
        assertThat(partitions.deletes()).hasSize(5);
    }

    @Test
    void keepsLettersOfRowsOfWhichNobodyKnows() {
        table.answers.add(() -> Optional.of(new AppendOutcome.Unknown("no answer")));
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("host = 'h1'")))
                .hasMessage("no answer");
        assertThat(letters()).hasSize(4);
        assertThat(partitions.deletes()).isEmpty();
    }

    @Test
    void takesLettersBackWhereRowsCertainlyStay() {
        table.answers.add(() -> Optional.of(new AppendOutcome.Refused(Refusal.of(ErrorCode.NO_QUORUM, "no quorum"))));
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("host = 'h1'")))
                .hasMessage("no quorum");
        assertThat(table.rows).hasSize(32);
        assertThat(partitions.deletes()).hasSize(1);
    }

    private List<StoredRow> lettersLeft() {
        return partitions.letters().stream()
                .filter(letter -> partitions.deletes().stream()
                        .noneMatch(delete -> delete.range().fromNanos() <= letter.time()
                                && letter.time() <= delete.range().toNanos()))
                .toList();
    }

    private double quarantined() {
        return meters.get("weir_dead_letters_quarantined").counter().count();
    }

    @Test
    void takesAllLettersBackWhereOneOfSeveralWritesIsRefused() {
        for (int time = 5; time < 2_500; time++) {
            table.write("h1", time, 0);
        }
        int rows = table.rows.size();
        table.writesUntilFull = 2;
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("time >= 0")))
                .hasMessage("a row could not be kept in _dead_letters: disk_full");
        assertThat(letters()).hasSize(2_000);
        assertThat(lettersLeft()).isEmpty();
        assertThat(table.rows).hasSize(rows);
        assertThat(table.deletes).isEmpty();
    }

    @Test
    void saysThatLettersMayStayWhereTheyCannotBeTakenBackEither() {
        table.writesUntilFull = 0;
        table.canTakeBack = false;
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("host = 'h1'")))
                .hasMessage("a row could not be kept in _dead_letters: disk_full; letters of rows that are in the table"
                        + " still may stay: no_leader");
    }

    @Test
    void countsWhatIsGoneAndNamesTheFailureWhereLettersCannotBeTakenBack() {
        table.canTakeBack = false;
        table.answers.add(() -> Optional.of(new AppendOutcome.Refused(Refusal.of(ErrorCode.NO_QUORUM, "no quorum"))));
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("time = 1")))
                .hasMessage("no quorum; letters of rows that are in the table still may stay: no_leader");
        assertThat(quarantined()).isEqualTo(32 - table.rows.size()).isPositive();
    }

    @Test
    void countsWhatIsGoneWhereLettersOfChangedRowsCannotBeTakenBack() {
        table.canTakeBack = false;
        table.answers.add(() -> Optional.of(CHANGED));
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("time = 1")))
                .hasMessage("no_leader");
        assertThat(quarantined()).isEqualTo(32 - table.rows.size()).isPositive();
    }

    @Test
    void refusesWhatHasNoRoom() {
        assertThatThrownBy(() -> quarantine(1_000).setAside("acme", "cpu", Optional.of("time >= 0")))
                .hasMessageContaining("expected at most 1000, half of dead-letters.bytes-max");
        assertThat(table.rows).hasSize(32);
        assertThat(letters()).isEmpty();
    }

    @Test
    void refusesConditionsThatADeleteCouldNotSay() {
        assertThatThrownBy(() -> quarantine.setAside("acme", "cpu", Optional.of("v > 3")))
                .hasMessageStartingWith("where: expected tags and times as in DELETE");
        assertThatThrownBy(() -> quarantine.setAside("acme", "_dead_letters", Optional.of("time = 1")))
                .hasMessageContaining("_");
    }
}
