package dev.weir.node.internal;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.engine.ReplicaFiles;
import dev.weir.partition.engine.ReplicaSource;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Fetches a replica's files from another node, piece by piece; the other end is {@link #serve}. */
public final class ReplicaTransfers implements ReplicaSource {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final int PIECE_BYTES_MAX = 1 << 20;

    private final Catalog catalog;
    private final PeerClient peers;

    public ReplicaTransfers(Catalog catalog, PeerClient peers) {
        this.catalog = catalog;
        this.peers = peers;
    }

    @Override
    public Transfer open(String nodeId, int partition, int generation) throws IOException {
        NodeRecord node = catalog.image().nodes().get(nodeId);
        if (node == null) {
            throw new IOException("node " + nodeId + " is not in the catalog");
        }
        String path = "/partitions/" + partition + "/transfer";
        WireReader in = new WireReader(
                await(peers.post(node, path + "/open?generation=" + generation, Buffer.buffer(), CALL_TIMEOUT)));
        return new PeerTransfer(node, path, in.readLong(), in.readBytes());
    }

    private static <T> T await(CompletionStage<T> call) throws IOException {
        try {
            return call.toCompletableFuture().get(CALL_TIMEOUT.toMillis() + 1000, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching a replica", e);
        } catch (ExecutionException e) {
            throw new IOException(InternalRoutes.refusalOf(e).getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + CALL_TIMEOUT, e);
        }
    }

    private final class PeerTransfer implements Transfer {
        private final NodeRecord node;
        private final String path;
        private final long id;
        private final byte[] manifest;

        PeerTransfer(NodeRecord node, String path, long id, byte[] manifest) {
            this.node = node;
            this.path = path;
            this.id = id;
            this.manifest = manifest;
        }

        @Override
        public byte[] manifest() {
            return manifest;
        }

        @Override
        public int read(String file, long offset, ByteBuffer target) throws IOException {
            int length = Math.min(target.remaining(), PIECE_BYTES_MAX);
            String call = path + "/read?id=" + id + "&file=" + URLEncoder.encode(file, StandardCharsets.UTF_8)
                    + "&offset=" + offset + "&length=" + length;
            byte[] bytes =
                    await(peers.post(node, call, Buffer.buffer(), CALL_TIMEOUT)).getBytes();
            if (bytes.length > length) {
                throw new IOException("asked for " + length + " bytes of " + file + ", got " + bytes.length);
            }
            target.put(bytes);
            return bytes.length;
        }

        @Override
        public void close() throws IOException {
            await(peers.post(node, path + "/close?id=" + id, Buffer.buffer(), CALL_TIMEOUT));
        }
    }

    /** Answers one call of a transfer. Blocks on the disk. */
    static Buffer serve(ReplicaFiles files, String verb, long id, String file, long offset, int length)
            throws IOException {
        return switch (verb) {
            case "open" -> {
                ReplicaFiles.Opened opened = files.open();
                yield new WireWriter(64 + opened.manifest().length)
                        .putLong(opened.id())
                        .putBytes(opened.manifest())
                        .buffer();
            }
            case "read" -> {
                ByteBuffer piece = ByteBuffer.allocate(Math.min(length, PIECE_BYTES_MAX));
                int read = Math.max(0, files.read(id, file, offset, piece));
                yield Buffer.buffer(read).appendBytes(piece.array(), 0, read);
            }
            case "close" -> {
                files.close(id);
                yield Buffer.buffer();
            }
            default -> throw new IllegalArgumentException("transfer " + verb + ", expected open, read or close");
        };
    }
}
