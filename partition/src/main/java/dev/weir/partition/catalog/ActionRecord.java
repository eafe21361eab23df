package dev.weir.partition.catalog;

/**
 * An action of an operation.
 *
 * @param message what it does now, why it can't go on, or how it has ended; empty while it waits
 */
public record ActionRecord(OperationAction action, ActionState state, String message) {
    static ActionRecord waiting(OperationAction action) {
        return new ActionRecord(action, ActionState.WAITING, "");
    }
}
