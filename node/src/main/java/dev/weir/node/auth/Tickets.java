package dev.weir.node.auth;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks tickets: what a browser puts into the address of a stream, since it can't send a token with one. A ticket opens one stream, for a moment, and goes on with
 * it for a day; every node of the cluster takes it, and none after its token was revoked.
 *
 * <p>A ticket is sealed with what the catalog keeps of its token (a digest of 32 random bytes, which no caller is told): nothing has to be stored for it, and with the token
 * its key is gone. Without authentication the seal keeps nobody out, as nothing does.
 *
 * <p>Any thread; never blocks.
 */
public final class Tickets {
    /** From when it was made; a stream that goes on from a place that it was at needs no more than {@link #LASTS}. */
    public static final Duration OPENS = Duration.ofSeconds(60);

    public static final Duration LASTS = Duration.ofHours(24);

    /** Nodes' clocks may differ by so much, see the check {@code clock}. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    private static final String MAC = "HmacSHA256";
    private static final String PURPOSE = "weir ticket 1\n";

    private final Authenticator authenticator;
    private final Supplier<CatalogImage> images;
    private final InstantSource clock;

    public Tickets(Authenticator authenticator, Supplier<CatalogImage> images, InstantSource clock) {
        this.authenticator = authenticator;
        this.images = images;
        this.clock = clock;
    }

    /** A ticket just made. */
    public record Made(String text, Instant opensUntil, Instant expiresAt) {}

    /** What became of a ticket that was shown. */
    public sealed interface Checked {
        /** @param query the parameters of the one stream that it opens */
        record Valid(Caller caller, String query) implements Checked {}

        record Refused(String reason) implements Checked {}
    }

    /** Whose a ticket is, and what seals it. */
    private record Holder(Caller caller, byte[] key) {}

    /**
     * @param caller who may read the stream
     * @throws RefusedException its token was revoked just now
     */
    public Made make(Caller caller, String query) throws RefusedException {
        Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
        String tokenId = caller.authenticated() ? caller.tokenId() : "";
        byte[] sealed = new Ticket(now.getEpochSecond(), tokenId, query).sealed();
        byte[] seal = holder(tokenId)
                .map(holder -> seal(holder, sealed))
                .orElseThrow(() -> new RefusedException(
                        Refusal.of(ErrorCode.UNAUTHENTICATED, "the token was revoked while a ticket was made of it")));
        return new Made(Ticket.text(sealed, seal), now.plus(OPENS), now.plus(LASTS));
    }

    /** @param goesOn whether the stream is to begin at a place that the client names */
    public Checked check(String text, boolean goesOn) {
        Optional<Ticket.Read> read = Ticket.read(text);
        Optional<Holder> holder = read.flatMap(found -> holder(found.ticket().tokenId()));
        if (holder.isEmpty()
                || !MessageDigest.isEqual(
                        seal(holder.get(), read.get().sealed()), read.get().seal())) {
            return new Checked.Refused(
                    "ticket: expected one that POST /api/v1/cdc/tickets of this cluster has made, of a"
                            + " token that is there still");
        }
        return check(read.get().ticket(), holder.get().caller(), goesOn);
    }

    private Checked check(Ticket ticket, Caller caller, boolean goesOn) {
        Duration age = Duration.between(Instant.ofEpochSecond(ticket.madeAtSeconds()), clock.instant());
        if (age.compareTo(LASTS.plus(CLOCKS_APART)) > 0) {
            return new Checked.Refused(
                    "ticket: good for " + LASTS.toHours() + " hours, made " + age.toHours() + " hours ago");
        }
        if (!goesOn && age.compareTo(OPENS.plus(CLOCKS_APART)) > 0) {
            return new Checked.Refused("ticket: opens a stream within " + OPENS.toSeconds() + " s, made "
                    + age.toSeconds() + " s ago; later it only goes on after an id, by Last-Event-ID or last_event_id");
        }
        return new Checked.Valid(caller, ticket.query());
    }

    /** Empty where the token opens no streams, or is none. */
    private Optional<Holder> holder(String tokenId) {
        CatalogImage image = images.get();
        if (!authenticator.enabled()) {
            return tokenId.isEmpty()
                    ? Optional.of(new Holder(Authenticator.anyone(), bytes(image.clusterId())))
                    : Optional.empty();
        }
        return image.token(tokenId)
                .filter(token -> token.scopes().contains(Scope.CDC))
                .map(token -> new Holder(
                        new Caller(token.tenant(), Set.of(Scope.CDC), token.id(), true), bytes(token.sha256())));
    }

    private static byte[] seal(Holder holder, byte[] sealed) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(holder.key(), MAC));
            mac.update(bytes(PURPOSE));
            return mac.doFinal(sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + MAC, e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
