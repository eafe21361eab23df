package dev.weir.node.ingest.letter;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The kept text of a row.
 *
 * @param whole it is the row as it came, to the byte
 */
record LetterText(String text, boolean whole) {
    /** Bytes that are not UTF-8 are shown as U+FFFD; what is longer than {@code bytesMax} is cut off. */
    static LetterText of(byte[] body, int from, int to, int bytesMax) {
        int end = Math.min(to, from + bytesMax);
        while (end < to && end > from && (body[end] & 0xc0) == 0x80) {
            end--;
        }
        try {
            CharBuffer exact = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body, from, end - from));
            return new LetterText(exact.toString(), end == to);
        } catch (CharacterCodingException e) {
            return new LetterText(new String(body, from, end - from, StandardCharsets.UTF_8), false);
        }
    }
}
