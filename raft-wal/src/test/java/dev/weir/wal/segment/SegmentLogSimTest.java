package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** Random work on a log, with failing calls, process and machine crashes, compared with a model after each step. */
final class SegmentLogSimTest {
    private static final int SEEDS = Integer.getInteger("weir.sim.seeds", 30);
    private static final int STEPS = 120;
    private static final Path DIRECTORY = Path.of("segments");

    @Test
    void agreesWithTheModelUnderCrashesAndFailures() {
        long first = Long.getLong("weir.seed", System.nanoTime());
        System.out.println("seeds from " + first + " (-Dweir.seed=" + first + ")");
        for (long seed = first; seed < first + SEEDS; seed++) {
            try {
                new Run(new Seeded(seed)).run();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static final class Run {
        private final Seeded random;
        private final SegmentConfig config;
        private final MemoryFiles files = new MemoryFiles();
        private final SegmentModel model;
        private final Deque<SegmentManifest> manifests = new ArrayDeque<>();
        private FileSegmentLog log;

        Run(Seeded random) throws IOException {
            this.random = random;
            this.config = new SegmentConfig(1 + random.below(600));
            long firstSeq = 1L + random.below(1000);
            this.model = new SegmentModel(firstSeq, config.segmentBytes());
            manifests.add(SegmentManifest.empty(firstSeq));
            this.log = FileSegmentLog.open(files, DIRECTORY, manifests.getLast(), config);
        }

        void run() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                step();
                model.check(log, random);
            }
            log.close();
            assertThat(files.open()).as("open files after close").isZero();
        }

        private void step() throws IOException {
            switch (random.below(20)) {
                case 0, 1 -> sync();
                case 2 -> trim();
                case 3 -> crash();
                case 4 -> restart();
                case 5 -> failure();
                default -> append();
            }
        }

        private void append() throws IOException {
            int count = 1 + random.below(5);
            long time = model.lastTime() + 1 + random.below(10);
            byte[] payload = random.bytes(random.below(200));
            log.append(count, time, ByteBuffer.wrap(payload));
            model.append(count, time, payload);
        }

        private void sync() throws IOException {
            while (manifests.size() > 1) {
                manifests.removeFirst(); // A sync says that the manifest before is durable.
            }
            manifests.add(log.sync());
        }

        private void trim() throws IOException {
            long seq = model.oldestSeq() + random.below((int) (model.nextSeq() - model.oldestSeq()) + 2);
            model.trim(seq);
            assertThat(log.trim(seq)).isEqualTo(model.oldestSeq());
        }

        /** The last manifest may not have become durable; the one before it then must do. */
        private void crash() throws IOException {
            files.crash(random);
            reopen();
        }

        private void restart() throws IOException {
            log.close();
            assertThat(files.open()).as("open files after close").isZero();
            reopen();
        }

        private void failure() throws IOException {
            files.failAt(1 + random.below(12), random.oneIn(2));
            try {
                for (int i = 0; i < 12; i++) {
                    append();
                    if (random.oneIn(3)) {
                        sync();
                    }
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("fails");
            }
            if (random.oneIn(2)) {
                files.crash(random);
            } else {
                files.restartProcess();
            }
            reopen();
        }

        private void reopen() throws IOException {
            if (manifests.size() > 1) {
                if (random.oneIn(2)) {
                    manifests.removeLast();
                } else {
                    manifests.removeFirst();
                }
            }
            log = FileSegmentLog.open(files, DIRECTORY, manifests.getLast(), config);
            model.cutBack(manifests.getLast());
        }
    }
}
