package dev.weir.ops.bench;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Rows of the shape "cpu-only" of the Time Series Benchmark Suite as line protocol: per host ten tags, ten percentages that walk at random
 * between 0 and 100, every 10 seconds; all hosts of one time, then all of the next. About 366 bytes a row.
 *
 * <p>The same seed gives the same rows. Used by one thread.
 */
final class CpuRows {
    static final long STEP_NANOS = 10_000_000_000L;
    static final int BYTES_ABOUT = 370;

    private static final String[] REGIONS = {
        "us-east-1",
        "us-west-1",
        "us-west-2",
        "eu-west-1",
        "eu-central-1",
        "ap-southeast-1",
        "ap-northeast-1",
        "sa-east-1"
    };
    private static final String[] SYSTEMS = {"Ubuntu16.10", "Ubuntu16.04LTS", "Ubuntu15.10"};
    private static final String[] TEAMS = {"SF", "NYC", "LON", "CHI"};
    private static final String[] ENVIRONMENTS = {"production", "staging", "test"};
    static final String[] FIELDS = {
        "usage_user",
        "usage_system",
        "usage_idle",
        "usage_nice",
        "usage_iowait",
        "usage_irq",
        "usage_softirq",
        "usage_steal",
        "usage_guest",
        "usage_guest_nice"
    };

    private final Random random;
    private final byte[][] heads;
    private final byte[][] fieldNames;
    private final double[][] values;
    private long timeNanos;
    private int host;

    CpuRows(String measurement, int hosts, long startNanos, long seed) {
        this.random = new Random(seed);
        this.heads = new byte[hosts][];
        this.values = new double[hosts][FIELDS.length];
        this.fieldNames = new byte[FIELDS.length][];
        this.timeNanos = startNanos;
        for (int i = 0; i < hosts; i++) {
            heads[i] = (measurement + tags(i) + " ").getBytes(StandardCharsets.UTF_8);
            for (int f = 0; f < FIELDS.length; f++) {
                values[i][f] = random.nextDouble() * 100;
            }
        }
        for (int f = 0; f < FIELDS.length; f++) {
            fieldNames[f] = ((f == 0 ? "" : ",") + FIELDS[f] + "=").getBytes(StandardCharsets.UTF_8);
        }
    }

    private String tags(int i) {
        String region = REGIONS[random.nextInt(REGIONS.length)];
        return ",hostname=host_" + i + ",region=" + region + ",datacenter=" + region
                + (char) ('a' + random.nextInt(3)) + ",rack=" + random.nextInt(100) + ",os="
                + SYSTEMS[random.nextInt(SYSTEMS.length)] + ",arch=" + (random.nextBoolean() ? "x64" : "x86") + ",team="
                + TEAMS[random.nextInt(TEAMS.length)] + ",service=" + random.nextInt(20) + ",service_version="
                + random.nextInt(2) + ",service_environment=" + ENVIRONMENTS[random.nextInt(ENVIRONMENTS.length)];
    }

    /** The next rows as one body. */
    byte[] next(int rows) {
        ByteBuilder body = new ByteBuilder(rows * BYTES_ABOUT);
        for (int i = 0; i < rows; i++) {
            append(body);
        }
        return body.toByteArray();
    }

    private void append(ByteBuilder body) {
        body.append(heads[host]);
        double[] walks = values[host];
        for (int f = 0; f < walks.length; f++) {
            walks[f] = Math.clamp(walks[f] + random.nextGaussian(), 0, 100);
            body.append(fieldNames[f]);
            body.appendHundredths(Math.round(walks[f] * 100));
        }
        body.append(' ');
        body.append(timeNanos);
        body.append('\n');
        host++;
        if (host == heads.length) {
            host = 0;
            timeNanos += STEP_NANOS;
        }
    }
}
