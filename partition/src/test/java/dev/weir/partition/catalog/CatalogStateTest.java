package dev.weir.partition.catalog;

import static dev.weir.partition.catalog.CatalogSamples.agree;
import static dev.weir.partition.catalog.CatalogSamples.beyond;
import static dev.weir.partition.catalog.CatalogSamples.field;
import static dev.weir.partition.catalog.CatalogSamples.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.TableSettings;
import dev.weir.wal.LogPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CatalogStateTest {
    @TempDir
    Path folder;

    private final CatalogState state = new CatalogState(node -> CompletableFuture.failedFuture(new IOException(node)));
    private long index;

    @Test
    void snapshotHoldsEverything() {
        state.restore(folder);
        fill(state);
        CatalogImage before = state.image();
        state.snapshot(new LogPosition(3, 100));

        CatalogState again = new CatalogState(node -> CompletableFuture.failedFuture(new IOException(node)));
        assertThat(again.restore(folder)).isEqualTo(new LogPosition(3, 100));
        assertThat(again.image()).isEqualTo(before);

        index = 100;
        byte[] reply = apply(again, "tenant-a", new CatalogCommand.CreateTenant("a"));
        assertThat(CatalogAnswerCodec.decode(reply))
                .as("a proposal of before the snapshot is still answered as the first time")
                .isEqualTo(new CatalogAnswerCodec.Answer.Replied(new CatalogReply.Done(2)));
        apply(again, "x", agree("third", tag("z")));
        assertThat(again.image().table("default", "third").orElseThrow().tableId())
                .isEqualTo(4);
    }

    @Test
    void sameProposalTwiceTakesEffectOnce() {
        state.restore(folder);
        apply(state, "b", CatalogSamples.birth());
        byte[] first = apply(state, "p", new CatalogCommand.CreateTenant("a"));
        byte[] second = apply(state, "p", new CatalogCommand.CreateTenant("a"));
        byte[] other = apply(state, "q", new CatalogCommand.CreateTenant("a"));

        assertThat(second).isEqualTo(first);
        assertThat(CatalogAnswerCodec.decode(other))
                .extracting(answer -> ((CatalogAnswerCodec.Answer.Replied) answer).reply())
                .isInstanceOf(CatalogReply.Refused.class);
        assertThat(state.image().version()).isEqualTo(4);
    }

    @Test
    void replyMemoryIsBounded() {
        ReplyMemory memory = new ReplyMemory();
        for (int i = 0; i < ReplyMemory.ENTRIES_MAX + 10; i++) {
            memory.put("p" + i, new CatalogReply.Done(i));
        }

        assertThat(memory.all()).hasSize(ReplyMemory.ENTRIES_MAX);
        assertThat(memory.find("p9")).isEmpty();
        assertThat(memory.find("p10")).isPresent();
    }

    @Test
    void installFetchesChecksAndRestores() {
        CatalogState source = new CatalogState(node -> CompletableFuture.failedFuture(new IOException(node)));
        source.restore(folder.resolve("source"));
        fill(source);
        source.snapshot(new LogPosition(2, 50));
        List<String> asked = new ArrayList<>();
        CatalogState target = new CatalogState(node -> {
            asked.add(node);
            return CompletableFuture.completedFuture(source.newestSnapshot().orElseThrow());
        });
        Path there = folder.resolve("target");
        target.restore(there);

        assertThat(target.install("n7").toCompletableFuture().join()).isEqualTo(new LogPosition(2, 50));
        assertThat(target.restore(there)).isEqualTo(new LogPosition(2, 50));
        assertThat(target.image()).isEqualTo(source.image());
        assertThat(asked).containsExactly("n7");
    }

    @Test
    void damagedSnapshotIsRefusedWithItsName() throws IOException {
        state.restore(folder);
        fill(state);
        state.snapshot(new LogPosition(1, 20));
        Path file = onlyFile();
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at += 97) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            assertThatThrownBy(() -> state.restore(folder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(file.getFileName().toString());
        }
        Files.write(file, new byte[10]);
        assertThatThrownBy(() -> state.restore(folder)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unfinishedSnapshotIsRemovedAndOnlyTwoAreKept() throws IOException {
        state.restore(folder);
        fill(state);
        for (int i = 20; i < 25; i++) {
            state.snapshot(new LogPosition(1, i));
        }
        Files.write(folder.resolve("catalog-x.snapshot.partial"), new byte[3]);

        assertThat(state.restore(folder)).isEqualTo(new LogPosition(1, 24));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void publishedImageNeverGoesBackWhileALogIsReplayed() {
        state.restore(folder);
        apply(state, "b", CatalogSamples.birth());
        state.snapshot(new LogPosition(1, index));
        apply(state, "p", new CatalogCommand.CreateTenant("a"));
        List<Long> seen = new ArrayList<>();
        state.onChange(image -> seen.add(image.version()));

        index = state.restore(folder).index();
        assertThat(state.image().version()).isEqualTo(2);
        apply(state, "p", new CatalogCommand.CreateTenant("a"));
        apply(state, "q", new CatalogCommand.CreateTenant("b"));

        assertThat(seen).containsExactly(3L);
        assertThat(state.image().tenants()).containsOnlyKeys("a", "b", "default");
    }

    @Test
    void snapshotHasItsBytes() throws IOException {
        state.restore(folder);
        state.snapshot(new LogPosition(1, 2));
        String body = "{\"version\":0,\"cluster_id\":\"\",\"epoch\":0,\"replication_factor\":0,\"next_table_id\":1,"
                + "\"nodes\":[],\"partitions\":[],\"tenants\":[],\"tokens\":[],\"tables\":[],\"records\":[],\"drops\":[],\"replies\":[]}";

        byte[] bytes = Files.readAllBytes(onlyFile());
        ByteBuffer file = ByteBuffer.wrap(bytes);
        assertThat(new String(bytes, 0, 7, StandardCharsets.US_ASCII)).isEqualTo("WEIRCAT");
        assertThat(file.getInt(8))
                .as("the format that builds before subscriptions read")
                .isEqualTo(2);
        assertThat(file.getLong(12)).isEqualTo(1);
        assertThat(file.getLong(20)).isEqualTo(2);
        assertThat(file.getInt(28)).isEqualTo(body.length());
        assertThat(new String(bytes, 32, body.length(), StandardCharsets.UTF_8)).isEqualTo(body);
        assertThat(bytes).hasSize(32 + body.length() + 4);
    }

    @Test
    void leasesOfMembersAloneMakeASnapshotOfTheNewestFormat() {
        ImageContents contents = new ImageContents();
        contents.memberLeases.put("n1", 4L);
        FoldedImage image = new FoldedImage(contents);

        byte[] bytes = new CatalogSnapshot(new LogPosition(1, 7), image, new ReplyMemory()).encode();
        assertThat(ByteBuffer.wrap(bytes).getInt(8)).isEqualTo(3);
        assertThat(CatalogSnapshot.decode("s", bytes).image()).isEqualTo(image);
    }

    @Test
    void tablesHaveTheirRecordsInSnapshots() throws IOException {
        state.restore(folder);
        fill(state);
        state.snapshot(new LogPosition(1, 20));

        assertThat(Files.readString(onlyFile(), StandardCharsets.ISO_8859_1))
                .contains(
                        "\"records\":[{\"table_id\":3,\"next_column_id\":3,\"retention_seconds\":60,\"published\":\"delta\"}]");
    }

    /** Those of 1 had no records, those of 1 and 2 no subscriptions. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void snapshotsOfOlderFormatsAreRead(int format) throws IOException {
        String body = "{\"version\":5,\"cluster_id\":\"c\",\"epoch\":1,\"replication_factor\":1,\"next_table_id\":3,"
                + "\"nodes\":[],\"partitions\":[],\"tenants\":[],\"tokens\":[],"
                + "\"tables\":[{\"table_id\":2,\"tenant\":\"default\",\"name\":\"cpu\",\"version\":1,"
                + "\"columns\":[{\"id\":1,\"name\":\"host\",\"role\":\"tag\",\"type\":\"string\"}]}],"
                + (format == 1 ? "" : "\"records\":[],")
                + "\"drops\":[],\"replies\":[]}";
        ByteBuffer file = ByteBuffer.allocate(32 + body.length() + 4);
        file.put("WEIRCAT\0".getBytes(StandardCharsets.US_ASCII))
                .putInt(format)
                .putLong(7)
                .putLong(5);
        file.putInt(body.length()).put(body.getBytes(StandardCharsets.US_ASCII));
        CRC32C crc = new CRC32C();
        crc.update(file.array(), 0, file.position());
        file.putInt((int) crc.getValue());

        CatalogSnapshot snapshot = CatalogSnapshot.decode("old", file.array());
        assertThat(snapshot.position()).isEqualTo(new LogPosition(7, 5));
        assertThat(snapshot.image().table("default", "cpu")).isPresent();
        assertThat(snapshot.image().subscriptions("default")).isEmpty();
        assertThat(snapshot.image().settings(2)).isEqualTo(TableSettings.DEFAULTS);
    }

    private void fill(CatalogState target) {
        apply(target, "birth", CatalogSamples.birth());
        apply(target, "tenant-a", new CatalogCommand.CreateTenant("a"));
        apply(target, "alias", new CatalogCommand.AddAlias("a", "alias-of-a"));
        apply(
                target,
                "token",
                new CatalogCommand.CreateToken(
                        new TokenRecord("t", "0".repeat(64), "a", Set.of(Scope.READ, Scope.WRITE), 9)));
        apply(target, "cpu", agree("cpu", tag("host"), beyond("n")));
        apply(target, "mem", agree("mem", tag("host")));
        apply(
                target,
                "create",
                new CatalogCommand.CreateTable(
                        "a",
                        "disk",
                        false,
                        true,
                        List.of(tag("host"), field("used", FieldType.UINT64)),
                        new TableSettings(Duration.ofMinutes(1), 1, Publication.DELTA)));
        apply(target, "alter", new CatalogCommand.AlterTable("a", "disk", new TableAlteration.DropColumn("used")));
        apply(target, "drop", new CatalogCommand.DropTable("default", "mem", "x-1"));
        apply(target, "start", new CatalogCommand.NodeStarted(CatalogSamples.N2));
        apply(target, "replicas", new CatalogCommand.SetReplicas(0, List.of("n3"), 1));
        SubscriptionRecord audit = SubscriptionRecord.made(
                "a", "audit", new TreeMap<>(), "now", Cursor.of(0, 1), SubscriptionBudget.NONE, 5);
        apply(target, "subscribe", new CatalogCommand.PutSubscription(audit, 9));
        apply(
                target,
                "join",
                new CatalogCommand.JoinGroup(
                        "a", "audit", "m1", new MemberStream("n1", "x"), 7, new TreeSet<>(List.of(0, 2)), 9));
        apply(target, "renew", new CatalogCommand.RenewMembers("n1"));
    }

    private byte[] apply(CatalogState target, String id, CatalogCommand command) {
        index++;
        byte[] entry = CatalogEntryCodec.encode(new CatalogEntry(id, CatalogLimits.DEFAULTS, command));
        return target.apply(new LogPosition(1, index), 0, ByteBuffer.wrap(entry));
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }
}
