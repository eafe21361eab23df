package dev.weir.node.auth;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;

/**
 * One stream of one token's tenant, to be opened from an address. Readable by all, believed only where its seal is right.
 *
 * <pre>
 * offset  size  field (big-endian); all of it base64url without padding
 *      0     1  version, 1
 *      1     8  when it was made, seconds since 1970
 *      9   2+n  id of the token it was made with (length, UTF-8); empty without authentication
 *        2+m  the stream's parameters, as they would stand in its address (length, UTF-8)
 *         32  seal: HMAC-SHA256 of all bytes before
 * </pre>
 *
 * @param tokenId empty without authentication
 */
record Ticket(long madeAtSeconds, String tokenId, String query) {
    private static final int VERSION = 1;
    private static final int SEAL_BYTES = 32;

    /** @param seal of {@link #sealed} bytes */
    record Read(Ticket ticket, byte[] sealed, byte[] seal) {}

    /** What the seal is of. */
    byte[] sealed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(madeAtSeconds);
            out.writeUTF(tokenId);
            out.writeUTF(query);
        } catch (IOException e) {
            throw new UncheckedIOException("a ticket can always be written to memory", e);
        }
        return bytes.toByteArray();
    }

    static String text(byte[] sealed, byte[] seal) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(sealed);
        bytes.writeBytes(seal);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /** Empty where the text is no ticket of this version. */
    static Optional<Read> read(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            if (in.readByte() != VERSION) {
                return Optional.empty();
            }
            Ticket ticket = new Ticket(in.readLong(), in.readUTF(), in.readUTF());
            byte[] seal = in.readAllBytes();
            return seal.length == SEAL_BYTES ? Optional.of(new Read(ticket, ticket.sealed(), seal)) : Optional.empty();
        } catch (IllegalArgumentException | IOException e) {
            return Optional.empty();
        }
    }
}
