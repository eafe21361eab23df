package dev.weir.partition.model;

/** One tag of a series. A tag with an empty value is the same as no tag and never gets here. */
public record Tag(String key, String value) implements Comparable<Tag> {
    @Override
    public int compareTo(Tag other) {
        int byKey = key.compareTo(other.key);
        return byKey != 0 ? byKey : value.compareTo(other.value);
    }
}
