package dev.weir.wal.payload;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.raftlog.RaftLog;

/** {@link PayloadWay#LOG}. */
final class LogPayload extends PayloadState {
    @Override
    void restore(Path directory, DataInputStream snapshot) {}

    @Override
    void apply(LogEntryProto entry) {}

    @Override
    void snapshot(DataOutputStream out) {}

    @Override
    int readOne(long index) throws IOException {
        return division()
                .getRaftLog()
                .get(index)
                .getStateMachineLogEntry()
                .getLogData()
                .size();
    }

    @Override
    long readAll() throws IOException {
        RaftLog log = division().getRaftLog();
        long bytes = 0;
        for (long index = log.getStartIndex(); index < log.getNextIndex(); index++) {
            bytes += log.get(index).getStateMachineLogEntry().getLogData().size();
        }
        return bytes;
    }
}
