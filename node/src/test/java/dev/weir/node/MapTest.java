package dev.weir.node;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds the map of DESIGN: dependencies run down only, and each set part stays where it belongs. */
@AnalyzeClasses(packages = "dev.weir", importOptions = ImportOption.DoNotIncludeTests.class)
final class MapTest {
    @ArchTest
    static final ArchRule dependenciesRunDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("node")
            .definedBy("dev.weir.node..")
            .layer("query")
            .definedBy("dev.weir.query..")
            .layer("cdc")
            .definedBy("dev.weir.cdc..")
            .layer("partition")
            .definedBy("dev.weir.partition..")
            .layer("wal")
            .definedBy("dev.weir.wal..")
            .whereLayer("node")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("query")
            .mayOnlyBeAccessedByLayers("node")
            .whereLayer("cdc")
            .mayOnlyBeAccessedByLayers("node")
            .whereLayer("partition")
            .mayOnlyBeAccessedByLayers("node", "query", "cdc")
            .whereLayer("wal")
            .mayOnlyBeAccessedByLayers("node", "partition", "cdc", "query");

    @ArchTest
    static final ArchRule ratisStaysInOnePackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.weir.wal.ratis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.ratis..");

    @ArchTest
    static final ArchRule deltaStaysInOnePackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.weir.partition.delta..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.delta..");

    @ArchTest
    static final ArchRule vertxIsNeverBelow = noClasses()
            .that()
            .resideInAnyPackage("dev.weir.wal..", "dev.weir.partition..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty..");

    @ArchTest
    static final ArchRule flightStaysInItsClasses = noClasses()
            .that()
            .haveNameNotMatching("dev\\.weir\\.cdc\\.Flight.*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "org.apache.arrow.flight..", "com.google.protobuf..");

    @ArchTest
    static final ArchRule hazelcastStaysInMembership = noClasses()
            .that(not(resideInAnyPackage("dev.weir.node.cluster..")))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.hazelcast..");

    @ArchTest
    static final ArchRule modelKnowsOnlyTheJdk = classes()
            .that()
            .resideInAPackage("dev.weir.partition.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.weir.partition.model..", "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule consumerKnowsOnlyTheJdk = classes()
            .that()
            .resideInAPackage("dev.weir.cdc.consumer..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "javax.net.ssl..", "dev.weir.cdc.consumer..", "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule walKnowsNoPoint = noClasses()
            .that()
            .resideInAPackage("dev.weir.wal..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.weir.partition..");
}
