package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that were not written here: Influx's own from npm, and the requests that Telegraf's two outputs send. */
final class ClientsIT {
    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(1, "--rf", "1");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INFLUX_CLIENT = "@influxdata/influxdb-client@1.35.0";
    private static final String LINES = "cpu,cpu=cpu0,host=web1 usage_user=2.5,usage_idle=97i 1767225600000000000\n"
            + "disk,host=web1,path=C:\\\\ free=18446744073709551615u 1767225600000000000\n";

    @Test
    void influxClientFromNpmWrites() throws IOException {
        Path folder = Files.createDirectories(Path.of("target/npm").toAbsolutePath());
        LocalCluster.Run installed = CLUSTER.run(List.of(
                "sh", "-c", "npm install --silent --no-audit --no-fund --prefix " + folder + " " + INFLUX_CLIENT));
        assumeTrue(
                installed.exitCode() == 0,
                () -> "skipped: npm can't install " + INFLUX_CLIENT + ": " + installed.out());
        Path script = Files.writeString(folder.resolve("write.js"), """
                const {InfluxDB, Point} = require('@influxdata/influxdb-client')
                const api = new InfluxDB({url: process.argv[2], token: 't'}).getWriteApi('org', 'default', 'ns')
                for (let i = 0; i < 50; i++) {
                  api.writePoint(new Point('npm').tag('h', 'a b,c=' + (i % 5)).intField('n', i).stringField('s', 'x "y" \\\\ z')
                    .booleanField('ok', true).floatField('f', i / 8).timestamp('17672256000000000' + (10 + i)))
                }
                api.close().then(() => console.log('written'), e => { console.error(e); process.exit(1) })
                """);
        LocalCluster.Run run = CLUSTER.run(List.of("node", script.toString(), CLUSTER.url(1)));
        assertThat(run.exitCode()).as(run.out()).isZero();

        JsonNode latest =
                JSON.readTree(CLUSTER.get(1, "/api/v1/latest?measurement=npm").body());
        assertThat(latest.required("row_count").intValue()).isEqualTo(5);
        assertThat(latest.required("rows").toString()).contains("\"a b,c=4\"", "x \\\"y\\\" \\\\ z", "49");
    }

    /** outputs.influxdb: CREATE DATABASE first, then gzip bodies to /write. */
    @Test
    void telegrafsFirstOutputIsServed() throws IOException {
        HttpResponse<String> created = CLUSTER.send(
                HttpRequest.newBuilder(URI.create(CLUSTER.url(1) + "/query?q=CREATE+DATABASE+%22telegraf%22"))
                        .header("User-Agent", "Telegraf/1.30.0")
                        .POST(BodyPublishers.noBody()));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        HttpResponse<String> written = CLUSTER.send(HttpRequest.newBuilder(
                        URI.create(CLUSTER.url(1) + "/write?consistency=any&db=telegraf&precision=ns&rp="))
                .header("User-Agent", "Telegraf/1.30.0")
                .header("Content-Type", "text/plain; charset=utf-8")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(gzip(LINES))));
        assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
        assertThat(CLUSTER.get(1, "/ping").statusCode()).isEqualTo(204);
    }

    /** outputs.influxdb_v2: gzip bodies to /api/v2/write with a token. */
    @Test
    void telegrafsSecondOutputIsServed() throws IOException {
        HttpResponse<String> written = CLUSTER.send(HttpRequest.newBuilder(
                        URI.create(CLUSTER.url(1) + "/api/v2/write?bucket=telegraf&org=acme&precision=ns"))
                .header("User-Agent", "Telegraf/1.30.0")
                .header("Content-Type", "text/plain; charset=utf-8")
                .header("Content-Encoding", "gzip")
                .header("Authorization", "Token anything")
                .POST(BodyPublishers.ofByteArray(gzip(LINES))));
        assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
        String disk = CLUSTER.get(1, "/api/v1/latest?measurement=disk").body();
        assertThat(disk).contains("18446744073709551615", "C:\\\\");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }
}
