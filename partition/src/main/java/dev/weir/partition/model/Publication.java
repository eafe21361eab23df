package dev.weir.partition.model;

import java.util.Optional;

/** As what a table's files are offered to other query engines. */
public enum Publication {
    NONE("none"),
    /** A Delta Lake table over the files in the object store. */
    DELTA("delta");

    private final String word;

    Publication(String word) {
        this.word = word;
    }

    /** As users write it. */
    public String word() {
        return word;
    }

    public static Optional<Publication> ofWord(String word) {
        for (Publication each : values()) {
            if (each.word.equalsIgnoreCase(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
