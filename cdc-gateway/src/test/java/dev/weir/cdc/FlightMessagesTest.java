package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import io.grpc.Status;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flight.impl.Flight.FlightData;
import org.junit.jupiter.api.Test;

/** Flight's messages byte by byte, and how refusals are told. */
class FlightMessagesTest {
    private static final String GOLDEN =
            "129801180000000000000000000e001c0006000500080010000c000e0000000003040024000000100000000800000000"
                    + "000000000000000000000000000a0018000c00080004000a000000140000003800000001000000000000000000000002"
                    + "000000000000000000000000000000000000000000000000000000080000000000000000000000010000000100000000"
                    + "00000000000000000000001a2a7b22776569722e637572736f72223a22415c22222c22776569722e706172746974696f"
                    + "6e223a2233227dc23e080102030405060708";
    private static final IpcSchema SCHEMA = new IpcSchema(CdcLayout.FIXED.schema());

    @Test
    void aBatchIsItsHeadItsMetadataAndItsBody() throws Exception {
        IpcBody body =
                new IpcBody(1, new int[] {0}, new long[] {0, 0, 0, 8}, false, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        byte[] bytes = FlightMessages.batch(body, new TreeMap<>(Map.of("weir.cursor", "A\"", "weir.partition", "3")));
        FlightData data = FlightData.parseFrom(bytes);
        assertThat(data.getAppMetadata().toStringUtf8())
                .isEqualTo("{\"weir.cursor\":\"A\\\"\",\"weir.partition\":\"3\"}");
        assertThat(data.getDataBody().toByteArray()).isEqualTo(body.bytes());
        Message head =
                Message.getRootAsMessage(ByteBuffer.wrap(data.getDataHeader().toByteArray()));
        assertThat(head.headerType()).isEqualTo(MessageHeader.RecordBatch);
        assertThat(head.bodyLength()).isEqualTo(8);
        assertThat(head.customMetadataLength()).isZero();
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GOLDEN);
    }

    @Test
    void aSchemaIsAHeadAlone() throws Exception {
        FlightData data = FlightData.parseFrom(FlightMessages.schema(SCHEMA));
        assertThat(data.getAppMetadata().isEmpty()).isTrue();
        assertThat(data.getDataBody().isEmpty()).isTrue();
        Message head =
                Message.getRootAsMessage(ByteBuffer.wrap(data.getDataHeader().toByteArray()));
        assertThat(head.headerType()).isEqualTo(MessageHeader.Schema);
    }

    @Test
    void batchesWithDictionariesAreNone() {
        Buffer bytes = Buffer.buffer();
        assertThatThrownBy(() -> ArrowWire.FLIGHT.batch(bytes, List.of(new byte[8]), SCHEMA.empty(), Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("found 1");
    }

    /** Clients take 8 KiB of headers, and a text may be the client's own. */
    @Test
    void refusalsAreShortEnoughForHeaders() {
        String endless = "ü".repeat(10_000);
        Status status = FlightStatus.of(
                new RequestRefused(Refusal.of(ErrorCode.BAD_REQUEST, endless), 400, Map.of("oldest_cursor", endless)));
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription())
                .startsWith("bad_request: üü")
                .endsWith("…; oldest_cursor: too long for this answer, HTTP has it")
                .hasSizeLessThan(700);
    }

    @Test
    void everyRefusalHasAStatus() {
        Map<ErrorCode, Status.Code> expected = Map.of(
                ErrorCode.BAD_CURSOR, Status.Code.INVALID_ARGUMENT,
                ErrorCode.UNAUTHENTICATED, Status.Code.UNAUTHENTICATED,
                ErrorCode.FORBIDDEN, Status.Code.PERMISSION_DENIED,
                ErrorCode.CURSOR_TOO_OLD, Status.Code.FAILED_PRECONDITION,
                ErrorCode.RATE_LIMITED, Status.Code.RESOURCE_EXHAUSTED,
                ErrorCode.OVERLOADED, Status.Code.RESOURCE_EXHAUSTED,
                ErrorCode.NO_LEADER, Status.Code.UNAVAILABLE,
                ErrorCode.STARTING, Status.Code.UNAVAILABLE,
                ErrorCode.INTERNAL, Status.Code.INTERNAL);
        expected.forEach((code, status) -> assertThat(
                        FlightStatus.of(RequestRefused.of(code, "why")).getCode())
                .as(code.wireName())
                .isEqualTo(status));
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(FlightStatus.of(RequestRefused.of(code, "why")).isOk()).isFalse();
        }
    }

    /** Whatever a ticket holds is read or refused. */
    @Test
    void ticketsOfAnyBytesAreReadOrRefused() {
        byte[] good = "{\"measurement\":[\"cpu\",\"mem\"],\"tag.host\":\"ü\",\"from\":\"earliest\",\"max_rows\":1000}"
                .getBytes(StandardCharsets.UTF_8);
        assertThat(FlightRequest.read("default", good).key().filter().measurements())
                .containsExactly("cpu", "mem");
        Random random = new Random(11);
        int refused = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(10) == 0 ? random.nextInt(good.length) : good.length);
            for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                FlightRequest.read("default", bytes);
            } catch (RequestRefused e) {
                refused++;
                assertThat(FlightStatus.of(e).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
        }
        assertThat(refused).isBetween(500, 2_900);
    }
}
