package dev.weir.cdc;

import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.model.HistoryCursor;
import org.jspecify.annotations.Nullable;

/** How a format tells of tables as they stood. Called by the stream's thread, and {@link #beat} by another one; what is sent are whole messages. */
interface HistoryFrames {
    /**
     * First bytes.
     *
     * @param place where the stream begins; null before that is known
     * @return whether the client may know the place, so that it can come back there
     */
    boolean open(@Nullable HistoryCursor place);

    /**
     * Sends rows from one on, each slice once the connection has room for it, and moves the reader behind what was sent: all of them, unless the stream
     * does not go on.
     */
    void rows(SurvivingRows rows, int from, HistoryReader reader);

    /**
     * Seqs of which nothing survived, or nothing that the stream carries.
     *
     * @param reader moved behind it
     * @return whether it was sent: always, unless the stream does not go on
     */
    boolean gap(Gap gap, HistoryCursor after, HistoryReader reader);

    /**
     * Something has to be sent again, if nothing was for a while and {@link #end} was not.
     *
     * @param reader of which it tells the place; null before anything is known
     */
    void beat(@Nullable HistoryReader reader);

    /** The server stops in the middle. */
    void checkpoint(HistoryCursor place);

    /**
     * All rows were sent; the log goes on there.
     *
     * @param isTable they were the tables as they stood
     */
    void end(Position cut, boolean isTable);

    /** Rows that are left can't be sent any more. */
    void lost(String why);

    /** Nothing can be sent at all. */
    void refused(RequestRefused refused);

    /** Ends the response: in order, or so that nobody takes it for whole. */
    void close(boolean inOrder);
}
