package dev.weir.query.sql;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.image.ImageRequest;
import dev.weir.query.sql.image.ImageSet;
import dev.weir.query.sql.image.ReadCut;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TableImages;
import dev.weir.query.sql.image.TableNeed;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Tables of tenants in one JVM: a catalog, and images as they were put. */
final class StoredTables implements Catalog, TableImages {
    static final Instant COMPLETE_UNTIL = Instant.parse("2026-11-01T00:00:00.123456Z");

    final Map<String, TableImage> images = new ConcurrentHashMap<>();
    final List<ImageRequest> asked = new CopyOnWriteArrayList<>();
    final AtomicInteger open = new AtomicInteger();
    /** What the next opening gives once instead. */
    volatile TableImages instead = null;

    void put(TableImage image) {
        images.put(image.schema().tenant() + "/" + image.schema().name(), image);
    }

    @Override
    public CompletionStage<ImageSet> open(ImageRequest request, CancelSignal cancel) {
        asked.add(request);
        TableImages once = instead;
        if (once != null) {
            instead = null;
            return once.open(request, cancel);
        }
        return CompletableFuture.completedFuture(set(request));
    }

    ImageSet set(ImageRequest request) {
        open.incrementAndGet();
        List<TableImage> found = request.needs().stream()
                .map(need -> images.get(request.tenant() + "/" + need.table()))
                .toList();
        return new ImageSet() {
            @Override
            public List<TableImage> images() {
                return found;
            }

            @Override
            public ReadCut cut() {
                return new ReadCut(Cursor.of(0, 42), Optional.of(COMPLETE_UNTIL));
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    TableNeed lastNeed() {
        return asked.getLast().needs().getFirst();
    }

    @Override
    public CatalogImage image() {
        return (CatalogImage) Proxy.newProxyInstance(
                CatalogImage.class.getClassLoader(),
                new Class<?>[] {CatalogImage.class},
                (image, method, arguments) -> switch (method.getName()) {
                    case "table" ->
                        Optional.ofNullable(images.get(arguments[0] + "/" + arguments[1]))
                                .map(TableImage::schema);
                    case "tables" -> schemas((String) arguments[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private List<TableSchema> schemas(String tenant) {
        return images.values().stream()
                .map(TableImage::schema)
                .filter(schema -> schema.tenant().equals(tenant))
                .toList();
    }

    @Override
    public CompletionStage<CatalogReply> propose(CatalogCommand command) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> linearize() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public AutoCloseable onChange(Consumer<CatalogImage> listener) {
        return () -> {};
    }
}
