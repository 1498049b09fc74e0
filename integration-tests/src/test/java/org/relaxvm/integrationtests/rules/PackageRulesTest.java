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
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.SourceFiles;

/** How large a package may grow, and what no class may do. */
@AnalyzeClasses(packages = ROOT, importOptions = OurClasses.class)
class PackageRulesTest {
  /** Packages of applications, which have no module descriptor. */
  private static final String PROGRAMS =
      ROOT.replace(".", "\\.") + "\\.(examples|benchmarks)(\\..*)?";

  private static final int FEWEST_TYPES = 3;
  private static final int MOST_TYPES = 40;

  /** The first sentence of a package-info is about the subject. */
  private static final Pattern SUBJECT =
      Pattern.compile("(?s)/\\*\\*[\\s*]+[A-Z].{10,}?[.:].*package ");

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z0-9.]+);");

  /**
   * Packages with fewer types that are not exported. Those of the CPU backend separate techniques
   * that share operands, such as code for blocks of functions and the blocks themselves.
   */
  private static final Set<String> SMALLER_PACKAGES =
      Set.of(
          ROOT + ".backendcpu.codegen.functions",
          ROOT + ".backendcpu.constant",
          ROOT + ".backendcpu.element.integer",
          ROOT + ".backendcpu.function",
          ROOT + ".backendcpu.vector.block");

  /**
   * Packages that count as one. A storage names the device that owns it, and a device allocates
   * storages: the values, their SPI and the host's memory are one knot, cut for the reader only.
   * The package of the engine holds the implementation of the arguments, which few modules may see.
   */
  private static final Set<String> VALUES_AND_SPI =
      Set.of(ROOT + ".api", ROOT + ".api.spi", ROOT + ".api.host", ROOT + ".api.engine");

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
          // Its standard output is a connection, from which it keeps those programs away.
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".rpc.server.SessionProcess")
          .should(ACCESS_STANDARD_STREAMS)
          .because("a library reports through its results, its exceptions and slf4j");

  @ArchTest
  static final ArchRule noGlobalsCanChange =
      fields().that().areStatic().should().beFinal().because("a registry is an object");

  @ArchTest
  static void packagesAreNeitherLargeNorTiny(JavaClasses all) {
    Map<String, Long> unfit = new TreeMap<>(typesByPackage(all));
    unfit.entrySet().removeIf(entry -> isFit(entry.getKey(), entry.getValue()));
    assertThat(unfit)
        .as(
            "packages with more than %d types, or fewer than %d and not exported: split or merge",
            MOST_TYPES, FEWEST_TYPES)
        .isEmpty();
  }

  private static boolean isFit(String name, long types) {
    return types <= MOST_TYPES
        && (types >= FEWEST_TYPES || SMALLER_PACKAGES.contains(name) || isExported(name));
  }

  @ArchTest
  static void exemptionsAreNeeded(JavaClasses all) {
    Map<String, Long> types = typesByPackage(all);
    assertThat(SMALLER_PACKAGES)
        .allSatisfy(
            name -> {
              assertThat(isExported(name)).as(name).isFalse();
              assertThat(types.getOrDefault(name, 0L)).as(name).isBetween(1L, FEWEST_TYPES - 1L);
            });
  }

  @ArchTest
  static void everyPackageSaysItsSubject(JavaClasses all) {
    Set<String> mute = new TreeSet<>(typesByPackage(all).keySet());
    for (Path file : SourceFiles.withExtension("package-info.java")) {
      String text = SourceFiles.text(file);
      Matcher name = PACKAGE.matcher(text);
      if (name.find() && SUBJECT.matcher(text).find()) {
        mute.remove(name.group(1));
      }
    }
    assertThat(mute)
        .as("packages whose package-info has no sentence about their subject")
        .isEmpty();
  }

  /** The top-level types of each package, without those of programs that export nothing. */
  private static Map<String, Long> typesByPackage(JavaClasses all) {
    return all.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
        .filter(type -> !type.getPackageName().matches(PROGRAMS))
        .collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()));
  }

  private static boolean isExported(String name) {
    return OurModules.all().stream()
        .map(ModuleReference::descriptor)
        .anyMatch(
            module -> module.exports().stream().anyMatch(exports -> exports.source().equals(name)));
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
