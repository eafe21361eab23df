package dev.weir.wal.payload;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * {@link PayloadWay#DATA_API}: the log calls {@code write} in log order before it writes its own entry, and {@code flush} beside its own
 * fsync; followers are sent what {@code read} returns once the log's cache has dropped it. The cheapest form: written in the caller's
 * thread, synced on another so that both fsyncs run at once. Truncation is left out; it would only add to the costs.
 */
final class DataApiPayload extends PayloadState implements StateMachine.DataApi {
    private final ExecutorService syncer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("payload-sync").daemon().factory());
    private DataFile file;

    @Override
    void restore(Path directory, DataInputStream snapshot) throws IOException {
        Files.createDirectories(directory);
        file = new DataFile(directory.resolve("payload.data"));
    }

    @Override
    public StateMachine.DataApi data() {
        return this;
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .setLogData(ByteString.EMPTY)
                .setStateMachineData(request.getMessage().getContent())
                .build();
    }

    @Override
    public CompletableFuture<?> write(LogEntryProto entry) {
        try {
            file.append(
                    entry.getIndex(),
                    entry.getStateMachineLogEntry().getStateMachineEntry().getStateMachineData());
            return CompletableFuture.completedFuture(null);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<ByteString> read(LogEntryProto entry) {
        try {
            return CompletableFuture.completedFuture(ByteString.copyFrom(file.read(entry.getIndex())));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Void> flush(long index) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        file.force();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                syncer);
    }

    @Override
    void apply(LogEntryProto entry) {}

    @Override
    void snapshot(DataOutputStream out) {}

    @Override
    int readOne(long index) throws IOException {
        return file.read(index).length;
    }

    @Override
    long readAll() throws IOException {
        return file.readAll();
    }

    @Override
    public void close() throws IOException {
        super.close();
        syncer.shutdown();
        file.close();
    }
}
