package org.relaxvm.interoptvm.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Module;

/** How constants reach the modules that need them (docs/spec/native-library.md, section 4.3). */
class ConstLoaderModuleTest {
  private final List<String> calls = new ArrayList<>();

  private ConstLoaderModule module(PackedFunc init) {
    ConstLoader content =
        (ConstLoader) ModuleKindsTest.parse("const_loader", ModuleKindsTest.constLoader());
    Module inner = Module.of("inner", Map.of("deep", says("deep")));
    Module first = new Importing(Map.of("other", says("other")), inner);
    Module second = Module.of("second", Map.of("dense", says("dense"), "__init_dense", init));
    return new ConstLoaderModule("const_loader of test.so", content, List.of(first, second));
  }

  private record Importing(Map<String, PackedFunc> functions, Module imported) implements Module {
    @Override
    public String origin() {
      return "first";
    }

    @Override
    public Set<String> functionNames() {
      return functions.keySet();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.ofNullable(functions.get(name));
    }

    @Override
    public List<Module> imports() {
      return List.of(imported);
    }
  }

  private static PackedFunc says(String text) {
    return (_, result) -> result.set(text);
  }

  private PackedFunc init(long answer) {
    return (args, result) -> {
      Tuple constants = args.tupleAt(0);
      calls.add("init with " + constants.size());
      assertThat(constants.get(0))
          .isInstanceOfSatisfying(
              Tensor.class, w -> assertThat(w.toFloatArray()).containsExactly(1, 2));
      result.setLong(answer);
    };
  }

  @Test
  void aFunctionIsInitialisedOnceWhenItIsFirstAskedFor() {
    ConstLoaderModule module = module(init(0));
    assertThat(calls).isEmpty();
    assertThat(module.find("dense").orElseThrow().invoke().asString()).isEqualTo("dense");
    assertThat(module.find("dense")).isPresent();
    assertThat(calls).containsExactly("init with 2");
    assertThat(module.functionNames()).containsExactly("dense", "get_const_var_tensor");
  }

  @Test
  void othersAreFoundInTheImportsThemselves() {
    ConstLoaderModule module = module(init(0));
    assertThat(module.find("other")).isPresent();
    assertThat(module.find("deep")).isEmpty();
    assertThat(module.findWithImports("deep")).isPresent();
    // A symbol without an initialisation needs none.
    assertThat(module.find("relu")).isEmpty();
    assertThat(calls).isEmpty();
  }

  @Test
  void aFailedInitialisationIsReportedAndTriedAgain() {
    ConstLoaderModule module = module(init(3));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> module.find("dense"))
          .isInstanceOf(LinkException.class)
          .hasMessage(
              """
              the initialization of dense failed
                function: __init_dense of const_loader of test.so
                expected: 0
                got: 3\
              """);
    }
    assertThat(calls).hasSize(2);
  }

  @Test
  void allConstantsCanBeAskedFor() {
    ConstLoaderModule module = module(init(0));
    for (int i = 0; i < 2; i++) {
      try (Value all = module.find(ConstLoaderModule.ALL_CONSTANTS).orElseThrow().invoke()) {
        assertThat(all.asTuple().size()).isEqualTo(2);
        List<Value> last = all.asList().getLast().asList();
        assertThat(last.getFirst().asString()).isEqualTo("b");
        assertThat(last.getLast().asTensor().toLongArray()).containsExactly(7);
      }
    }
  }

  /** Each module of a chain imports the next one twice: there are a million ways to the last. */
  @Test
  void aModuleThatIsImportedManyTimesIsAskedOnce() {
    ConstLoader content =
        (ConstLoader) ModuleKindsTest.parse("const_loader", ModuleKindsTest.constLoader());
    Module last = new Counted(calls);
    for (int i = 0; i < 20; i++) {
      last = new ConstLoaderModule("const_loader of test.so", content, List.of(last, last));
    }
    assertThat(last.functionNames()).containsExactly("dense", "get_const_var_tensor");
    assertThat(calls).as("by each of its two imports").containsExactly("names", "names");
    calls.clear();
    assertThat(last.find("nobody")).isEmpty();
    assertThat(calls).containsExactly("nobody");
    calls.clear();
    assertThat(last.findWithImports("nobody")).isEmpty();
    assertThat(calls).containsExactly("nobody");
  }

  /** Has {@code dense}, and keeps what it was asked. */
  private record Counted(List<String> asked) implements Module {
    @Override
    public String origin() {
      return "counted";
    }

    @Override
    public Set<String> functionNames() {
      asked.add("names");
      return Set.of("dense");
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      asked.add(name);
      return Optional.empty();
    }
  }
}
