package dev.weir.partition.store;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/**
 * Builds the SDK's client so that all S3 servers understand it: no chunked signatures, no trailing checksums, no waiting
 * for {@code 100 Continue} (the JDK's client waits 5 s where a proxy swallows it), no retries of its own.
 */
final class S3Clients {
    private static final Duration CONNECT_TIMEOUT_MAX = Duration.ofSeconds(10);

    private S3Clients() {}

    static S3Client build(S3Config config, RetryConfig retry, StoreMetrics metrics) {
        Duration timeout = retry.requestTimeout();
        Duration connect = timeout.compareTo(CONNECT_TIMEOUT_MAX) < 0 ? timeout : CONNECT_TIMEOUT_MAX;
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(connect)
                        .socketTimeout(timeout))
                .region(Region.of(config.region()))
                .credentialsProvider(credentials(config))
                .forcePathStyle(config.pathStyle())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .chunkedEncodingEnabled(false)
                        .expectContinueEnabled(false)
                        .build())
                .overrideConfiguration(ClientOverrideConfiguration.builder()
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .apiCallAttemptTimeout(timeout)
                        .addExecutionInterceptor(new SkewReader(metrics))
                        .build());
        config.endpoint().ifPresent(builder::endpointOverride);
        return builder.build();
    }

    private static AwsCredentialsProvider credentials(S3Config config) {
        return config.credentials()
                .<AwsCredentialsProvider>map(keys -> StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(keys.accessKey(), keys.secretKey())))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
    }
}
