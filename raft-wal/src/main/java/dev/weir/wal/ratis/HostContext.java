package dev.weir.wal.ratis;

import dev.weir.wal.LogConfig;
import dev.weir.wal.LogGroupId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/** What all replicas of one host share. */
record HostContext(
        LogConfig config,
        InstantSource clock,
        LogMeter meter,
        FaultHandler faults,
        FreeSpace freeSpace,
        AddressBook book,
        AnswerTimes answers,
        RatisGroups ratis,
        Executor blocking) {
    static final String REMOVED = "removed";

    Path directory(LogGroupId group) {
        return config.directory().resolve(group.toString());
    }

    /** Moves a group's folder to {@code removed/}, beside earlier ones of the same name. */
    void setAside(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Path removed = Files.createDirectories(config.directory().resolve(REMOVED));
        String name = directory.getFileName().toString();
        Path target = removed.resolve(name);
        for (int i = 1; Files.exists(target); i++) {
            target = removed.resolve(name + "." + i);
        }
        Files.move(directory, target);
    }
}
