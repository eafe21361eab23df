package dev.weir.node.ingest.rows;

/** What a JSON body is. */
enum JsonShape {
    /** Nothing but white space. */
    EMPTY,
    /** One object, over one or several lines. */
    OBJECT,
    ARRAY,
    /** An object a line (NDJSON). */
    LINES;

    /** By its first bytes: an object whose first line is closed and is followed by a line with another one is taken for lines. */
    static JsonShape of(byte[] body, int from, int end) {
        int first = content(body, from, end);
        if (first == end) {
            return EMPTY;
        }
        if (body[first] == '[') {
            return ARRAY;
        }
        int lineEnd = ByteScan.indexOf(body, '\n', first, end);
        int second = content(body, lineEnd, end);
        boolean closed = body[lastContent(body, first, lineEnd)] == '}';
        return closed && second < end && body[second] == '{' ? LINES : OBJECT;
    }

    static int content(byte[] body, int from, int end) {
        int p = from;
        while (p < end && isSpace(body[p])) {
            p++;
        }
        return p;
    }

    private static int lastContent(byte[] body, int from, int end) {
        int p = end - 1;
        while (p > from && isSpace(body[p])) {
            p--;
        }
        return p;
    }

    static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
