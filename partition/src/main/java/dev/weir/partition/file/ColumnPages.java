package dev.weir.partition.file;

import java.io.IOException;
import java.util.Objects;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a column chunk, page after page. For each row of a stretch: {@link #next}, and if that is true one value from {@link #values}.
 * Parquet's own reader of columns does more for each value than decoding it takes.
 */
final class ColumnPages {
    private final ColumnDescriptor column;
    private final PageReader pages;
    private final @Nullable Dictionary dictionary;
    private final boolean isRequired;
    private @Nullable ValuesReader levels;
    private @Nullable ValuesReader values;
    private boolean isDictionaryPage;
    private int left;

    ColumnPages(ColumnDescriptor column, PageReader pages) throws IOException {
        this.column = column;
        this.pages = pages;
        this.isRequired = column.getMaxDefinitionLevel() == 0;
        DictionaryPage page = pages.readDictionaryPage();
        this.dictionary = page == null ? null : page.getEncoding().initDictionary(column, page);
    }

    /** How many of the next rows lie in one page, at most {@code max}. */
    int stretch(int max) throws IOException {
        if (left == 0) {
            load();
        }
        return Math.min(left, max);
    }

    /** Goes on to the next row and tells whether it has a value. */
    boolean next() {
        left--;
        return isRequired || Objects.requireNonNull(levels).readInteger() != 0;
    }

    /** Of the page that the stretch lies in. */
    ValuesReader values() {
        return Objects.requireNonNull(values);
    }

    /** Where the values of the stretch are places in it. */
    @Nullable
    Dictionary dictionary() {
        return isDictionaryPage ? dictionary : null;
    }

    private void load() throws IOException {
        DataPage page = pages.readPage();
        if (page == null) {
            throw new IOException("column " + name() + " ends before its rows do");
        }
        if (!(page instanceof DataPageV1 first)) {
            throw new IOException("column " + name() + ": page of another version, expected 1");
        }
        ByteBufferInputStream in = first.getBytes().toInputStream();
        left = first.getValueCount();
        if (!isRequired) {
            levels = first.getDlEncoding().getValuesReader(column, ValuesType.DEFINITION_LEVEL);
            levels.initFromPage(left, in);
        }
        values = reader(first.getValueEncoding());
        values.initFromPage(left, in);
    }

    private ValuesReader reader(Encoding encoding) throws IOException {
        isDictionaryPage = encoding.usesDictionary();
        if (!isDictionaryPage) {
            return encoding.getValuesReader(column, ValuesType.VALUES);
        }
        if (dictionary == null) {
            throw new IOException("column " + name() + " has no dictionary, expected one");
        }
        return encoding.getDictionaryBasedValuesReader(column, ValuesType.VALUES, dictionary);
    }

    private String name() {
        return column.getPath()[0];
    }
}
