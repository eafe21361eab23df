package dev.weir.partition.catalog;

/**
 * An open stream of a group's member.
 *
 * @param node that serves it
 * @param id unique in the cluster
 */
public record MemberStream(String node, String id) {
    public static final MemberStream NONE = new MemberStream("", "");

    public boolean open() {
        return !id.isEmpty();
    }
}
