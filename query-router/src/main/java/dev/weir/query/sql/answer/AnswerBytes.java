package dev.weir.query.sql.answer;

import java.io.ByteArrayOutputStream;

/** Bytes that wait to be sent. */
public final class AnswerBytes extends ByteArrayOutputStream {
    public AnswerBytes() {
        super(1024);
    }

    /** What there is; empty afterwards. */
    public byte[] take() {
        byte[] bytes = toByteArray();
        reset();
        return bytes;
    }

    void writeUtf8(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }
}
