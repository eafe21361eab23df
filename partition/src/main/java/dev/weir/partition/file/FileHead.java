package dev.weir.partition.file;

import dev.weir.partition.model.TableSchema;

/**
 * What a data file says about itself.
 *
 * @param schema of its rows
 * @param partition whose rows they are
 * @param firstSeq the range of seqs that the file stands for: every row's lies in it
 * @param lastSeq inclusive
 */
public record FileHead(TableSchema schema, int partition, long firstSeq, long lastSeq) {
    public FileHead {
        if (partition < 0 || firstSeq < 0 || lastSeq < firstSeq) {
            throw new IllegalArgumentException("data file of " + schema + ": partition " + partition + ", seq "
                    + firstSeq + " to " + lastSeq + ", expected at least 0 and first <= last");
        }
    }
}
