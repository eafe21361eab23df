package dev.weir.node.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node as the configuration names it.
 *
 * @param host a host name or address; an IPv6 address is written in brackets
 */
public record MemberAddress(String id, String host, int httpPort, int raftPort, int hazelcastPort) {
    private static final Pattern MEMBER =
            Pattern.compile("([A-Za-z0-9_-]{1,32})@(\\[[^]]+]|[^:]+):(\\d{1,5}):(\\d{1,5}):(\\d{1,5})");

    static MemberAddress parse(String key, String text) {
        Matcher member = MEMBER.matcher(text);
        if (!member.matches()) {
            throw ConfigException.of(key, "id@host:http:raft:hazelcast", text);
        }
        return new MemberAddress(
                member.group(1),
                member.group(2),
                port(key, member.group(3)),
                port(key, member.group(4)),
                port(key, member.group(5)));
    }

    /** {@code host:port} of its HTTP port. */
    public String httpAddress() {
        return host + ":" + httpPort;
    }

    static int port(String key, String text) {
        int port = Integer.parseInt(text);
        if (port < 1 || port > 65_535) {
            throw ConfigException.of(key, "a port from 1 to 65535", text);
        }
        return port;
    }
}
