package dev.weir.node.tls;

import dev.weir.node.config.ConfigException;
import dev.weir.node.config.TlsConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of {@code http.tls.*}, in use: HTTP/2 and HTTP/1.1 by ALPN over TLS 1.2 and 1.3 on this node's port, and the trust in other nodes. Files that change are taken without a
 * restart, for connections from then on; files that can't be used change nothing.
 *
 * <p>Threading: one look at the files at a time, on a thread that may block; the rest is for any thread.
 */
public final class HttpTls implements AutoCloseable {
    /** How often the files are looked at. */
    public static final Duration LOOK = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(HttpTls.class);
    private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");
    private static final List<String> PROTOCOLS = List.of("h2", "http/1.1");
    private static final double SECONDS_A_DAY = 86_400;
    /** A certificate that ends so soon should have been renewed. */
    private static final Duration ENDS_SOON = Duration.ofDays(7);

    private final Vertx vertx;
    private final TlsConfig files;
    private final Clock clock;
    private final ExecutorService blocking;
    private final PeerTls peers;
    private final Counter renewals;
    private final Counter failures;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile InUse used;
    private volatile @Nullable HttpServer server;
    private volatile Doubt doubt = Doubt.NONE;
    private volatile long timer = -1;

    /** What was read last that could be used. */
    private record InUse(PemText text, Optional<CertifiedKey> key) {}

    /** Why the files can't be used; said only when it is found twice, since files change one after the other. */
    private record Doubt(String reason, boolean said) {
        static final Doubt NONE = new Doubt("", false);
    }

    private HttpTls(
            Vertx vertx, TlsConfig files, Clock clock, ExecutorService blocking, InUse used, MeterRegistry metrics) {
        this.vertx = vertx;
        this.files = files;
        this.clock = clock;
        this.blocking = blocking;
        this.used = used;
        this.peers = new PeerTls(vertx, TrustedCertificates.options(used.text(), chain(used)), metrics);
        this.renewals = Counter.builder("weir.http.tls.renewals")
                .description("times that changed files of http.tls.* were taken")
                .register(metrics);
        this.failures = Counter.builder("weir.http.tls.renewal.failures")
                .description("times that changed files of http.tls.* could not be used")
                .register(metrics);
        if (files.isOn()) {
            Gauge.builder("weir.http.tls.expires.days", this, HttpTls::daysLeft)
                    .description("until the certificate of http.tls.cert ends")
                    .register(metrics);
        }
    }

    /** @throws ConfigException the files can't be used; says which, what was expected, and what was found */
    public static HttpTls open(
            Vertx vertx, TlsConfig files, Clock clock, ExecutorService blocking, MeterRegistry metrics) {
        InUse used = usable(vertx, PemText.read(files), clock);
        return new HttpTls(vertx, files, clock, blocking, used, metrics);
    }

    private static InUse usable(Vertx vertx, PemText text, Clock clock) {
        Optional<CertifiedKey> key = text.certificate()
                .flatMap(certificate ->
                        text.key().map(keyText -> CertifiedKey.of(vertx, certificate, keyText, clock.instant())));
        text.authorities().ifPresent(authorities -> PemText.certificates("http.tls.ca", authorities));
        return new InUse(text, key);
    }

    private static List<X509Certificate> chain(InUse used) {
        return used.key().map(CertifiedKey::chain).orElse(List.of());
    }

    /** For clients of other nodes. */
    public PeerTls peers() {
        return peers;
    }

    /** For ports that Vert.x does not serve: always the newest certificate. Empty where this node has none. */
    public Optional<KeyManager> keys() {
        return used.key().map(any -> new CurrentKey(() -> used.key().orElseThrow()));
    }

    public HttpServerOptions prepare(HttpServerOptions options) {
        used.key()
                .ifPresent(key -> options.setSsl(true)
                        .setUseAlpn(true)
                        .setEnabledSecureTransportProtocols(VERSIONS)
                        .setKeyCertOptions(key.options()));
        return options;
    }

    /**
     * Begins to look at the files.
     *
     * @param listening was made with what {@link #prepare} gave
     */
    public void watch(HttpServer listening, Duration interval) {
        server = listening;
        timer = vertx.setPeriodic(interval.toMillis(), any -> {
            if (looking.compareAndSet(false, true)) {
                blocking.execute(() -> {
                    try {
                        look();
                    } finally {
                        looking.set(false);
                    }
                });
            }
        });
    }

    private void look() {
        try {
            PemText found = PemText.read(files);
            if (!found.equals(used.text())) {
                take(usable(vertx, found, clock));
            }
            doubt = Doubt.NONE;
        } catch (ConfigException e) {
            doubted(String.valueOf(e.getMessage()));
        }
    }

    private void take(InUse taken) {
        HttpServer listening = server;
        if (listening != null && !taken.key().equals(used.key())) {
            taken.key().ifPresent(key -> show(listening, key));
        }
        peers.trust(TrustedCertificates.options(taken.text(), chain(taken)));
        used = taken;
        renewals.increment();
        LOG.info(
                "the files of http.tls.* have changed and were taken{}",
                taken.key()
                        .map(key -> "; the certificate ends at " + key.expires())
                        .orElse(""));
    }

    private static void show(HttpServer listening, CertifiedKey key) {
        ServerSSLOptions options = new ServerSSLOptions().setKeyCertOptions(key.options());
        options.setUseAlpn(true).setApplicationLayerProtocols(PROTOCOLS).setEnabledSecureTransportProtocols(VERSIONS);
        try {
            listening
                    .updateSSLOptions(options)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new ConfigException("http.tls.cert, http.tls.key: the port does not take them: " + e.getCause());
        }
    }

    private void doubted(String reason) {
        Doubt before = doubt;
        if (!before.reason().equals(reason)) {
            doubt = new Doubt(reason, false);
        } else if (!before.said()) {
            doubt = new Doubt(reason, true);
            failures.increment();
            LOG.warn(
                    "the files of http.tls.* have changed and can't be used, the node goes on with those before: {}",
                    reason);
        }
    }

    /** What a person should look at. */
    public List<String> complaints() {
        List<String> all = new ArrayList<>();
        if (doubt.said()) {
            all.add("changed files can't be used, those before are: " + doubt.reason());
        }
        used.key()
                .filter(key -> clock.instant().plus(ENDS_SOON).isAfter(key.expires()))
                .ifPresent(key -> all.add("the certificate of http.tls.cert ends at " + key.expires()));
        return all;
    }

    private double daysLeft() {
        return used.key()
                .map(key -> Duration.between(clock.instant(), key.expires()).toSeconds() / SECONDS_A_DAY)
                .orElse(Double.NaN);
    }

    @Override
    public void close() {
        vertx.cancelTimer(timer);
    }
}
