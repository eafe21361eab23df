package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.wal.segment.ChannelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRunsTest {
    private static final int SERIES = 40;

    @TempDir
    private Path directory;

    private final ChannelFiles files = new ChannelFiles();

    /** Spills, deletes, merges and restarts at random; what is there is compared with sets in memory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void holdsWhatWasSpilledAndNotDeletedSince(int seed) throws IOException {
        Random random = new Random(seed);
        Map<Integer, TreeSet<Long>> model = new HashMap<>();
        KeyRuns runs = KeyRuns.open(files, directory, KeyManifest.NONE, KeyRunsTest::tableOf);
        List<Merging> merging = new ArrayList<>();
        int merges = 0;
        for (int step = 0; step < 120; step++) {
            int dice = random.nextInt(10);
            if (dice < 4) {
                spill(runs, model, random);
            } else if (dice < 7) {
                delete(runs, model, random);
            } else if (dice < 8) {
                KeyManifest manifest = runs.manifest(new KeyManifest.KeyFile("newest", 0, 0));
                runs.close();
                merging.clear();
                runs = KeyRuns.open(files, directory, manifest, KeyRunsTest::tableOf);
            } else if (merging.isEmpty()) {
                KeyMerge plan = runs.planMerge();
                if (plan != null) {
                    // Written now, taken over some spills and deletes later.
                    merging.add(new Merging(plan, plan.run()));
                }
            } else {
                Merging done = merging.removeFirst();
                runs.replace(done.plan, done.output);
                merges++;
            }
            check(runs, model, random);
        }
        assertThat(merges).isPositive();
        runs.close();
    }

    @Test
    void findsEachPointOfALongSeries() throws IOException {
        PointTimes times = new PointTimes();
        for (int i = 0; i < 5000; i++) {
            times.add(3, i * 10_000_000_000L + i % 7);
            times.add(9, -i);
        }
        KeyRuns runs = KeyRuns.open(files, directory, KeyManifest.NONE, KeyRunsTest::tableOf);
        runs.add(runs.spill(times));
        for (int i = 0; i < 4999; i++) {
            assertThat(runs.contains(3, i * 10_000_000_000L + i % 7)).isTrue();
            assertThat(runs.contains(3, i * 10_000_000_000L + i % 7 + 1)).isFalse();
            assertThat(runs.contains(9, -i - 1)).isTrue();
        }
        assertThat(runs.contains(9, 0)).as("the newest stays in memory").isFalse();
        assertThat(runs.points()).isEqualTo(2 * 4999);
        assertThat(runs.bytes()).as("bytes").isLessThan(3 * 2 * 4999);
        runs.close();
    }

    @Test
    void deletesAgainAndAgainOfWhatIsOldStayOneMark() throws IOException {
        PointTimes times = new PointTimes();
        for (int i = 0; i < 100; i++) {
            times.add(1, i);
        }
        KeyRuns runs = KeyRuns.open(files, directory, KeyManifest.NONE, KeyRunsTest::tableOf);
        runs.add(runs.spill(times));
        for (int to = 0; to < 50; to++) {
            runs.deleteRange(1, Long.MIN_VALUE, to);
        }
        assertThat(runs.manifest(new KeyManifest.KeyFile("newest", 0, 0)).deletes())
                .hasSize(1);
        assertThat(runs.contains(1, 49)).isFalse();
        assertThat(runs.contains(1, 50)).isTrue();
        runs.close();
    }

    @Test
    void forgetsRunsOfWhichHalfWasDeleted() throws IOException {
        PointTimes times = new PointTimes();
        for (int i = 0; i < 20_000; i++) {
            times.add(1, i);
            times.add(4, i);
        }
        KeyRuns runs = KeyRuns.open(files, directory, KeyManifest.NONE, KeyRunsTest::tableOf);
        runs.add(runs.spill(times));
        runs.deleteTable(1, Long.MIN_VALUE, 5_000);
        assertThat(runs.planMerge()).as("a quarter").isNull();
        runs.deleteTable(1, Long.MIN_VALUE, 15_000);

        KeyMerge plan = runs.planMerge();
        runs.replace(plan, plan.run());

        assertThat(runs.points()).isEqualTo(2 * 4_998);
        assertThat(runs.contains(4, 15_000)).isFalse();
        assertThat(runs.contains(4, 15_001)).isTrue();
        assertThat(runs.manifest(new KeyManifest.KeyFile("newest", 0, 0)).deletes())
                .isEmpty();
        assertThat(runs.planMerge()).isNull();
        runs.close();
    }

    @Test
    void refusesADamagedIndex() throws IOException {
        PointTimes times = new PointTimes();
        for (int i = 0; i < 2000; i++) {
            times.add(1, i);
        }
        KeyRuns runs = KeyRuns.open(files, directory, KeyManifest.NONE, KeyRunsTest::tableOf);
        KeyRun run = runs.spill(times);
        KeyManifest.Run named = run.run();
        run.close();
        Path file = directory.resolve(named.file().name());
        byte[] bytes = Files.readAllBytes(file);
        for (int at = bytes.length - 40; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x20;
            Files.write(file, damaged);
            assertThatThrownBy(() -> KeyRun.open(files, directory, named))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(named.file().name());
        }
    }

    private record Merging(KeyMerge plan, KeyRun output) {}

    private static int tableOf(int series) {
        return series % 3;
    }

    private static void spill(KeyRuns runs, Map<Integer, TreeSet<Long>> model, Random random) throws IOException {
        PointTimes times = new PointTimes();
        int points = 1 + random.nextInt(random.nextInt(10) == 0 ? 3000 : 60);
        for (int i = 0; i < points; i++) {
            times.add(random.nextInt(SERIES), random.nextInt(200) - 50);
        }
        KeyRun run = runs.spill(times);
        if (run == null) {
            return;
        }
        runs.add(run);
        for (int series = 0; series < SERIES; series++) {
            long[] all = times.times(series);
            for (int i = 0; i < all.length - 1; i++) {
                model.computeIfAbsent(series, id -> new TreeSet<>()).add(all[i]);
            }
        }
    }

    private static void delete(KeyRuns runs, Map<Integer, TreeSet<Long>> model, Random random) {
        int series = random.nextInt(SERIES);
        boolean all = random.nextInt(4) == 0;
        long from = all ? Long.MIN_VALUE : random.nextInt(200) - 50;
        long to = all ? Long.MAX_VALUE : from + random.nextInt(40);
        boolean table = random.nextInt(3) == 0;
        if (table) {
            runs.deleteTable(tableOf(series), from, to);
        } else {
            runs.deleteRange(series, from, to);
        }
        model.forEach((id, points) -> {
            if (id == series || (table && tableOf(id) == tableOf(series))) {
                points.removeIf(time -> time >= from && time <= to);
            }
        });
    }

    private static void check(KeyRuns runs, Map<Integer, TreeSet<Long>> model, Random random) {
        for (int i = 0; i < 60; i++) {
            int series = random.nextInt(SERIES);
            long time = random.nextInt(220) - 60;
            TreeSet<Long> points = model.getOrDefault(series, new TreeSet<>());
            assertThat(runs.contains(series, time)).as("%d at %d", series, time).isEqualTo(points.contains(time));
            Long floor = points.floor(time);
            assertThat(runs.floor(series, time))
                    .as("%d before %d", series, time)
                    .isEqualTo(floor == null ? OptionalLong.empty() : OptionalLong.of(floor));
        }
    }
}
