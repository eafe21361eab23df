package dev.weir.wal.payload;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;

/** What the three ways share: an apply that does nothing but keep the payload, and snapshots that are a small file. */
abstract class PayloadState extends BaseStateMachine {
    private static final CompletableFuture<Message> DONE = CompletableFuture.completedFuture(Message.EMPTY);

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private RaftServer server;

    /** Opens what this way keeps, as the snapshot's bytes say; null where there is no snapshot. */
    abstract void restore(Path directory, DataInputStream snapshot) throws IOException;

    abstract void apply(LogEntryProto entry) throws IOException;

    /** Makes what was applied durable and says what it is. */
    abstract void snapshot(DataOutputStream out) throws IOException;

    /** Reads the payload of one entry as a reader who comes late would; returns its length. */
    abstract int readOne(long index) throws IOException;

    /** Reads all payloads in order, as a reader who catches up would; returns their bytes. */
    abstract long readAll() throws IOException;

    final RaftServer.Division division() throws IOException {
        return server.getDivision(getGroupId());
    }

    @Override
    public final void initialize(RaftServer raftServer, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(raftServer, group, raftStorage);
        server = raftServer;
        getLifeCycle().startAndTransition(() -> {
            storage.init(raftStorage);
            Path directory = raftStorage.getStorageDir().getStateMachineDir().toPath();
            SingleFileSnapshotInfo latest = storage.getLatestSnapshot();
            if (latest == null) {
                restore(directory.resolve("payload"), null);
                return;
            }
            setLastAppliedTermIndex(latest.getTermIndex());
            try (DataInputStream in =
                    new DataInputStream(Files.newInputStream(latest.getFile().getPath()))) {
                restore(directory.resolve("payload"), in);
            }
        });
    }

    @Override
    public final StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .build();
    }

    @Override
    public final CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        try {
            apply(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return DONE;
    }

    @Override
    public final long takeSnapshot() throws IOException {
        TermIndex position = getLastAppliedTermIndex();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            snapshot(out);
        }
        File file = storage.getSnapshotFile(position.getTerm(), position.getIndex());
        Path part = Path.of(file.getPath() + ".part");
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes.toByteArray()));
            channel.force(true);
        }
        Files.move(part, file.toPath(), StandardCopyOption.ATOMIC_MOVE);
        storage.updateLatestSnapshot(
                new SingleFileSnapshotInfo(new FileInfo(file.toPath(), null), position.getTerm(), position.getIndex()));
        return position.getIndex();
    }
}
