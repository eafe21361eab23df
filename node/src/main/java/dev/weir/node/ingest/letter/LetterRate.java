package dev.weir.node.ingest.letter;

import dev.weir.node.config.DeadLetterConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Bounds how fast the letters of each tenant grow on this node: a bucket of bytes that fills at {@code dead-letters.bytes-per-second}. Any thread. */
public final class LetterRate {
    private final double bytesPerNano;
    private final double full;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    private record Bucket(double bytes, long atNanos) {}

    public LetterRate(long bytesPerSecond) {
        this.bytesPerNano = bytesPerSecond / 1e9;
        this.full = (double) bytesPerSecond * DeadLetterConfig.BURST_SECONDS;
    }

    /** How many of these letters, from the first on, may be kept now. */
    public int admit(String tenant, List<Letter> letters, long nowNanos) {
        int[] admitted = {0};
        buckets.compute(tenant, (name, before) -> {
            double bytes =
                    before == null ? full : Math.min(full, before.bytes + (nowNanos - before.atNanos) * bytesPerNano);
            int count = 0;
            while (count < letters.size() && bytes >= letters.get(count).bytes()) {
                bytes -= letters.get(count++).bytes();
            }
            admitted[0] = count;
            return new Bucket(bytes, nowNanos);
        });
        return admitted[0];
    }
}
