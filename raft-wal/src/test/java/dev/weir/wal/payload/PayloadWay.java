package dev.weir.wal.payload;

/** Where committed batches are kept for those who read changes. */
enum PayloadWay {
    /** In Ratis's own log, which is never purged. */
    LOG,
    /** In a file of ours, written and synced by {@code StateMachine.DataApi}; Ratis's log holds the rest, until a snapshot. */
    DATA_API,
    /** In Ratis's log until a snapshot, and in change segments of ours, appended by apply and synced at the snapshot. */
    TEE;

    PayloadState newState() {
        return switch (this) {
            case LOG -> new LogPayload();
            case DATA_API -> new DataApiPayload();
            case TEE -> new TeePayload();
        };
    }
}
