package dev.weir.cdc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest blocks of a run under rising indexes, oldest out first. Not thread-safe: the run guards it. */
final class BlockRing {
    private @Nullable RunBlock[] blocks = new @Nullable RunBlock[64];
    private long first;
    private long next;
    private long bytes;

    /** Index of the oldest block. */
    long first() {
        return first;
    }

    /** Index that the next block will have. */
    long next() {
        return next;
    }

    int size() {
        return (int) (next - first);
    }

    long bytes() {
        return bytes;
    }

    void add(RunBlock block) {
        if (size() == blocks.length) {
            grow();
        }
        blocks[slot(next++)] = block;
        bytes += block.weight();
    }

    void removeOldest() {
        RunBlock oldest = get(first);
        blocks[slot(first++)] = null;
        bytes -= oldest.weight();
    }

    void clear() {
        Arrays.fill(blocks, null);
        first = next;
        bytes = 0;
    }

    /** Blocks from an index on, of about so many bytes (one at least, where there is one). */
    List<RunBlock> from(long index, int bytesMax) {
        List<RunBlock> taken = new ArrayList<>();
        long size = 0;
        for (long at = index; at < next; at++) {
            RunBlock block = get(at);
            size += block.buffer().length();
            if (!taken.isEmpty() && size > bytesMax) {
                break;
            }
            taken.add(block);
        }
        return taken;
    }

    long framesFrom(long index) {
        long frames = 0;
        for (long at = Math.max(index, first); at < next; at++) {
            frames += get(at).frames();
        }
        return frames;
    }

    private RunBlock get(long index) {
        RunBlock block = blocks[slot(index)];
        if (block == null) {
            throw new IllegalStateException("block " + index + ", expected " + first + " to " + (next - 1));
        }
        return block;
    }

    private int slot(long index) {
        return (int) (index & (blocks.length - 1));
    }

    private void grow() {
        @Nullable RunBlock[] old = blocks;
        blocks = new @Nullable RunBlock[old.length * 2];
        for (long index = first; index < next; index++) {
            blocks[slot(index)] = old[(int) (index & (old.length - 1))];
        }
    }
}
