package dev.weir.query.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.query.sql.image.ArrowBatches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

final class ChainedReaderTest {
    private final List<String> told = new ArrayList<>();

    @Test
    void oneIsOpenAtATimeAndItsMemoryGoesWithIt() throws Exception {
        try (BufferAllocator allocator = new RootAllocator()) {
            try (ArrowReader chained = new ChainedReader(List.of(of(2, "n"), of(0, "n"), of(1, "n")), allocator)) {
                List<Long> values = new ArrayList<>();
                long most = 0;
                while (chained.loadNextBatch()) {
                    BigIntVector vector =
                            (BigIntVector) chained.getVectorSchemaRoot().getVector("n");
                    for (int row = 0; row < vector.getValueCount(); row++) {
                        values.add(vector.get(row));
                    }
                    most = Math.max(most, chained.bytesRead());
                }
                assertThat(values).containsExactly(0L, 1L, 0L);
                assertThat(told).containsExactly("open", "close", "open", "close", "open", "close");
                assertThat(chained.loadNextBatch()).isFalse();
                assertThat(chained.bytesRead()).isEqualTo(24).isEqualTo(most);
            }
            assertThat(told).hasSize(6);
            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }

    @Test
    void oneThatIsLeftInItsMiddleIsClosed() throws Exception {
        try (BufferAllocator allocator = new RootAllocator()) {
            try (ArrowReader chained = new ChainedReader(List.of(of(2, "n"), of(2, "n")), allocator)) {
                assertThat(chained.loadNextBatch()).isTrue();
            }
            assertThat(told).containsExactly("open", "close");
        }
    }

    @Test
    void anotherSchemaIsRefusedAndNothingIsLeft() throws Exception {
        try (BufferAllocator allocator = new RootAllocator()) {
            try (ArrowReader chained = new ChainedReader(List.of(of(0, "n"), of(1, "m")), allocator)) {
                assertThatThrownBy(chained::loadNextBatch)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("expected the columns");
            }
            assertThat(told).containsExactly("open", "close", "open", "close");
        }
    }

    private ArrowBatches of(int batches, String column) {
        return allocator -> {
            told.add("open");
            return new Counting(batches, column, allocator);
        };
    }

    /** Batches of one row each: the batch's number. */
    private final class Counting extends ArrowReader {
        private final int batches;
        private final String column;
        private int loaded;

        Counting(int batches, String column, BufferAllocator allocator) {
            super(allocator);
            this.batches = batches;
            this.column = column;
        }

        @Override
        public boolean loadNextBatch() throws IOException {
            prepareLoadNextBatch();
            if (loaded == batches) {
                return false;
            }
            BigIntVector vector =
                    (BigIntVector) Objects.requireNonNull(getVectorSchemaRoot().getVector(column));
            vector.setSafe(0, loaded++);
            getVectorSchemaRoot().setRowCount(1);
            return true;
        }

        @Override
        public long bytesRead() {
            return 8L * loaded;
        }

        @Override
        protected void closeReadSource() {
            told.add("close");
        }

        @Override
        protected Schema readSchema() {
            return new Schema(List.of(Field.nullable(column, new ArrowType.Int(64, true))));
        }
    }
}
