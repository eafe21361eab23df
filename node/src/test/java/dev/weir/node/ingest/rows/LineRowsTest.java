package dev.weir.node.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of users (LP-…) and the grammar, at the parser. */
class LineRowsTest {

    @Test
    void readsEveryTypeOfValue() {
        assertThat(show("m a=1,b=-1.5e3,c=7i,d=-7i,e=18446744073709551615u,f=t,g=FALSE,h=\"x\" 9"))
                .containsExactly(
                        "1: m a=d:1.0,b=d:-1500.0,c=i:7,d=i:-7,e=u:18446744073709551615,f=b:true,g=b:false,h=s:x @9");
    }

    @ParameterizedTest
    @CsvSource({
        "1., 1.0",
        ".5, 0.5",
        "-0, -0.0",
        "+3, 3.0",
        "1e22, 1e22",
        "1e23, 1e23",
        "0.1, 0.1",
        "9007199254740993, 9007199254740992",
        "123456789012345678, 123456789012345678",
        "1.7976931348623157e308, 1.7976931348623157E308",
        "4.9e-324, 4.9e-324",
        "1e-400, 0.0",
        "0.30000000000000004, 0.30000000000000004",
        "00000000000000000000001.5, 1.5",
        "1E+2, 100"
    })
    void readsFloatsExactly(String text, double expected) {
        assertThat(show("m v=" + text)).containsExactly("1: m v=d:" + expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t", "T", "true", "True", "TRUE", "f", "F", "false", "False", "FALSE"})
    void readsEverySpellingOfBooleans(String text) {
        assertThat(show("m v=" + text))
                .containsExactly(
                        "1: m v=b:" + text.toLowerCase(java.util.Locale.ROOT).startsWith("t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "m v=",
                "m v=tRUE",
                "m v=1x",
                "m v=1ii",
                "m v=1.5i",
                "m v=--1",
                "m v=1e",
                "m v=.",
                "m v=-",
                "m v=0x10",
                "m =1",
                "m ,v=1",
                "m v=1,",
                "m v=1,,w=2",
                "m v",
                "m v w=1",
                ",h=a v=1",
                "m, v=1",
                "m,h v=1",
                "m,=a v=1",
                "m,h=a=b v=1",
                "m v=1 1.5",
                "m v=1 x",
                "m v=1 1 1",
                "m v=\"a",
                "m v=\"a\"b",
                "m v='a'",
                "m",
                "m ",
                "m,h=a",
                "m\tv=1",
                "m,h=a,h=b v=1"
            })
    void refusesWhatIsNoRowAndKeepsTheOthers(String bad) {
        assertThat(show("a v=1i 1\n" + bad + "\nc v=3i 3"))
                .hasSize(3)
                .startsWith("1: a v=i:1 @1")
                .endsWith("3: c v=i:3 @3")
                .element(1)
                .asString()
                .startsWith("2! ");
    }

    @Test
    void takesEscapesOutOfNames() {
        assertThat(show("my\\ m\\,x=y,k\\=1\\,\\ =v\\=2\\,\\  f\\=\\ g\\,=1i"))
                .containsExactly("1: my m,x=y{k=1, =v=2, } f= g,=i:1");
    }

    @Test
    void keepsBackslashesThatEscapeNothing() {
        assertThat(show("m,p=C:\\new\\dir,u=\\\\srv\\share v=\"a\\nb\\\\c\\\"d\""))
                .containsExactly("1: m{p=C:\\new\\dir, u=\\\\srv\\share} v=s:a\\nb\\c\"d");
    }

    /** LP-01. */
    @Test
    void storesATrailingBackslashWrittenTwice() {
        assertThat(show("disk,drv=Z:\\\\,host=h1 free=7i 1700000000000000000"))
                .containsExactly("1: disk{drv=Z:\\, host=h1} free=i:7 @1700000000000000000");
        assertThat(show("disk,host=h1,drv=Z:\\\\ free=7i 1")).containsExactly("1: disk{drv=Z:\\, host=h1} free=i:7 @1");
    }

    /** LP-01. */
    @Test
    void saysThatABackslashEscapesTheComma() {
        RowFault fault = fault("disk,drv=Z:\\,host=h1 free=7i 1700000000000000000");
        assertThat(fault.code()).isEqualTo(ErrorCode.SYNTAX);
        assertThat(fault.message()).startsWith("line 1, column 18: ").contains("backslash before , escapes it");
    }

    /** LP-03. */
    @Test
    void takesAnEmptyTagAsAbsent() {
        assertThat(show("m,pod=,host=h1 v=1i 1\nm,host=h1 v=1i 2\nm,pod= v=1i 3"))
                .containsExactly("1: m{host=h1} v=i:1 @1", "2: m{host=h1} v=i:1 @2", "3: m v=i:1 @3");
    }

    @Test
    void givesOneSeriesHoweverItsTagsAreWritten() {
        LineRows rows = Lines.of("m,b=2,a=1 v=1\nm,a=1,b=2 v=1\nm,pod=,a=1,b=2 v=1\n");
        long expected = new dev.weir.partition.model.SeriesKey(
                        "acme",
                        "m",
                        List.of(new dev.weir.partition.model.Tag("b", "2"), new dev.weir.partition.model.Tag("a", "1")))
                .hash();
        for (int i = 0; i < 3; i++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.row().series().hash()).isEqualTo(expected);
        }
    }

    /** LP-05. */
    @Test
    void keepsLineFeedsInsideQuotes() {
        assertThat(show("ev msg=\"one\ntwo\" 1\nm v=1x\nev msg=\"a\r\n\" 2"))
                .containsExactly("1: ev msg=s:one\ntwo @1", "3! syntax", "4: ev msg=s:a\r\n @2");
    }

    /** LP-05. */
    @Test
    void neverTakesTheInsideOfAQuotedTextForRows() {
        assertThat(show("ev msg=\"x\nm v=1 1\ny\" badtime\nok v=1i 1")).containsExactly("1! syntax", "4: ok v=i:1 @1");
        assertThat(show("ev bad=zz,msg=\"x\nm v=1 1\ny\" 5\nok v=1i 1")).containsExactly("1! syntax", "4: ok v=i:1 @1");
    }

    @Test
    void losesOneLineToAnOpenQuote() {
        assertThat(show("m s=\"abc 1\nm s=\"def\" 2\nm v=1i 3"))
                .containsExactly("1! syntax", "2: m s=s:def @2", "3: m v=i:1 @3");
        assertThat(show("m s=\"abc 1\nm v=1i 3")).containsExactly("1! syntax", "2: m v=i:1 @3");
        assertThat(fault("m s=\"abc 1").message()).contains("never closed");
    }

    /** LP-06. */
    @Test
    void takesCarriageReturnLineFeedAsLineEnd() {
        assertThat(show("m v=1i\r\nm v=2i 17\r\n\r\nm v=\"x\r\" 3\r\nm v=T\r\nm v=1.5\r"))
                .containsExactly("1: m v=i:1", "2: m v=i:2 @17", "4: m v=s:x\r @3", "5: m v=b:true", "6: m v=d:1.5");
    }

    /** LP-08, LP-09. */
    @ParameterizedTest
    @ValueSource(strings = {"nan", "NaN", "inf", "-Infinity", "+Inf", "-nan"})
    void refusesWhatIsNoNumberNamingTheField(String value) {
        List<RowFault> faults = Lines.faults(Lines.of("m a=1i,b=" + value + " 1\nm a=2i 2\n"));
        assertThat(faults).hasSize(1);
        assertThat(faults.getFirst().code()).isEqualTo(ErrorCode.NOT_A_NUMBER);
        assertThat(faults.getFirst().message())
                .startsWith("line 1, column 10: ")
                .contains("\"b\"");
    }

    /** LP-09. */
    @Test
    void dropsOnlyTheFieldWhereAsked() {
        LineRows rows = Lines.of(
                "m x=inf,a=1i,b=NaN,c=\"k\" 1\nm b=nan 2\nm a=2i,b=3 2\n".getBytes(StandardCharsets.UTF_8), "ns", true);
        assertThat(Lines.show(rows)).containsExactly("1: m a=i:1,c=s:k @1", "2! no_fields", "3: m a=i:2,b=d:3.0 @2");
        assertThat(rows.droppedFields()).isEqualTo(3);
    }

    /** LP-10. */
    @Test
    void quotesABadLineEscaped() {
        byte[] body =
                "# client error: something\n\n  \nm v=\ufffd\u0001 1\nm v=3i 2\n".getBytes(StandardCharsets.UTF_8);
        LineRows rows = Lines.of(body, "ns", false);
        List<RowFault> faults = Lines.faults(rows);
        assertThat(faults).hasSize(1);
        assertThat(faults.getFirst().message()).startsWith("line 4, column 5: ").contains("\\x01");
        assertThat(faults.getFirst().message().chars().noneMatch(c -> c < ' ')).isTrue();
    }

    @Test
    void shortensLongLinesInMessages() {
        assertThat(fault("m v=" + "x".repeat(100_000)).message()).hasSizeLessThan(500);
    }

    @Test
    void refusesWhatIsNotUtf8() {
        byte[] body = "m v=\"??\" 1\nm v=\"\u00e9\" 2\nm,h=? v=1 3\n".getBytes(StandardCharsets.UTF_8);
        replaceQuestionMarks(body, (byte) 0xff);
        assertThat(Lines.show(Lines.of(body, "ns", false)))
                .containsExactly("1! invalid_utf8", "2: m v=s:\u00e9 @2", "3! invalid_utf8");
    }

    /** LP-11. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "oven,room=k time=5i,heat=9i 7",
                "oven time=5i 7",
                "oven,time=x heat=9i 7",
                "m _seq=1i",
                "m,_x=1 v=1",
                "_t v=1"
            })
    void refusesReservedNames(String line) {
        assertThat(fault(line).code()).isEqualTo(ErrorCode.RESERVED_NAME);
    }

    /** LP-14, LP-15, LP-16. */
    @Test
    void takesAnyOtherNameAsItIs() {
        assertThat(show("m Temp=1i 1\nm temp=2i 2\nm ../../x/y=1i 1\nm,a/b=c v=1i 1\n.. v=1i 1\n%2e%2e%2f v=1i 1\n"
                        + "http-log,user-agent=ff x-bytes=1i 1\n\u6e29\u5ea6 \u503c=1i 1"))
                .containsExactly(
                        "1: m Temp=i:1 @1",
                        "2: m temp=i:2 @2",
                        "3: m ../../x/y=i:1 @1",
                        "4: m{a/b=c} v=i:1 @1",
                        "5: .. v=i:1 @1",
                        "6: %2e%2e%2f v=i:1 @1",
                        "7: http-log{user-agent=ff} x-bytes=i:1 @1",
                        "8: \u6e29\u5ea6 \u503c=i:1 @1");
    }

    @Test
    void refusesNamesWithControlCharactersAndLongOnes() {
        assertThat(fault("m\0x v=1").code()).isEqualTo(ErrorCode.INVALID_NAME);
        assertThat(fault("m a\tb=1").code()).isEqualTo(ErrorCode.INVALID_NAME);
        assertThat(fault("m,a\u0085b=1 v=1").code()).isEqualTo(ErrorCode.INVALID_NAME);
        assertThat(fault("m " + "x".repeat(256) + "=1").code()).isEqualTo(ErrorCode.INVALID_NAME);
        assertThat(show("m " + "x".repeat(255) + "=1")).hasSize(1);
    }

    /** LP-17. */
    @Test
    void refusesIntegersOutOfRange() {
        assertThat(fault("if octets=18446744073709551615i 1").code()).isEqualTo(ErrorCode.NUMBER_OUT_OF_RANGE);
        assertThat(fault("if octets=18446744073709551615i 1").message())
                .contains("9223372036854775807")
                .contains("octets");
        assertThat(fault("if octets=18446744073709551616u 1").code()).isEqualTo(ErrorCode.NUMBER_OUT_OF_RANGE);
        assertThat(fault("if octets=-1u 1").code()).isEqualTo(ErrorCode.NUMBER_OUT_OF_RANGE);
        assertThat(fault("if v=1e400 1").code()).isEqualTo(ErrorCode.NUMBER_OUT_OF_RANGE);
        assertThat(show("m a=9223372036854775807i,b=-9223372036854775808i"))
                .containsExactly("1: m a=i:9223372036854775807,b=i:-9223372036854775808");
    }

    /** LP-20. */
    @ParameterizedTest
    @CsvSource({
        "us,1700000000000000000",
        "ns,9223372036854775807",
        "ns,-9223372036854775807",
        "ns,99999999999999999999",
        "h,9999999",
        "s,9223372037"
    })
    void refusesTimesOutOfRange(String precision, String time) {
        LineRows rows = Lines.of(("m v=1i " + time).getBytes(StandardCharsets.UTF_8), precision, false);
        RowFault fault = Lines.faults(rows).getFirst();
        assertThat(fault.code()).isEqualTo(ErrorCode.TIME_OUT_OF_RANGE);
        assertThat(fault.message()).contains("time outside range, check precision");
    }

    /** LP-21. */
    @ParameterizedTest
    @CsvSource({
        "ns,-86400000000000,-86400000000000",
        "n,5,5",
        "us,5,5000",
        "u,-5,-5000",
        "ms,5,5000000",
        "s,-1,-1000000000",
        "m,2,120000000000",
        "h,1,3600000000000",
        "ns,9223372036854775806,9223372036854775806",
        "ns,-9223372036854775806,-9223372036854775806"
    })
    void readsTimesInEveryPrecision(String precision, String time, long nanos) {
        LineRows rows = Lines.of(("m v=1i " + time).getBytes(StandardCharsets.UTF_8), precision, false);
        assertThat(Lines.show(rows)).containsExactly("1: m v=i:1 @" + nanos);
    }

    /** LP-26. */
    @Test
    void guessesWhyALineIsNoRow() {
        assertThat(fault("m,site=north hall v=1i 1").message())
                .startsWith("line 1, column 14: ")
                .contains("hall")
                .contains("space in a tag value or measurement needs a backslash")
                .contains("site=north\\ hall");
        assertThat(fault("m status=ok 1").message())
                .startsWith("line 1, column 10: ")
                .contains("\"ok\"");
        assertThat(fault("m a=1i,status=all good 1").message())
                .startsWith("line 1, column 15: ")
                .contains("status");
    }

    @Test
    void countsColumnsInCharacters() {
        assertThat(fault("\u6e29\u5ea6 \u503c=x").message()).startsWith("line 1, column 6: ");
    }

    @Test
    void readsARowAgainAtItsPlace() {
        LineRows rows = Lines.of("a v=1i 1\n\nb v=2i 2\nc v=3i 3");
        rows.next();
        rows.next();
        int place = rows.place();
        int line = rows.line();
        rows.next();
        rows.seek(place, line);
        assertThat(Lines.show(rows)).containsExactly("3: b v=i:2 @2", "4: c v=i:3 @3");
    }

    @Test
    void keepsNamesApartWhenLinesAlternate() {
        assertThat(show("a x=1,yy=2\nb x=1,yy=2\na x=bad,zz=1\na x=3,zz=4\nb yy=5\nb x\\ =6\nb x=7"))
                .containsExactly(
                        "1: a x=d:1.0,yy=d:2.0",
                        "2: b x=d:1.0,yy=d:2.0",
                        "3! syntax",
                        "4: a x=d:3.0,zz=d:4.0",
                        "5: b yy=d:5.0",
                        "6: b x =d:6.0",
                        "7: b x=d:7.0");
    }

    @Test
    void skipsAByteOrderMarkAndReadsEmptyBodies() {
        assertThat(show("\ufeffm v=1i 1")).containsExactly("1: m v=i:1 @1");
        assertThat(Stream.of("", "\n", " \r\n", "#x", "# \n#").flatMap(body -> show(body).stream()))
                .isEmpty();
    }

    private static List<String> show(String body) {
        return Lines.show(Lines.of(body));
    }

    private static RowFault fault(String body) {
        List<RowFault> faults = Lines.faults(Lines.of(body));
        assertThat(faults).hasSize(1);
        return faults.getFirst();
    }

    private static void replaceQuestionMarks(byte[] body, byte with) {
        for (int i = 0; i < body.length; i++) {
            if (body[i] == '?') {
                body[i] = with;
            }
        }
    }
}
