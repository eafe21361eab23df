package dev.weir.node.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogGroupId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What a starting node asks others, and what they answer, as JSON. See FORMATS, "Joining". */
final class JoinMessages {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private JoinMessages() {}

    /**
     * @param add add this node to the catalog's group; else only look
     * @param node the one that asks
     */
    record Request(boolean add, String clusterName, NodeRecord node) {}

    /**
     * @param clusterId empty before the birth
     * @param group the catalog's group, or the one that the answering node means to open
     * @param confirmed the nodes are those of a linearizable read
     * @param leader of the catalog, as far as known
     * @param refusal why this node may not join; empty where it may
     */
    record Answer(
            String clusterId,
            Optional<LogGroupId> group,
            boolean confirmed,
            Optional<String> leader,
            List<NodeRecord> nodes,
            String refusal) {
        Answer {
            nodes = List.copyOf(nodes);
        }

        static Answer refused(String why) {
            return new Answer("", Optional.empty(), false, Optional.empty(), List.of(), why);
        }

        boolean born() {
            return !clusterId.isEmpty();
        }

        Optional<NodeRecord> node(String id) {
            return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
        }
    }

    static byte[] encode(Request request) {
        ObjectNode json = JSON.createObjectNode()
                .put("v", VERSION)
                .put("ask", request.add() ? "add" : "look")
                .put("cluster_name", request.clusterName());
        json.set("node", node(request.node()));
        return bytes(json);
    }

    static Request decodeRequest(byte[] bytes) {
        JsonNode json = read("join request", bytes);
        return new Request(text(json, "ask").equals("add"), text(json, "cluster_name"), node(json.path("node")));
    }

    static byte[] encode(Answer answer) {
        ObjectNode json = JSON.createObjectNode().put("v", VERSION).put("cluster_id", answer.clusterId());
        answer.group().ifPresent(group -> json.put("group", group.toString()));
        json.put("confirmed", answer.confirmed());
        answer.leader().ifPresent(leader -> json.put("leader", leader));
        ArrayNode nodes = json.putArray("nodes");
        answer.nodes().forEach(node -> nodes.add(node(node)));
        return bytes(json.put("refusal", answer.refusal()));
    }

    static Answer decodeAnswer(byte[] bytes) {
        JsonNode json = read("join answer", bytes);
        List<NodeRecord> nodes = new ArrayList<>();
        json.path("nodes").forEach(node -> nodes.add(node(node)));
        return new Answer(
                text(json, "cluster_id"),
                Optional.ofNullable(json.path("group").textValue()).map(id -> new LogGroupId(UUID.fromString(id))),
                json.path("confirmed").booleanValue(),
                Optional.ofNullable(json.path("leader").textValue()),
                nodes,
                text(json, "refusal"));
    }

    private static ObjectNode node(NodeRecord node) {
        ObjectNode json = JSON.createObjectNode()
                .put("id", node.id())
                .put("host", node.host())
                .put("http", node.httpPort())
                .put("raft", node.raftPort())
                .put("hazelcast", node.hazelcastPort())
                .put("incarnation", node.incarnation());
        return node.tls() ? json.put("tls", true) : json;
    }

    private static NodeRecord node(JsonNode json) {
        return new NodeRecord(
                text(json, "id"),
                text(json, "host"),
                json.path("http").intValue(),
                json.path("raft").intValue(),
                json.path("hazelcast").intValue(),
                json.path("incarnation").longValue(),
                json.path("tls").booleanValue());
    }

    private static JsonNode read(String what, byte[] bytes) {
        try {
            JsonNode json = JSON.readTree(bytes);
            if (json.path("v").intValue() != VERSION) {
                throw new IllegalArgumentException(what + ": version " + json.path("v") + ", expected " + VERSION);
            }
            return json;
        } catch (IOException e) {
            throw new IllegalArgumentException(what + ": expected JSON", e);
        }
    }

    private static String text(JsonNode json, String name) {
        String text = json.path(name).textValue();
        if (text == null) {
            throw new IllegalArgumentException("join message: " + name + ": expected a text");
        }
        return text;
    }

    private static byte[] bytes(ObjectNode json) {
        try {
            return JSON.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can always be written", e);
        }
    }
}
