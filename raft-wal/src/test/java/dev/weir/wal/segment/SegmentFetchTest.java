package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SegmentFetchTest {
    private static final Path THERE = Path.of("there");
    private static final Path HERE = Path.of("here");
    private static final SegmentConfig CONFIG = new SegmentConfig(200);

    private final MemoryFiles files = new MemoryFiles();
    private FileSegmentLog source;
    private SegmentManifest ahead;
    private SegmentManifest behind;

    @BeforeEach
    void fill() throws IOException {
        source = FileSegmentLog.open(files, THERE, SegmentManifest.empty(1), CONFIG);
        FileSegmentLog own = FileSegmentLog.open(files, HERE, SegmentManifest.empty(1), CONFIG);
        for (int i = 1; i <= 30; i++) {
            source.append(1, i, ByteBuffer.wrap(new byte[i]));
            if (i <= 12) {
                own.append(1, i, ByteBuffer.wrap(new byte[i]));
            }
        }
        behind = own.sync();
        own.close();
        ahead = source.sync();
    }

    @Test
    void fetchesOnlyWhatIsMissing() throws IOException {
        assertThat(new SegmentFetch(files, HERE, ahead).missing())
                .isEqualTo(ahead.files()
                        .subList(behind.files().size() - 1, ahead.files().size()));
        fetchAll();
        assertThat(new SegmentFetch(files, HERE, ahead).missing()).isEmpty();
        try (FileSegmentLog log = FileSegmentLog.open(files, HERE, ahead, CONFIG)) {
            assertThat(log.read(1, 10_000)).isEqualTo(source.read(1, 10_000));
        }
    }

    @Test
    void refusesAFileOfOtherContent() throws IOException {
        SegmentFetch fetch = new SegmentFetch(files, HERE, ahead);
        SegmentFile file = fetch.missing().getLast();
        try (SegmentFetch.Part part = fetch.begin(file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.bytes());
            source.copy(file, 0, bytes);
            part.write(bytes.put(60, (byte) 1).flip());
            assertThatThrownBy(part::complete).isInstanceOf(IOException.class).hasMessageContaining("checksum");
        }
        assertThat(fetch.missing()).contains(file);
    }

    @Test
    void refusesMoreOrFewerBytesThanNamed() throws IOException {
        SegmentFetch fetch = new SegmentFetch(files, HERE, ahead);
        SegmentFile file = fetch.missing().getFirst();
        try (SegmentFetch.Part part = fetch.begin(file)) {
            part.write(ByteBuffer.allocate(30));
            assertThatThrownBy(part::complete).hasMessageContaining("expected " + file.bytes() + ", found 30");
            assertThatThrownBy(() -> part.write(ByteBuffer.allocate((int) file.bytes())))
                    .hasMessageContaining("at most");
        }
    }

    @Test
    void aCrashAtAnyCallLeavesTheOldManifestGood() throws IOException {
        boolean failed = true;
        for (int call = 1; failed; call++) {
            fill();
            files.failAt(call, true);
            failed = false;
            try {
                fetchAll();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("fails");
                failed = true;
            }
            files.crash(new Seeded(call));
            SegmentManifest manifest = failed ? behind : ahead;
            try (FileSegmentLog log = FileSegmentLog.open(files, HERE, manifest, CONFIG)) {
                assertThat(log.segments()).isEqualTo(manifest.files());
                assertThat(log.read(1, 10_000)).hasSize((int) manifest.nextSeq() - 1);
            }
            files.restartProcess();
        }
    }

    private void fetchAll() throws IOException {
        SegmentFetch fetch = new SegmentFetch(files, HERE, ahead);
        for (SegmentFile file : fetch.missing()) {
            try (SegmentFetch.Part part = fetch.begin(file)) {
                while (part.bytes() < file.bytes()) {
                    ByteBuffer bytes = ByteBuffer.allocate(100);
                    source.copy(file, part.bytes(), bytes);
                    part.write(bytes.flip());
                }
                part.complete();
            }
        }
        fetch.finish();
    }
}
