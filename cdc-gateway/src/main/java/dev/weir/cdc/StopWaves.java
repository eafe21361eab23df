package dev.weir.cdc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Ends open streams a few at a time, so that their clients do not come to the other nodes in one moment. A handful of streams ends in a handful of steps: the whole time is
 * taken only where there are as many as there are waves.
 *
 * @param pause between two waves
 */
record StopWaves(List<List<OpenStream>> waves, Duration pause) {
    static final int WAVES_MAX = 20;

    /** @param spread from the first wave to the last, at most */
    static StopWaves of(Collection<OpenStream> streams, Duration spread) {
        List<OpenStream> mixed = new ArrayList<>(streams);
        Collections.shuffle(mixed);
        int size = Math.max(1, (mixed.size() + WAVES_MAX - 1) / WAVES_MAX);
        List<List<OpenStream>> waves = new ArrayList<>();
        for (int from = 0; from < mixed.size(); from += size) {
            waves.add(List.copyOf(mixed.subList(from, Math.min(from + size, mixed.size()))));
        }
        return new StopWaves(waves, spread.dividedBy(WAVES_MAX));
    }

    /** Blocks for the pauses; a thread that is interrupted ends the rest at once. */
    void run() {
        boolean hurried = false;
        for (int i = 0; i < waves.size(); i++) {
            waves.get(i).forEach(OpenStream::stop);
            if (i < waves.size() - 1 && !hurried) {
                hurried = !paused();
            }
        }
    }

    private boolean paused() {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
