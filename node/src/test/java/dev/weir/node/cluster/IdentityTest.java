package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.wal.LogGroupId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IdentityTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));

    @TempDir
    Path folder;

    @Test
    void madeUpIdIsKept() {
        try (Identity first = Identity.open(folder, Optional.empty(), () -> "made-up")) {
            assertThat(first.nodeId()).isEqualTo("made-up");
        }
        try (Identity again = Identity.open(folder, Optional.empty(), () -> "another")) {
            assertThat(again.nodeId()).isEqualTo("made-up");
        }
    }

    @Test
    void statesAreKept() {
        try (Identity identity = open()) {
            assertThat(identity.state()).isEqualTo(IdentityRecord.State.NEW);
            identity.beginBirth(GROUP);
        }
        try (Identity identity = open()) {
            assertThat(identity.state()).isEqualTo(IdentityRecord.State.BIRTH);
            assertThat(identity.catalogGroup()).contains(GROUP);
            identity.enter("c", GROUP);
        }
        try (Identity identity = open()) {
            assertThat(identity.state()).isEqualTo(IdentityRecord.State.JOINING);
            assertThat(identity.clusterId()).contains("c");
            identity.joined();
        }
        try (Identity identity = open()) {
            assertThat(identity.state()).isEqualTo(IdentityRecord.State.JOINED);
        }
    }

    @Test
    void fileHasItsBytes() throws IOException {
        try (Identity identity = open()) {
            identity.enter("c-1", GROUP);
            identity.joined();
        }
        assertThat(Files.readString(folder.resolve("node.json"), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"format\":1,\"node_id\":\"n1\",\"catalog_group\":\"00000000-0000-0001-0000-000000000002\","
                                + "\"cluster_id\":\"c-1\",\"joined\":true}");
    }

    @Test
    void folderOfAnotherNodeIsRefused() {
        open().close();

        assertThatThrownBy(() -> Identity.open(folder, Optional.of("n2"), () -> "x"))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("belongs to node n1")
                .hasMessageContaining("n2");
        open().close();
    }

    @Test
    void folderInUseIsRefused() {
        try (Identity holder = open()) {
            assertThat(holder.nodeId()).isEqualTo("n1");
            assertThatThrownBy(this::open).isInstanceOf(ClosedException.class).hasMessageContaining("another process");
        }
        open().close();
    }

    @Test
    void damagedFileIsRefused() throws IOException {
        open().close();
        for (String text : new String[] {"", "{", "[]", "{\"format\":2,\"node_id\":\"n1\"}", "{\"format\":1}"}) {
            Files.writeString(folder.resolve("node.json"), text);
            assertThatThrownBy(this::open).isInstanceOf(ClosedException.class).hasMessageContaining("node.json");
        }
    }

    @Test
    void settingAsideDeletesNothing() throws IOException {
        try (Identity identity = open()) {
            Files.createDirectories(folder.resolve("logs/deep"));
            Files.writeString(folder.resolve("logs/deep/file"), "kept");

            Path aside = identity.setAside("n1-x");

            assertThat(aside.resolve("logs/deep/file")).hasContent("kept");
            assertThat(aside.resolve("node.json")).exists();
            assertThat(folder.resolve("node.json")).doesNotExist();
        }
        try (Identity fresh = open()) {
            assertThat(fresh.state()).isEqualTo(IdentityRecord.State.NEW);
        }
    }

    private Identity open() {
        return Identity.open(folder, Optional.of("n1"), () -> "x");
    }
}
