package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The same work, failing at every file call in turn. After each failure the process or the machine restarts, the log is opened with the
 * last manifest that was kept, the work is done again from there, and the files must be those of an undisturbed run.
 */
final class SegmentLogCrashTest {
    private static final Path DIRECTORY = Path.of("segments");
    private static final SegmentConfig CONFIG = new SegmentConfig(160);
    private static final int STEPS = 60;
    private static final long SEED = 20261129;

    /** What happens after the call has failed. */
    private enum Aftermath {
        MACHINE_RESTARTS,
        PROCESS_RESTARTS,
        REOPENED_IN_PROCESS
    }

    @Test
    void anyFailedCallLosesNothingThatAManifestNamed() throws IOException {
        Work undisturbed = new Work();
        undisturbed.go();
        int calls = undisturbed.files.calls();
        Map<String, byte[]> expected = undisturbed.contents();
        assertThat(calls).isGreaterThan(100);
        for (Aftermath aftermath : Aftermath.values()) {
            for (int call = 1; call <= calls; call++) {
                Work work = new Work();
                work.failAt(call, aftermath);
                work.go();
                assertThat(work.contents())
                        .as("call %d, %s", call, aftermath)
                        .usingRecursiveComparison()
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void anyFailedCallWhileOpeningIsHealedByOpeningAgain() throws IOException {
        for (Aftermath aftermath : Aftermath.values()) {
            int call = 0;
            boolean failed = true;
            while (failed) {
                Work work = new Work();
                work.until(STEPS - 3);
                Seeded random = new Seeded(SEED + call);
                work.files.crash(random);
                work.files.failAt(++call, aftermath != Aftermath.REOPENED_IN_PROCESS);
                failed = false;
                try {
                    work.open();
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("fails");
                    failed = true;
                    work.restart(aftermath, random);
                    work.open();
                }
                work.files.restartProcess();
                work.go();
                work.checkEnd();
            }
            assertThat(call).isGreaterThan(8);
        }
    }

    /** Steps that depend on their number alone, and the manifest (with its step) from which they can be done again. */
    private static final class Work {
        private final MemoryFiles files = new MemoryFiles();
        private SegmentManifest kept = SegmentManifest.empty(100);
        private int keptStep;
        private SegmentManifest pending = kept;
        private int pendingStep;
        private Aftermath aftermath = Aftermath.MACHINE_RESTARTS;
        private FileSegmentLog log;
        private int failures;

        void failAt(int call, Aftermath then) {
            files.failAt(call, then != Aftermath.REOPENED_IN_PROCESS);
            aftermath = then;
        }

        void go() throws IOException {
            until(STEPS);
        }

        void until(int end) throws IOException {
            while (true) {
                try {
                    if (log == null) {
                        open();
                    }
                    for (int step = keptStep; step < end; step++) {
                        step(step);
                    }
                    return;
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("fails");
                    assertThat(++failures).isEqualTo(1);
                    restart(aftermath, new Seeded(SEED));
                }
            }
        }

        void open() throws IOException {
            log = FileSegmentLog.open(files, DIRECTORY, kept, CONFIG);
        }

        void restart(Aftermath then, Seeded random) {
            if (log != null) {
                log.close();
            }
            log = null;
            pending = kept;
            pendingStep = keptStep;
            switch (then) {
                case MACHINE_RESTARTS -> files.crash(random);
                case PROCESS_RESTARTS, REOPENED_IN_PROCESS -> files.restartProcess();
            }
        }

        void checkEnd() throws IOException {
            Work undisturbed = new Work();
            undisturbed.go();
            assertThat(contents()).usingRecursiveComparison().isEqualTo(undisturbed.contents());
        }

        Map<String, byte[]> contents() {
            Map<String, byte[]> contents = new HashMap<>();
            log.segments().forEach(file -> contents.put(file.name(), files.content(DIRECTORY.resolve(file.name()))));
            return contents;
        }

        private void keepPending() {
            kept = pending;
            keptStep = pendingStep;
        }

        private void step(int step) throws IOException {
            if (step % 10 == 9) {
                keepPending();
                pending = log.sync();
                pendingStep = step + 1;
                if (step % 20 == 9) {
                    keepPending(); // The other half of the manifests become durable only just before the next.
                }
                return;
            }
            if (step % 7 == 6) {
                log.trim(Math.max(100, 100 + 2L * step - 20));
                return;
            }
            Seeded random = new Seeded(step);
            log.append(2, 1000 + step, ByteBuffer.wrap(random.bytes(random.below(60))));
            log.read(log.nextSeq() - 2, 100);
        }
    }
}
