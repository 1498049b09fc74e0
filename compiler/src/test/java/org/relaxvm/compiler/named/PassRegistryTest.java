package org.relaxvm.compiler.named;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.pass.simplify.ConvertToDataflow;
import org.relaxvm.compiler.text.RelaxText;

/** Passes by name, of this compiler and of other jars. */
class PassRegistryTest {
  private static final IRModule MODULE =
      RelaxText.parse(
          """
          @I.ir_module
          class Module:
              @R.function
              def main(x: R.Tensor((n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
                  a = R.add(x, x)
                  b = R.exp(a)
                  return b
          """,
          "test",
          StandardOps.registry());

  /** The functions of another jar. */
  private record Foreign(Map<String, PackedFunc> functions) implements FunctionProvider {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
      return "acme";
    }

    @Override
    public Set<String> functionNames() {
      return functions.keySet();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.ofNullable(functions.get(name));
    }
  }

  private static PassRegistry registry(Map<String, PackedFunc> functions) {
    return PassRegistry.of(BackendRegistry.builder().add(new Foreign(functions)).build());
  }

  private static PassRegistry registry(String name, PackedFunc function) {
    return registry(Map.of(name, function));
  }

  private static IRModule run(PassPipeline passes) {
    return passes.run(MODULE, PassContext.DEFAULT, PassObserver.NONE);
  }

  /** Adds an attribute to the object of a module. */
  private static Object marked(@Nullable Object module) {
    ObjectTypes types = ObjectTypes.discover();
    Object attrs = types.require("ir.DictAttrs").create(Map.of("__dict__", Map.of("seen", 1L)));
    return ObjectView.of(types, requireNonNull(module)).with("attrs", attrs);
  }

  @Test
  void aFunctionOfAnotherJarIsAPassOfAList() {
    List<String> given = new ArrayList<>();
    PassRegistry registry =
        registry(
            "acme.transform.Mark",
            PackedFunc.of(
                args -> {
                  given.add(((ObjectNode) requireNonNull(args[0])).typeKey());
                  return marked(args[0]);
                }));
    PassPipeline passes = registry.pipeline("acme.transform.Mark, ConvertToDataflow");
    assertThat(passes.names()).containsExactly("acme.transform.Mark", "ConvertToDataflow");
    IRModule changed = run(passes);
    assertThat(given).containsExactly("ir.IRModule");
    assertThat(changed.attrs().integer("seen")).hasValue(1L);
    assertThat(registry.names())
        .contains("default", "FuseOps", "acme.transform.Mark")
        .doesNotContain("relax.transform.FuseOps");
  }

  @Test
  void aModuleThatComesBackAsItWasStaysAsItWas() {
    PassRegistry registry = registry("acme.same", (args, result) -> result.setArgument(args, 0));
    assertThat(run(registry.pipeline("acme.same"))).isSameAs(MODULE);
    IRModule dataflow = new ConvertToDataflow().run(MODULE, PassContext.DEFAULT);
    PassRegistry inIr = registry("acme.ir", (args, result) -> result.set(dataflow));
    assertThat(run(inIr.pipeline("acme.ir"))).isSameAs(dataflow);
  }

  @Test
  void listsNamePipelinesAndPassesMoreThanOnce() {
    PassRegistry registry = registry(Map.of());
    assertThat(registry.pipeline("default").names())
        .isEqualTo(StandardPipelines.standard().names());
    assertThat(registry.pipeline("FoldConstant,zero,relax.transform.FoldConstant").names())
        .containsExactly(
            "FoldConstant",
            "LegalizeOps",
            "AnnotateTIROpPattern",
            "FoldConstant#2",
            "FuseOps",
            "FuseTIR",
            "FoldConstant#3");
  }

  /** The whole pipeline, with an object in between after each pass that leaves tensor programs. */
  @Test
  void modulesAreObjectsBetweenPasses() {
    PassRegistry registry =
        registry(
            "acme.transform.Copy",
            PackedFunc.of(
                args -> {
                  ObjectView view = ObjectView.of(ObjectTypes.discover(), requireNonNull(args[0]));
                  return view.with("attrs", view.get("attrs"));
                }));
    List<String> names = new ArrayList<>();
    for (PassPipeline part :
        List.of(StandardPipelines.simplification(), StandardPipelines.zero())) {
      for (Pass pass : part.passes()) {
        names.add(pass.name().replaceAll("(Before|After)$", ""));
        names.add("acme.transform.Copy");
      }
    }
    names.add("lowering");
    IRModule lowered = run(registry.pipeline(names));
    IRModule direct = run(StandardPipelines.standard());
    assertThat(lowered.functions().keySet()).isEqualTo(direct.functions().keySet());
  }

  private static void refused(PassRegistry registry, String list, ErrorKind kind, String... lines) {
    assertThatThrownBy(() -> run(registry.pipeline(list)))
        .isInstanceOfSatisfying(CallException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessage(String.join("\n", lines));
  }

  @Test
  void unknownNamesListWhatThereIs() {
    PassRegistry registry = registry("acme.transform.Mark", PackedFunc.of(args -> args[0]));
    refused(
        registry,
        "FuseOps,acme.transform.Mork",
        ErrorKind.VALUE,
        "there is no pass 'acme.transform.Mork'",
        "  similar: acme.transform.Mark",
        "  passes: " + String.join(", ", registry.names()),
        "  what to do: check the name, or put the jar that has the pass on the class path");
    refused(
        registry,
        "",
        ErrorKind.VALUE,
        "there is no pass ''",
        "  passes: " + String.join(", ", registry.names()),
        "  what to do: check the name, or put the jar that has the pass on the class path");
    refused(
        registry,
        "BindParams",
        ErrorKind.TYPE,
        "argument #0 is missing: the call has 0 arguments",
        "  at relax.transform.BindParams(func_name, params)");
  }

  @Test
  void errorsNameThePass() {
    refused(
        registry("acme.number", (args, result) -> result.setLong(1)),
        "acme.number",
        ErrorKind.TYPE,
        "the function acme.number gave no module",
        "  expected: an object of the type ir.IRModule",
        "  got: int",
        "  at pass acme.number");
    refused(
        registry(
            "acme.broken",
            (args, result) -> {
              throw new IllegalStateException("it broke");
            }),
        "acme.broken",
        ErrorKind.RUNTIME,
        "the function acme.broken failed: java.lang.IllegalStateException: it broke",
        "  at pass acme.broken");
    refused(
        registry("acme.text", (args, result) -> result.set(args.stringAt(0))),
        "acme.text",
        ErrorKind.TYPE,
        "argument #0 must be a string, but is of type ir.IRModule",
        "  at pass acme.text");
    assertThatThrownBy(
            () ->
                run(
                    registry("acme.wrong", PackedFunc.of(args -> withWrongType(args[0])))
                        .pipeline("acme.wrong")))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith("the result must be R.Tensor((n, 4), dtype=\"int8\")")
        .hasMessageEndingWith("\n  at pass acme.wrong");
  }

  /** The module, whose function says that it returns a tensor of another dtype. */
  private static Object withWrongType(@Nullable Object module) {
    ObjectTypes types = ObjectTypes.discover();
    ObjectView view = ObjectView.of(types, requireNonNull(module));
    Map<Object, Object> functions = new LinkedHashMap<>();
    ((Map<?, ?>) requireNonNull(view.get("functions")))
        .forEach(
            (global, function) -> {
              ObjectView main = ObjectView.of(types, function);
              ObjectView type = ObjectView.of(types, requireNonNull(main.get("ret_ty")));
              ObjectView dtype = ObjectView.of(types, requireNonNull(type.get("dtype")));
              Object other = type.with("dtype", dtype.with("dtype", DType.INT8));
              functions.put(global, main.with("ret_ty", other));
            });
    return view.with("functions", functions);
  }
}
