package dev.weir.node.ingest.rows;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/** Bodies of line protocol in the TSBS cpu-only shape: 10 tags, 10 fields, 5,000 rows a body. */
public final class LineBodies {
    public static final int ROWS = 5_000;

    private LineBodies() {}

    public static byte[][] of(int hosts, int count, boolean floats) {
        Random random = new Random(1);
        byte[][] bodies = new byte[count][];
        for (int b = 0; b < count; b++) {
            StringBuilder text = new StringBuilder(ROWS * 370);
            for (int i = 0; i < ROWS; i++) {
                row(
                        text,
                        (b * ROWS + i) % hosts,
                        1451606400000000000L + (b * (long) ROWS + i) / hosts * 10_000_000_000L,
                        floats,
                        random);
            }
            bodies[b] = text.toString().getBytes(StandardCharsets.UTF_8);
        }
        return bodies;
    }

    private static void row(StringBuilder text, int host, long time, boolean floats, Random random) {
        text.append("cpu,hostname=host_").append(host);
        text.append(",region=eu-central-")
                .append(host % 3 + 1)
                .append(",datacenter=eu-central-1")
                .append((char) ('a' + host % 3));
        text.append(",rack=")
                .append(host % 97)
                .append(",os=Ubuntu16.04LTS,arch=x64,team=SF,service=")
                .append(host % 19);
        text.append(",service_version=1,service_environment=").append(host % 2 == 0 ? "production" : "test");
        String[] fields = {"user", "system", "idle", "nice", "iowait", "irq", "softirq", "steal", "guest", "guest_nice"
        };
        char before = ' ';
        for (String field : fields) {
            text.append(before).append("usage_").append(field).append('=');
            if (floats) {
                text.append(String.format(Locale.ROOT, "%.4f", random.nextDouble() * 100));
            } else {
                text.append(random.nextInt(101)).append('i');
            }
            before = ',';
        }
        text.append(' ').append(time).append('\n');
    }
}
