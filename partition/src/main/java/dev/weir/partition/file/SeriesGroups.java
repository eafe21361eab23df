package dev.weir.partition.file;

import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Tells row groups that hold none of some series, by the statistics of their tags. */
final class SeriesGroups {
    /** Of more series it is not asked: then nearly every row group has one. */
    private static final int SERIES_MAX = 1_000;

    /** Finds all. */
    static final SeriesGroups ALL = new SeriesGroups(List.of());

    private final List<FilterPredicate> series;

    private SeriesGroups(List<FilterPredicate> series) {
        this.series = series;
    }

    /** @param tags the file's tag columns */
    static SeriesGroups of(List<List<Tag>> series, List<FileColumn> tags) {
        if (series.size() > SERIES_MAX) {
            return ALL;
        }
        List<FilterPredicate> predicates = new ArrayList<>();
        for (List<Tag> each : series) {
            FilterPredicate predicate = predicate(each, tags);
            if (predicate == null) {
                return ALL;
            }
            predicates.add(predicate);
        }
        return new SeriesGroups(predicates);
    }

    boolean mayHold(BlockMetaData group) {
        return series.isEmpty()
                || series.stream().anyMatch(each -> !StatisticsFilter.canDrop(each, group.getColumns()));
    }

    /** Null where the file has no tags. */
    private static @Nullable FilterPredicate predicate(List<Tag> series, List<FileColumn> tags) {
        FilterPredicate all = null;
        for (FileColumn tag : tags) {
            Binary value = series.stream()
                    .filter(each -> each.key().equals(tag.column().name()))
                    .map(each -> Binary.fromString(each.value()))
                    .findFirst()
                    .orElse(null);
            FilterPredicate equal = FilterApi.eq(FilterApi.binaryColumn(tag.name()), value);
            all = all == null ? equal : FilterApi.and(all, equal);
        }
        return all;
    }
}
