package dev.weir.cdc;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A schema as it goes over the wire, dictionaries that are empty yet included, and a batch under it without rows. Immutable; equal where the bytes
 * are.
 */
final class IpcSchema {
    private static final int EMPTY_OFFSET = 4;
    private static final int EMPTY_BYTES = 8;

    private final byte[] opening;
    private final IpcBody empty;

    /** @param schema of flat columns; dictionary-encoded ones are named by their values' type */
    IpcSchema(Schema schema) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        bytes.writeBytes(IpcMessages.schema(schema));
        for (Field field : schema.getFields()) {
            if (field.getDictionary() != null) {
                IpcBody none = empty(List.of(new Field("", field.getFieldType(), null)), false);
                bytes.writeBytes(
                        IpcMessages.dictionaryHead(field.getDictionary().getId(), none));
                bytes.writeBytes(none.bytes());
            }
        }
        this.opening = bytes.toByteArray();
        this.empty = empty(schema.getFields(), true);
    }

    /** @param indices columns with a dictionary hold indices into it, not values */
    private static IpcBody empty(List<Field> fields, boolean indices) {
        int buffers = fields.stream()
                .mapToInt(field -> isText(field, indices) ? 3 : 2)
                .sum();
        long[] regions = new long[2 * buffers];
        int at = 0;
        for (Field field : fields) {
            boolean text = isText(field, indices);
            // Offsets of no texts are one zero.
            regions[at + 3] = text ? EMPTY_OFFSET : 0;
            at += text ? 6 : 4;
        }
        return new IpcBody(0, new int[fields.size()], regions, false, new byte[EMPTY_BYTES]);
    }

    private static boolean isText(Field field, boolean indices) {
        return field.getType().equals(ArrowType.Utf8.INSTANCE) && !(indices && field.getDictionary() != null);
    }

    /** What a stream begins with. */
    byte[] opening() {
        return opening;
    }

    /** The body of a batch without rows. */
    IpcBody empty() {
        return empty;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpcSchema o && (o == this || Arrays.equals(opening, o.opening));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(opening);
    }
}
