package dev.weir.query.sql.gate;

import java.util.Set;

/**
 * The functions, operators and types that a statement may name: none that reads files, settings or catalogs, runs text as SQL, waits, or makes
 * much out of little without a bound. {@code ops/docs/SQL.md} lists them for users.
 */
final class AllowedFunctions {
    static final Set<String> OPERATORS = words("""
        + - * / // % ** ^ & | << >> ~ ! @ || -> ->> = <> < > <= >= && @> <@ ^@ ~~ !~~ ~~* !~~* ~~~ like_escape not_like_escape ilike_escape
        not_ilike_escape regexp_full_match
        """);
    static final Set<String> SCALARS = words("""
        abs acos acosh add asin asinh atan atan2 atanh cbrt ceil ceiling cos cosh cot degrees divide even exp fdiv floor fmod gamma gcd
        greatest greatest_common_divisor isfinite isinf isnan lcm least least_common_multiple lgamma ln log log10 log2 mod multiply nextafter
        pi pow power radians random round round_even roundbankers sign signbit sin sinh sqrt subtract tan tanh trunc xor bit_count
        coalesce if ifnull nullif typeof constant_or_null
        ascii bar bit_length char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3 ends_with
        format_bytes formatreadabledecimalsize formatreadablesize hamming instr jaccard jaro_similarity jaro_winkler_similarity lcase left len
        length length_grapheme levenshtein lower lpad ltrim mismatches nfc_normalize octet_length ord position prefix regexp_escape
        regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array repeat replace reverse right
        rpad rtrim split split_part starts_with str_split str_split_regex string_split string_split_regex string_to_array strip_accents strlen
        strpos substr substring suffix translate trim ucase unicode upper url_decode url_encode
        base64 bin decode encode from_base64 from_hex hash hex md5 md5_number sha1 sha256 to_base to_base64 to_binary to_hex unbin unhex
        age century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek
        dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us era hour isodow isoyear julian last_day make_date make_time
        make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz microsecond millennium millisecond minute month monthname
        nanosecond quarter second strftime strptime timezone timezone_hour timezone_minute to_centuries to_days to_decades to_hours
        to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years try_strptime
        week weekday weekofyear year yearweek normalized_interval
        now current_timestamp get_current_timestamp transaction_timestamp current_date today current_localtimestamp localtimestamp
        time_bucket time_bucket_gapfill locf interpolate rate increase delta
        array_aggr array_aggregate array_apply array_append array_cat array_concat array_contains array_distinct array_extract array_filter
        array_has array_has_all array_has_any array_indexof array_intersect array_length array_position array_prepend array_reduce
        array_reverse array_reverse_sort array_select array_slice array_sort array_to_string array_transform array_unique array_value
        array_where array_zip apply aggregate filter flatten grade_up list_aggr list_aggregate list_any_value list_append list_apply list_avg
        list_cat list_concat list_contains list_count list_distinct list_element list_extract list_filter list_first list_grade_up list_has
        list_has_all list_has_any list_indexof list_intersect list_last list_max list_median list_min list_pack list_position list_prepend
        list_product list_reduce list_reverse list_reverse_sort list_select list_slice list_sort list_stddev_pop list_stddev_samp list_sum
        list_transform list_unique list_value list_var_pop list_var_samp list_where list_zip reduce unnest
        cardinality element_at map map_concat map_contains map_entries map_extract map_extract_value map_from_entries map_keys map_values
        row struct_extract struct_pack struct_insert struct_keys struct_values array_extract
        generate_series range
        json_array json_array_length json_contains json_exists json_extract json_extract_path json_extract_path_text json_extract_string
        json_keys json_object json_quote json_type json_valid json_value to_json
        gen_random_uuid uuid
        """);
    static final Set<String> AGGREGATES = words("""
        any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin
        array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg first
        fsum geomean geometric_mean group_concat histogram kahan_sum kurtosis kurtosis_pop last list listagg lttb mad max max_by mean median
        min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
        regr_sxy regr_syy reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan var_pop
        var_samp variance weighted_avg wavg
        """);
    static final Set<String> WINDOWS = words(
            "cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense"
                    + " row_number");
    static final Set<String> TABLES = words("range generate_series unnest");
    static final Set<String> TYPES = words("""
        bool boolean logical tinyint int1 smallint int2 short int16 integer int int4 int32 signed bigint int8 int64 long hugeint int128 utinyint
        uint8 usmallint uint16 uinteger uint32 ubigint uint64 uhugeint float real float4 double float8 decimal numeric dec varchar text
        string char bpchar nvarchar blob bytea binary varbinary date time timestamp datetime timestamp_s timestamp_ms timestamp_us
        timestamp_ns timestamptz interval uuid guid json list array struct row map "null"
        """);

    private AllowedFunctions() {}

    static boolean isCall(String name) {
        return SCALARS.contains(name) || AGGREGATES.contains(name) || OPERATORS.contains(name);
    }

    static boolean isAggregate(String name) {
        return AGGREGATES.contains(name);
    }

    static boolean isWindow(String name) {
        return WINDOWS.contains(name) || AGGREGATES.contains(name);
    }

    private static Set<String> words(String text) {
        return Set.copyOf(java.util.Arrays.asList(text.strip().split("\\s+")));
    }
}
