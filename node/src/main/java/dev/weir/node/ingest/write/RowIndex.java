package dev.weir.node.ingest.write;

/** Where each row of a body stands, by its ordinal, so that it can be read again and named to the user. */
final class RowIndex {
    private final IntList places = new IntList(1024);
    private final IntList lines = new IntList(1024);

    /** Returns the row's ordinal. */
    int add(int place, int line) {
        places.add(place);
        lines.add(line);
        return places.size() - 1;
    }

    int size() {
        return places.size();
    }

    int place(int ordinal) {
        return places.get(ordinal);
    }

    int line(int ordinal) {
        return lines.get(ordinal);
    }
}
