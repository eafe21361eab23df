package dev.weir.ops.command;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts an input into rows at line ends, without understanding them further. In line protocol a string may hold line ends, so quotes
 * are followed, but only where fields are: in names and tags a quote is a letter.
 */
final class RowSplitter {
    private final InputStream in;
    private final boolean lineProtocol;
    private long lines;
    private long rows;
    private boolean fields;
    private boolean quoted;

    RowSplitter(InputStream in, boolean lineProtocol) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.lineProtocol = lineProtocol;
    }

    /** Appends the next row, or a comment or an empty line, with its line end; false at the end of the input. */
    boolean next(ByteArrayOutputStream to) throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        fields = false;
        quoted = false;
        boolean comment = lineProtocol && first == '#';
        if (!comment && first != '\n' && first != '\r') {
            rows++;
        }
        int read = first;
        while (read >= 0) {
            to.write(read);
            if (read == '\n') {
                lines++;
            }
            if (read == '\n' && !quoted) {
                return true;
            }
            if (lineProtocol && !comment) {
                follow(read, to);
            }
            read = in.read();
        }
        return true;
    }

    private void follow(int read, ByteArrayOutputStream to) throws IOException {
        switch (read) {
            case '\\' -> copyEscaped(to);
            case ' ' -> fields = true;
            case '"' -> quoted = fields && !quoted;
            default -> {}
        }
    }

    /** What follows a backslash decides nothing, but a line end stays a line end. */
    private void copyEscaped(ByteArrayOutputStream to) throws IOException {
        in.mark(1);
        int escaped = in.read();
        if (escaped == '\n') {
            in.reset();
        } else if (escaped >= 0) {
            to.write(escaped);
        }
    }

    /** Lines read so far, which is more than rows where strings hold line ends. */
    long lines() {
        return lines;
    }

    /** Rows read so far, without comments and empty lines. */
    long rows() {
        return rows;
    }
}
