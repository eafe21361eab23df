package dev.weir.cdc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;

/** A column of texts of which many are the same: indices, and the texts that they mean in this batch. One thread. */
final class TextDictionary implements AutoCloseable {
    private final long id;
    private final BufferAllocator allocator;
    private final IntVector indices;
    private final VarCharVector values;
    private final Map<String, Integer> known = new HashMap<>();
    private long bytes;

    TextDictionary(String name, long id, int rowsExpected, BufferAllocator allocator) {
        this.id = id;
        this.allocator = allocator;
        this.indices = new IntVector(name, allocator);
        this.values = new VarCharVector(name, allocator);
        indices.setInitialCapacity(rowsExpected);
        values.setInitialCapacity(16);
    }

    /** The index of a text in the batch that is being made. */
    int index(String text) {
        Integer found = known.get(text);
        if (found != null) {
            return found;
        }
        int next = known.size();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        values.setSafe(next, utf8, 0, utf8.length);
        known.put(text, next);
        bytes += utf8.length + Integer.BYTES;
        return next;
    }

    void set(int row, int index) {
        indices.setSafe(row, index);
    }

    /** Of the texts. */
    long bytes() {
        return bytes;
    }

    FieldVector column(int rows) {
        indices.setValueCount(rows);
        return indices;
    }

    /** The texts as one message. */
    byte[] message(boolean zstd) {
        values.setValueCount(known.size());
        IpcBody body = IpcBody.of(List.of(values), known.size(), zstd, allocator);
        byte[] head = IpcMessages.dictionaryHead(id, body);
        byte[] whole = Arrays.copyOf(head, head.length + body.bytes().length);
        System.arraycopy(body.bytes(), 0, whole, head.length, body.bytes().length);
        return whole;
    }

    /** For the next batch; its column is reset with the others. */
    void forgetTexts() {
        values.reset();
        known.clear();
        bytes = 0;
    }

    @Override
    public void close() {
        indices.close();
        values.close();
    }
}
