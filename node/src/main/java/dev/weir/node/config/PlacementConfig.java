package dev.weir.node.config;

/**
 * Which node serves what.
 *
 * @param leaderBalance partitions are handed to the leaders that the map prefers
 */
public record PlacementConfig(boolean leaderBalance) {
    static PlacementConfig of(Settings settings) {
        return new PlacementConfig(settings.isOn("placement.leader-balance"));
    }
}
