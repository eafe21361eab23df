package dev.weir.partition.store;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Tries a request again while its failures are transient and the budget lasts: the only layer that does. Threading: any thread.
 */
final class Retries {
    private final RetryConfig config;
    private final StoreMetrics metrics;
    private final Pace pace;

    /**
     * Time and chance.
     *
     * @param sleep ends early only by an interrupt
     */
    record Pace(LongSupplier nanos, Sleep sleep, RandomGenerator random) {
        static Pace real() {
            return new Pace(System::nanoTime, Thread::sleep, RandomGenerator.getDefault());
        }
    }

    interface Sleep {
        void sleep(Duration time) throws InterruptedException;
    }

    interface Request<T> {
        T send() throws RequestFailure, StoreException, InterruptedException;
    }

    Retries(RetryConfig config, StoreMetrics metrics, Pace pace) {
        this.config = config;
        this.metrics = metrics;
        this.pace = pace;
    }

    /**
     * @param what verb and key, for messages
     * @throws StoreException the request failed for good, or its budget is spent
     */
    <T> T run(String what, Request<T> request) throws StoreException, InterruptedException {
        long start = pace.nanos().getAsLong();
        for (int tries = 1; ; tries++) {
            metrics.request();
            try {
                T result = request.send();
                metrics.succeeded();
                return result;
            } catch (RequestFailure failure) {
                long spent = pace.nanos().getAsLong() - start;
                if (failure.isTrouble()) {
                    metrics.failed(what + ": " + failure.getMessage(), System.currentTimeMillis());
                }
                Duration delay = delay(tries);
                if (!failure.isTransient()
                        || spent + delay.toNanos() > config.budget().toNanos()) {
                    throw failure.toStoreException(what, tries, Duration.ofNanos(spent));
                }
                await(delay);
            }
        }
    }

    private Duration delay(int tries) {
        long longest = config.delayMax().toNanos();
        long doubled = config.delayFirst().toNanos();
        for (int i = 1; i < tries && doubled < longest; i++) {
            doubled *= 2;
        }
        double factor = 0.5 + pace.random().nextDouble() / 2;
        return Duration.ofNanos((long) (Math.min(doubled, longest) * factor));
    }

    private void await(Duration delay) throws InterruptedException {
        metrics.waits(delay.toMillis());
        try {
            pace.sleep().sleep(delay);
        } finally {
            metrics.waited();
        }
    }
}
