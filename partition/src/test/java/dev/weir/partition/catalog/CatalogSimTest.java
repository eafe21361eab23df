package dev.weir.partition.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas of the catalog, random commands, proposals sent twice, snapshots, crashes and lags; from a printed seed. */
final class CatalogSimTest {
    private static final int SEEDS = Integer.getInteger("weir.sim.seeds", 20);
    private static final int STEPS = 150;

    @TempDir
    Path folder;

    @Test
    void replicasAgreeAndSchemasOnlyGrow() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                new Run(seed, folder.resolve("seed-" + seed)).go();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static final class Run {
        private final Random random;
        private final TinyCluster cluster = new TinyCluster();
        private final List<TinyCluster.Host> hosts = new ArrayList<>();
        private final List<CatalogState> states = new ArrayList<>();
        private final List<byte[]> sent = new ArrayList<>();
        private final Map<Integer, TableSchema> newest = new HashMap<>();
        private final Set<Integer> retired = new HashSet<>();

        Run(long seed, Path folder) {
            random = new Random(seed);
            for (int i = 1; i <= 3; i++) {
                CatalogState state = new CatalogState(node -> new CompletableFuture<>());
                states.add(state);
                hosts.add(cluster.add("n" + i, folder.resolve("n" + i), state));
            }
            states.getFirst().onChange(this::check);
            send(CatalogSamples.birth());
        }

        void go() {
            for (int step = 0; step < STEPS; step++) {
                TinyCluster.Host host = hosts.get(random.nextInt(3));
                switch (random.nextInt(12)) {
                    case 0 -> host.snapshotNow();
                    case 1 -> host.restart();
                    case 2 -> host.applies(false);
                    case 3 -> host.applies(true);
                    case 4 -> cluster.appendRaw(sent.get(random.nextInt(sent.size())));
                    default -> send(command());
                }
            }
            hosts.forEach(host -> host.applies(true));
            assertThat(states.get(1).image()).isEqualTo(states.get(0).image());
            assertThat(states.get(2).image()).isEqualTo(states.get(0).image());
        }

        private void send(CatalogCommand command) {
            byte[] entry =
                    CatalogEntryCodec.encode(new CatalogEntry("p" + sent.size(), new CatalogLimits(12, 6), command));
            sent.add(entry);
            cluster.appendRaw(entry);
        }

        private CatalogCommand command() {
            String table = "table-" + random.nextInt(8);
            return switch (random.nextInt(13)) {
                case 0 -> new CatalogCommand.CreateTenant("tenant-" + random.nextInt(4));
                case 1 -> new CatalogCommand.DropTable("default", table, "change-" + sent.size());
                case 2 -> new CatalogCommand.DropFinished(1 + random.nextInt(10));
                case 3 -> new CatalogCommand.NodeStarted(CatalogSamples.N1);
                case 4 ->
                    new CatalogCommand.SetReplicas(
                            random.nextInt(4), List.of("n" + (1 + random.nextInt(3))), 1 + random.nextInt(6));
                case 5 -> new CatalogCommand.PutSubscription(subscription(), 3);
                case 6 -> new CatalogCommand.DeleteSubscription("default", "s" + random.nextInt(4));
                case 7 ->
                    new CatalogCommand.SeekSubscription(
                            "default", "s" + random.nextInt(4), Cursor.of(random.nextInt(2), random.nextInt(50)));
                case 8 ->
                    new CatalogCommand.CommitCursors(
                            sent.size(),
                            List.of(new CursorCommit(
                                    "default",
                                    "s" + random.nextInt(4),
                                    "",
                                    random.nextInt(sent.size() + 1),
                                    Cursor.of(random.nextInt(2), random.nextInt(50)))));
                default -> new CatalogCommand.AgreeSchema("default", table, wishes());
            };
        }

        private SubscriptionRecord subscription() {
            return SubscriptionRecord.made(
                    "default",
                    "s" + random.nextInt(4),
                    new TreeMap<>(),
                    "now",
                    Cursor.of(0, random.nextInt(50)),
                    new SubscriptionBudget(random.nextInt(3), Duration.ZERO),
                    sent.size());
        }

        private List<ColumnWish> wishes() {
            List<ColumnWish> wishes = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                boolean tag = random.nextInt(4) == 0;
                wishes.add(new ColumnWish(
                        "c" + random.nextInt(15),
                        tag ? ColumnRole.TAG : ColumnRole.FIELD,
                        tag ? FieldType.STRING : FieldType.ofCode(1 + random.nextInt(5)),
                        random.nextBoolean(),
                        random.nextBoolean()));
            }
            return wishes;
        }

        /** Called with each image of the first replica; images may leap where it lagged, and never go back. */
        private void check(CatalogImage image) {
            require(image.tables("default").size() <= 6, "tables");
            require(image.subscriptions("default").size() <= 3, "subscriptions");
            for (TableSchema schema : image.tables("default")) {
                require(!retired.contains(schema.tableId()), "a retired id lives again");
                require(schema.columns().size() <= 12, "columns");
                TableSchema before = newest.put(schema.tableId(), schema);
                if (before != null) {
                    requireGrown(before, schema);
                }
            }
            image.drops().forEach(drop -> retired.add(drop.tableId()));
        }

        private static void requireGrown(TableSchema before, TableSchema after) {
            require(after.version() >= before.version(), "a version goes back");
            require(after.version() > before.version() || after.equals(before), "a change without a version");
            require(after.columns().size() >= before.columns().size(), "a column is lost");
            for (int i = 0; i < before.columns().size(); i++) {
                Column old = before.columns().get(i);
                Column now = after.columns().get(i);
                boolean same = now.id() == old.id() && now.name().equals(old.name()) && now.role() == old.role();
                require(same, "a column has changed its id, name or role");
                boolean widened = old.type() == FieldType.INT64 && now.type() == FieldType.FLOAT64;
                require(now.type() == old.type() || (widened && !old.beyondDouble()), "a type has changed");
                require(now.beyondDouble() || !old.beyondDouble(), "a mark is lost");
            }
        }

        private static void require(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError(what);
            }
        }
    }
}
