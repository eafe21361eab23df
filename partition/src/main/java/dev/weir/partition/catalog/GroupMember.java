package dev.weir.partition.catalog;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One reader of a group.
 *
 * @param stream the one that may send; {@link MemberStream#NONE} between two connections
 * @param waiting the one that may send once {@code stream} has ended
 * @param generation version of the catalog in which any of this changed last; a stream of an older one has to end
 * @param partitions that nobody else may get, whether or not a stream is open
 * @param leaving those of them that are given up when the stream has ended
 */
public record GroupMember(
        String name,
        MemberStream stream,
        MemberStream waiting,
        long generation,
        SortedSet<Integer> partitions,
        SortedSet<Integer> leaving) {
    public GroupMember {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
        leaving = Collections.unmodifiableSortedSet(new TreeSet<>(leaving));
    }

    static GroupMember joined(String name, MemberStream stream, long version) {
        return new GroupMember(name, stream, MemberStream.NONE, version, new TreeSet<>(), new TreeSet<>());
    }

    /** What a stream of this generation reads. */
    public SortedSet<Integer> kept() {
        SortedSet<Integer> kept = new TreeSet<>(partitions);
        kept.removeAll(leaving);
        return kept;
    }

    GroupMember withStreams(MemberStream open, MemberStream next, long version) {
        return new GroupMember(name, open, next, version, partitions, leaving);
    }

    GroupMember withPartitions(SortedSet<Integer> held, SortedSet<Integer> given, long version) {
        return new GroupMember(name, stream, waiting, version, held, given);
    }

    /** Its stream has ended: what it was to give up is free, and who waits may go on. */
    GroupMember ended(long version) {
        return new GroupMember(name, waiting, MemberStream.NONE, version, kept(), new TreeSet<>());
    }
}
