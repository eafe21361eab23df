package dev.weir.wal.ratis;

/** The two halves of {@code host:port}; an IPv6 address stands in brackets. */
record HostPort(String host, int port) {
    static HostPort parse(String address) {
        int colon = address.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("address '" + address + "': expected host:port");
        }
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            String host = address.substring(0, colon);
            boolean bracketed = host.startsWith("[") && host.endsWith("]");
            return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("address '" + address + "': expected a number after the colon", e);
        }
    }
}
