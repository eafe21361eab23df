package dev.weir.node.config;

/** Whether Arrow Flight is served, and where; to whom is as with HTTP. */
public record FlightConfig(boolean enabled, int port) {
    static FlightConfig of(Settings settings) {
        return new FlightConfig(settings.isOn("flight.enabled"), settings.port("flight.port"));
    }
}
