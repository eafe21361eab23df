package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.config.DeadLetterConfig;
import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.node.ingest.letter.Letter;
import dev.weir.node.ingest.letter.LetterRate;
import dev.weir.node.ingest.letter.LetterTable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * Three nodes refuse rows at once, as fast as their rate lets them, with clocks that are apart; now the one, now the other holds the table within its
 * bound, now and then two of them. A failure names its seed.
 */
class LetterBoundsSimTest {
    /** Each takes some seconds. */
    private static final int SEEDS = Math.max(1, Integer.getInteger("weir.sim.seeds", 20) / 10);

    private static final long BYTES_PER_SECOND = 4_000;
    private static final long BYTES_MAX = DeadLetterConfig.LOOK_SECONDS * BYTES_PER_SECOND;
    private static final int NODES = 3;
    private static final int LOOKS = 8;
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> CODES = List.of("syntax", "type_conflict", "limit_series");

    @Test
    void theTableStaysWithinItsBoundWhoeverWritesAndWhoeverLooks() {
        long first = Long.getLong("weir.seed", System.nanoTime());
        System.out.println("seeds from " + first + " (-Dweir.seed=" + first + ")");
        for (long seed = first; seed < first + SEEDS; seed++) {
            try (LetterTableInDuck table = new LetterTableInDuck();
                    ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor()) {
                new Simulation(table, new Random(seed), blocking).run();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static final class Simulation {
        private final LetterTableInDuck table;
        private final Random random;
        private final List<LetterRate> rates = new ArrayList<>();
        private final List<LetterBounds> bounds = new ArrayList<>();
        private final long[] free = new long[NODES];
        private long setAside;

        Simulation(LetterTableInDuck table, Random random, ExecutorService blocking) {
            this.table = table;
            this.random = random;
            for (int node = 0; node < NODES; node++) {
                rates.add(new LetterRate(BYTES_PER_SECOND));
                bounds.add(new LetterBounds(
                        new FoldingCatalog(1), table, BYTES_MAX, () -> true, blocking, new SimpleMeterRegistry()));
            }
        }

        void run() {
            quarantine();
            for (int look = 0; look < LOOKS; look++) {
                for (int second = 0; second < DeadLetterConfig.LOOK_SECONDS; second++) {
                    long now = (look * DeadLetterConfig.LOOK_SECONDS + second) * SECOND;
                    for (int node = 0; node < NODES; node++) {
                        refuse(node, now);
                    }
                }
                assertThat(bytes())
                        .isLessThanOrEqualTo(BYTES_MAX
                                + NODES
                                        * BYTES_PER_SECOND
                                        * (DeadLetterConfig.LOOK_SECONDS + DeadLetterConfig.BURST_SECONDS));
                long oldest = oldestRefused();
                bounds.get(random.nextInt(NODES)).hold("acme");
                if (random.nextInt(3) == 0) {
                    bounds.get(random.nextInt(NODES)).hold("acme");
                }
                assertThat(bytes()).isLessThanOrEqualTo(BYTES_MAX);
                assertThat(bytes()).as("no more goes than has to").isGreaterThan(BYTES_MAX / 10 * 8);
                assertThat(oldestRefused()).as("the oldest go").isGreaterThan(oldest);
                assertThat(bytesOf("code = '" + LetterTable.QUARANTINED + "'")).isEqualTo(setAside);
            }
            bounds.forEach(LetterBounds::close);
        }

        private void quarantine() {
            for (int i = 0; i < 10; i++) {
                table.add(i - 100, LetterTable.QUARANTINED, "n0", 500);
                setAside += 500;
            }
        }

        private void refuse(int node, long now) {
            List<Letter> letters = new ArrayList<>();
            for (int i = random.nextInt(40); i >= 0; i--) {
                String code = CODES.get(random.nextInt(CODES.size()));
                letters.add(new Letter(code, 1, "m", "why", "x".repeat(random.nextInt(1_000)), false));
            }
            int admitted = rates.get(node).admit("acme", letters, now);
            free[node] = Math.max(free[node], now + (node - 1) * 5 * SECOND);
            for (Letter letter : letters.subList(0, admitted)) {
                table.add(free[node]++, letter.code(), "n" + node, letter.bytes());
            }
        }

        private long bytes() {
            return bytesOf("true");
        }

        private long bytesOf(String condition) {
            return table.number("acme", "SELECT CAST(sum(bytes) AS BIGINT) FROM _dead_letters WHERE " + condition);
        }

        private long oldestRefused() {
            return table.number(
                    "acme",
                    "SELECT epoch_ns(min(time)) FROM _dead_letters WHERE code <> '" + LetterTable.QUARANTINED + "'");
        }
    }
}
