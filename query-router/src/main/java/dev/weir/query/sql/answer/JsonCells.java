package dev.weir.query.sql.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Values as JSON. Integers and decimals are exact; NaN and the infinities, which JSON does not know, are the texts {@code "NaN"}, {@code "Infinity"},
 * {@code "-Infinity"}; bytes are base64; lists are arrays, structs objects, maps arrays of {@code {"key","value"}}.
 */
final class JsonCells {
    private final AnswerOptions options;

    JsonCells(AnswerOptions options) {
        this.options = options;
    }

    void write(JsonGenerator json, FieldVector vector, int row) throws IOException {
        if (vector.isNull(row)) {
            json.writeNull();
            return;
        }
        switch (vector) {
            case VarCharVector text -> {
                byte[] utf8 = text.get(row);
                json.writeUTF8String(utf8, 0, utf8.length);
            }
            case Float8Vector real -> json.writeNumber(real.get(row));
            case Float4Vector real -> json.writeNumber(real.get(row));
            case BigIntVector integer -> {
                if (options.int64AsString()) {
                    json.writeString(Long.toString(integer.get(row)));
                } else {
                    json.writeNumber(integer.get(row));
                }
            }
            case UInt8Vector unsigned -> integer(json, new BigInteger(Long.toUnsignedString(unsigned.get(row))));
            case DecimalVector decimal -> decimal(json, decimal.getObject(row));
            case BitVector bool -> json.writeBoolean(bool.get(row) != 0);
            case IntVector integer -> json.writeNumber(integer.get(row));
            case SmallIntVector integer -> json.writeNumber(integer.get(row));
            case TinyIntVector integer -> json.writeNumber((int) integer.get(row));
            case UInt1Vector integer -> json.writeNumber(integer.get(row) & 0xff);
            case UInt2Vector integer -> json.writeNumber((int) integer.get(row));
            case UInt4Vector integer -> json.writeNumber(Integer.toUnsignedLong(integer.get(row)));
            case VarBinaryVector bytes -> json.writeString(Base64.getEncoder().encodeToString(bytes.get(row)));
            case MapVector map -> list(json, map, row);
            case ListVector list -> list(json, list, row);
            case StructVector struct -> struct(json, struct, row);
            default -> time(json, vector, row);
        }
    }

    private void time(JsonGenerator json, FieldVector vector, int row) throws IOException {
        if (options.epochNanos() && TimeCells.isTimestamp(vector)) {
            integer(json, TimeCells.nanos(vector, row));
        } else {
            json.writeString(TimeCells.text(vector, row));
        }
    }

    private void integer(JsonGenerator json, BigInteger value) throws IOException {
        if (options.int64AsString()) {
            json.writeString(value.toString());
        } else {
            json.writeNumber(value);
        }
    }

    private void decimal(JsonGenerator json, BigDecimal value) throws IOException {
        if (value.scale() == 0) {
            integer(json, value.unscaledValue());
        } else {
            json.writeNumber(value.toPlainString());
        }
    }

    private void list(JsonGenerator json, ListVector list, int row) throws IOException {
        json.writeStartArray();
        for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
            write(json, list.getDataVector(), i);
        }
        json.writeEndArray();
    }

    private void struct(JsonGenerator json, StructVector struct, int row) throws IOException {
        json.writeStartObject();
        for (FieldVector child : struct.getChildrenFromFields()) {
            json.writeFieldName(child.getName());
            write(json, child, row);
        }
        json.writeEndObject();
    }
}
