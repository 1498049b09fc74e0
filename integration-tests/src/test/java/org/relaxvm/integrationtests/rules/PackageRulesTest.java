package org.relaxvm.integrationtests.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.integrationtests.rules.OurClasses.ROOT;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How large a package may grow, and what no class may do. */
@AnalyzeClasses(packages = ROOT, importOptions = OurClasses.class)
class PackageRulesTest {
  private static final int TYPES_PER_PACKAGE = 25;

  /** Packages with more types, each with its own bound; the reasons are beside it. */
  private static final Map<String, Integer> LARGER_PACKAGES =
      Map.of(
          // The values, and what their elements are, which all other packages see.
          ROOT + ".api", 26,
          // One sealed set of expressions that are made of each other: no cut without a cycle.
          ROOT + ".compiler.ir", 26,
          // One small interface for each thing that not every device can do, and its options.
          ROOT + ".api.spi", 28);

  /**
   * Packages that count as one. A storage names the device that owns it, and a device allocates
   * storages: the values, their SPI and the host's memory are one knot, cut for the reader only.
   */
  private static final Set<String> VALUES_AND_SPI =
      Set.of(ROOT + ".api", ROOT + ".api.spi", ROOT + ".api.host");

  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().assignedFrom(new PackageOrGroup()).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyTheCommandsWriteToStandardOutput =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + ".cli..", ROOT + ".examples..", ROOT + ".benchmarks..")
          // Programs that the VM runs may print, on standard output as TVM's do.
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".builtins.ProgramOutput")
          .should(ACCESS_STANDARD_STREAMS)
          .because("a library reports through its results, its exceptions and slf4j");

  @ArchTest
  static final ArchRule noGlobalsCanChange =
      fields().that().areStatic().should().beFinal().because("a registry is an object");

  @ArchTest
  static void packagesStaySmall(JavaClasses all) {
    Map<String, Long> typesByPackage =
        all.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()));
    typesByPackage
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue()
                    <= LARGER_PACKAGES.getOrDefault(entry.getKey(), TYPES_PER_PACKAGE));
    assertThat(typesByPackage)
        .as("packages with more than %d top-level types: split them", TYPES_PER_PACKAGE)
        .isEmpty();
  }

  private static final class PackageOrGroup implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      return SliceIdentifier.of(VALUES_AND_SPI.contains(name) ? ROOT + ".api with its SPI" : name);
    }

    @Override
    public String getDescription() {
      return "packages, with the values and their SPI as one";
    }
  }
}
