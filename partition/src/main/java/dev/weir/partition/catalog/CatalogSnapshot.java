package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.TableSchema;
import dev.weir.wal.LogPosition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The catalog's state at one position of its log, as a file.
 *
 * <pre>
 * offset  size  field (big-endian)
 *      0     8  "WEIRCAT" and a zero byte
 *      8     4  format version, 3; 2 where there are no subscriptions or operations, so that older builds read it; 1 had no records
 *     12     8  term of the last entry covered
 *     20     8  index of the last entry covered
 *     28     4  length n of the body
 *     32     n  the body, JSON: the image and the remembered replies
 *   32+n     4  CRC-32C of all bytes before
 * </pre>
 */
record CatalogSnapshot(LogPosition position, FoldedImage image, ReplyMemory memory) {
    private static final byte[] MAGIC = "WEIRCAT\0".getBytes(StandardCharsets.US_ASCII);
    private static final int FORMAT = 3;
    private static final int FORMAT_WITHOUT_SUBSCRIPTIONS = 2;
    private static final int FORMAT_WITHOUT_RECORDS = 1;
    private static final int HEADER_BYTES = 32;
    private static final int CHECKSUM_BYTES = 4;

    byte[] encode() {
        byte[] body = RecordJson.bytes(body());
        int format = needsNewestFormat() ? FORMAT : FORMAT_WITHOUT_SUBSCRIPTIONS;
        ByteBuffer file = ByteBuffer.allocate(HEADER_BYTES + body.length + CHECKSUM_BYTES);
        file.put(MAGIC).putInt(format).putLong(position.term()).putLong(position.index());
        file.putInt(body.length).put(body);
        file.putInt(checksum(file.array(), file.position()));
        return file.array();
    }

    private boolean needsNewestFormat() {
        ImageContents contents = image.contents();
        return !contents.subscriptions.isEmpty() || !contents.memberLeases.isEmpty() || !contents.operations.isEmpty();
    }

    /**
     * @param name of the file, for the message
     * @throws IllegalArgumentException damaged, or of a format that this build does not know
     */
    static CatalogSnapshot decode(String name, byte[] file) {
        if (file.length < HEADER_BYTES + CHECKSUM_BYTES || !Arrays.equals(file, 0, 8, MAGIC, 0, 8)) {
            throw new IllegalArgumentException(
                    name + ": expected a catalog snapshot, found " + file.length + " bytes that do not begin like one");
        }
        ByteBuffer in = ByteBuffer.wrap(file);
        int found = in.getInt(file.length - CHECKSUM_BYTES);
        int expected = checksum(file, file.length - CHECKSUM_BYTES);
        if (found != expected) {
            throw new IllegalArgumentException(
                    name + ": checksum " + Integer.toHexString(found) + ", expected " + Integer.toHexString(expected));
        }
        int format = in.getInt(8);
        if (format > FORMAT || format < FORMAT_WITHOUT_RECORDS) {
            throw new IllegalArgumentException(name + ": format " + format + ", this build knows formats "
                    + FORMAT_WITHOUT_RECORDS + " to " + FORMAT + " only");
        }
        LogPosition position = new LogPosition(in.getLong(12), in.getLong(20));
        int length = in.getInt(28);
        if (length != file.length - HEADER_BYTES - CHECKSUM_BYTES) {
            throw new IllegalArgumentException(name + ": body of " + length + " bytes in a file of " + file.length);
        }
        return ofBody(name, format, position, Arrays.copyOfRange(file, HEADER_BYTES, HEADER_BYTES + length));
    }

    private ObjectNode body() {
        ImageContents contents = image.contents();
        ObjectNode json = RecordJson.object()
                .put("version", contents.version)
                .put("cluster_id", contents.clusterId)
                .put("epoch", contents.epoch)
                .put("replication_factor", contents.replicationFactor)
                .put("next_table_id", contents.nextTableId);
        json.set("nodes", RecordJson.list(contents.nodes.values(), RecordJson::node));
        json.set("partitions", RecordJson.list(contents.partitions.values(), RecordJson::partition));
        json.set("tenants", RecordJson.list(contents.tenants.values(), RecordJson::tenant));
        json.set("tokens", RecordJson.list(contents.tokens.values(), RecordJson::token));
        json.set(
                "tables",
                RecordJson.list(
                        contents.tables.entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .flatMap(tenant -> tenant.getValue().values().stream())
                                .toList(),
                        RecordJson::schema));
        json.set("records", RecordJson.list(contents.records.values(), RecordJson::record));
        json.set("drops", RecordJson.list(contents.drops.values(), RecordJson::drop));
        if (!contents.leases.isEmpty()) {
            json.set("leases", RecordJson.list(contents.leases.values(), RecordJson::lease));
        }
        if (needsNewestFormat()) {
            json.set(
                    "subscriptions",
                    RecordJson.list(
                            contents.subscriptions.values().stream()
                                    .flatMap(tenant -> tenant.values().stream())
                                    .toList(),
                            SubscriptionJson::record));
        }
        if (!contents.memberLeases.isEmpty()) {
            json.set(
                    "member_leases",
                    RecordJson.list(
                            contents.memberLeases.entrySet(),
                            lease -> RecordJson.object()
                                    .put("node", lease.getKey())
                                    .put("version", lease.getValue())));
        }
        if (!contents.operations.isEmpty()) {
            json.set("operations", RecordJson.list(contents.operations.values(), OperationJson::record));
        }
        json.set(
                "replies",
                RecordJson.list(
                        memory.all().entrySet(),
                        reply -> RecordJson.object()
                                .put("id", reply.getKey())
                                .set("reply", CatalogAnswerCodec.reply(reply.getValue()))));
        return json;
    }

    private static CatalogSnapshot ofBody(String name, int format, LogPosition position, byte[] body) {
        JsonReader json = RecordJson.reader(name, body);
        ImageContents contents = new ImageContents();
        contents.version = json.integer("version");
        contents.clusterId = json.text("cluster_id");
        contents.epoch = json.integer("epoch");
        contents.replicationFactor = json.int32("replication_factor");
        json.list("nodes", RecordJson::node).forEach(node -> contents.nodes.put(node.id(), node));
        json.list("partitions", RecordJson::partition).forEach(one -> contents.partitions.put(one.id(), one));
        json.list("tenants", RecordJson::tenant).forEach(tenant -> contents.tenants.put(tenant.name(), tenant));
        json.list("tokens", RecordJson::token).forEach(token -> contents.tokens.put(token.id(), token));
        for (TableSchema schema : json.list("tables", RecordJson::schema)) {
            contents.tables
                    .computeIfAbsent(schema.tenant(), tenant -> new TreeMap<>())
                    .put(schema.name(), schema);
        }
        if (format != FORMAT_WITHOUT_RECORDS) {
            json.list("records", RecordJson::record).forEach(record -> contents.records.put(record.tableId(), record));
        }
        json.list("drops", RecordJson::drop).forEach(drop -> contents.drops.put(drop.tableId(), drop));
        if (json.has("leases")) {
            json.list("leases", RecordJson::lease).forEach(lease -> contents.leases.put(lease.id(), lease));
        }
        if (format > FORMAT_WITHOUT_SUBSCRIPTIONS) {
            json.list("subscriptions", SubscriptionJson::record).forEach(contents::putSubscription);
        }
        if (json.has("member_leases")) {
            json.list("member_leases", lease -> Map.entry(lease.text("node"), lease.integer("version")))
                    .forEach(lease -> contents.memberLeases.put(lease.getKey(), lease.getValue()));
        }
        if (json.has("operations")) {
            json.list("operations", OperationJson::record).forEach(each -> contents.operations.put(each.id(), each));
        }
        contents.nextTableId = json.int32("next_table_id");
        ReplyMemory memory = new ReplyMemory();
        json.list("replies", reply -> Map.entry(reply.text("id"), CatalogAnswerCodec.reply(reply.object("reply"))))
                .forEach(reply -> memory.put(reply.getKey(), reply.getValue()));
        return new CatalogSnapshot(position, new FoldedImage(contents), memory);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
