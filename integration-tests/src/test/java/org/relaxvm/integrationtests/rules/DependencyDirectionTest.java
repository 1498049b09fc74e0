package org.relaxvm.integrationtests.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.relaxvm.integrationtests.rules.OurClasses.ROOT;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;

/** An arrow between modules points down, as in {@code ARCHITECTURE.md}. */
@AnalyzeClasses(packages = ROOT, importOptions = OurClasses.class)
class DependencyDirectionTest {
  /** What each module may use at compile time. A module that is not here has no place yet. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("api", Set.of()),
          Map.entry("vmcore", Set.of("api")),
          Map.entry("tir", Set.of("api")),
          Map.entry("compiler", Set.of("api", "objects", "tir", "vmcore")),
          Map.entry("builtins", Set.of("api")),
          Map.entry("backendcpu", Set.of("api", "machine", "tir")),
          Map.entry("backendsupport", Set.of("api", "tir")),
          Map.entry("backendopencl", Set.of("api", "tir", "backendsupport")),
          Map.entry("backendcuda", Set.of("api", "tir", "backendsupport")),
          Map.entry("backendvulkan", Set.of("api", "tir", "backendsupport")),
          Map.entry("testsupport", Set.of()),
          Map.entry("backendtestkit", Set.of("api", "tir", "testsupport")),
          Map.entry("interoptvm", Set.of("api", "machine", "vmcore")),
          Map.entry("interoprelay", Set.of("api", "vmcore", "interoptvm")),
          Map.entry("interoponnx", Set.of("api", "tir", "vmcore", "compiler")),
          Map.entry("machine", Set.of()),
          Map.entry("objects", Set.of("api", "vmcore")),
          Map.entry("rpc", Set.of("api", "objects", "vmcore")),
          Map.entry(
              "cli", Set.of("api", "objects", "tir", "vmcore", "compiler", "rpc", "interoponnx")),
          Map.entry(
              "benchmarks",
              Set.of("api", "tir", "vmcore", "compiler", "interoptvm", "objects", "rpc")),
          Map.entry("examples", Set.of("api", "tir", "vmcore", "compiler")));

  @ArchTest
  static final ArchRule modulesUseOnlyWhatIsBelowThem =
      classes()
          .should(useOnlyWhatTheirModuleMayUse())
          .because(
              "each arrow of the architecture points down, and backends are found at run time");

  private static ArchCondition<JavaClass> useOnlyWhatTheirModuleMayUse() {
    return new ArchCondition<>("use only modules below their own") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String module = OurClasses.moduleOf(type);
        Set<String> allowed = MAY_USE.get(module);
        if (allowed == null) {
          String message = "%s: the module '%s' has no row in MAY_USE of this test";
          events.add(
              SimpleConditionEvent.violated(type, message.formatted(type.getName(), module)));
          return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass();
          if (OurClasses.isOurs(target)) {
            String used = OurClasses.moduleOf(target);
            boolean satisfied = used.equals(module) || allowed.contains(used);
            events.add(
                new SimpleConditionEvent(dependency, satisfied, dependency.getDescription()));
          }
        }
      }
    };
  }
}
