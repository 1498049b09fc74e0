package org.relaxvm.compiler.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.type.VDevice;

/** What is refused and why, and what graphs share. */
class ModuleObjectsTest {
  private static final ObjectTypes TYPES = ObjectTypes.discover();
  private static final NodeMaker MAKER = new NodeMaker(TYPES);
  private static final String MAIN = "<root>.functions[I.GlobalVar(\"main\")]";

  private static final String SMALL =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(x: R.Tensor((n, 4), dtype="float32"), k: R.Prim("int64")) -> R.Tensor:
              with R.dataflow():
                  a = R.add(x, R.const(1.0, "float32"))
                  b = R.exp(a)
                  R.output(b)
              return b
      """;

  /** All kinds of expressions, bindings and types. */
  private static final String LARGE =
      """
      @I.ir_module
      class Module:
          I.module_attrs({"version": 3})
          I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
          @T.prim_func(private=True)
          def twice(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
              for i in range(n):
                  with T.block("b"):
                      v = T.axis.spatial(n, i)
                      T.reads(A[v])
                      T.writes(B[v])
                      B[v] = A[v] * T.float32(2)

          @R.function
          def main(x: R.Tensor((n, 4), dtype="float32", vdevice="llvm:0:global"), s: R.Shape(ndim=2),
                   t: R.Tuple(R.Any, R.Prim("int64")), c: R.Tensor((), dtype="bool")) -> R.Any:
              @R.function
              def inner(v: R.Tensor((2,), dtype="int32")) -> R.Tensor((2,), dtype="int32"):
                  w = R.add(v, v)
                  return w
              a = R.sum(x, axis=[1])
              z = R.match_cast(s, R.Shape([m, 3]))
              d = R.call_pure_packed("f", R.str("q"), R.dtype("int32"), t[0], m + 1, ty_args=(R.Any,))
              if c:
                  y = R.split(x, indices_or_sections=2, axis=1)
              else:
                  y = (x, x)
              u = R.reshape(x, R.shape([n * 4]))
              k = R.call_tir(Module.twice, (u,), out_ty=R.Tensor((n * 4,), dtype="float32"))
              p = R.image.resize2d(R.zeros(R.shape([1, 1, 4, 4]), "float32"), R.shape([2, 2]))
              q = R.nn.attention(R.zeros(R.shape([1, 2, 2, 4]), "float32"), R.zeros(R.shape([1, 2, 2, 4]), "float32"), R.zeros(R.shape([1, 2, 2, 4]), "float32"), scale=0.5)
              return (a, d, y, u, p, q)
      """;

  private static IRModule parse(String text) {
    return RelaxText.parse(text, "test", StandardOps.registry());
  }

  private static ObjectNode write(String text) {
    return ModuleObjects.write(parse(text), TYPES);
  }

  private static @Nullable Object with(
      ObjectNode root, String key, String field, @Nullable Object value) {
    return Graphs.changed(
        root,
        (node, each) ->
            node.type().key().equals(key) && each.name().equals(field)
                ? Optional.of(new Graphs.Change(value))
                : Optional.empty());
  }

  private static void refused(@Nullable Object root, String... problems) {
    assertThatThrownBy(() -> ModuleObjects.read(requireNonNull(root)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the module cannot be held as Relax IR\n  " + String.join("\n  ", problems));
  }

  @Test
  void allProblemsAreToldWithTheirPaths() {
    String json =
        ModuleJson.toJson(parse(SMALL))
            .replace("\"relax.add\"", "\"relax.ccl.allgather\"")
            .replace("\"relax.exp\"", "\"relax.ccl.allreduce\"");
    assertThatThrownBy(() -> ModuleJson.parse(json))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the module cannot be held as Relax IR\n  "
                + MAIN
                + ".body.blocks[0].bindings[0].value.op: the operator relax.ccl.allgather is not"
                + " known\n  "
                + MAIN
                + ".body.blocks[0].bindings[1].value.op: the operator relax.ccl.allreduce is not"
                + " known");
  }

  @Test
  void malformedObjectsAreProblems() {
    ObjectNode small = write(SMALL);
    refused(
        with(small, "relax.expr.Function", "body", null),
        MAIN + ".body: expected relax.expr.SeqExpr, but got null");
    refused(
        with(small, "relax.expr.Function", "params", "x"),
        MAIN + ".params: expected ffi.Array, but got ffi.String",
        MAIN + ".body.blocks[0].bindings[0].value.args[0]: the variable x is not defined before");
    refused(
        with(small, "ir.IRModule", "global_infos", Map.of("mesh", List.of())),
        "<root>.global_infos[\"mesh\"]: the global information mesh cannot be held");
    refused(
        small.type().create(new Object[] {1L, Map.of(), null, null, Map.of()}),
        "<root>.functions: expected ffi.Map, but got int",
        "<root>.attrs: expected ir.DictAttrs, but got null");
    refused(MAKER.make("relax.AnyType"), "<root>: expected ir.IRModule, but got relax.AnyType");
    assertThatThrownBy(() -> ModuleJson.parse("{\"root_index\":0,\"nodes\":[{\"type\":\"None\"}]}"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the graph is null; expected a module: ir.IRModule");
    assertThatThrownBy(() -> ModuleJson.parse("{}")).isInstanceOf(MalformedFileException.class);
  }

  @Test
  void typesThatAreNotHeldAreProblems() {
    refused(
        with(write(SMALL), "relax.expr.Function", "ret_ty", MAKER.make("ir.TensorMapType")),
        MAIN + ".ret_ty: the type ir.TensorMapType cannot be held");
    refused(
        with(write(SMALL), "relax.expr.Function", "ret_ty", MAKER.make("ir.Type")),
        MAIN + ".ret_ty: the type is not known");
  }

  @Test
  void scalarParameterThatIsAnExtentIsRefused() {
    ObjectNode root =
        write(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(k: R.Prim("int64")) -> R.Any:
                    return R.shape([4])
            """);
    // As objects, the parameter may be the extent.
    List<ObjectNode> scalar = List.of(variable(root, "k"));
    Object changed =
        Graphs.changed(
            root,
            (node, field) ->
                Map.of("relax.expr.Function", "params", "relax.expr.ShapeExpr", "values")
                        .getOrDefault(node.type().key(), "")
                        .equals(field.name())
                    ? Optional.of(new Graphs.Change(scalar))
                    : Optional.empty());
    refused(
        changed,
        MAIN
            + ".params[0]: the variable k is a scalar value and in extents or scalar expressions,"
            + " which cannot be held");
  }

  private static ObjectNode variable(ObjectNode root, String name) {
    return Graphs.nodes(root).stream()
        .filter(node -> node.type().isA("ir.Var"))
        .filter(node -> name.equals(node.type().get(node, node.type().requireField("name"))))
        .findFirst()
        .orElseThrow();
  }

  /** Each field of each object has each of some wrong values, one at a time. */
  @Test
  void noGraphFailsInAnotherWay() {
    ObjectNode root = write(LARGE);
    List<@Nullable Object> wrong = new ArrayList<>();
    wrong.add(null);
    wrong.add("text");
    wrong.add(List.of(1L, "text"));
    wrong.add(Map.of());
    wrong.add(MAKER.make("relax.AnyType"));
    wrong.add(variable(root, "x"));
    int refused = 0;
    for (ObjectNode changed : Graphs.nodes(root)) {
      for (ObjectField field : changed.type().fields()) {
        for (Object value : Graphs.isReference(field) ? wrong : List.of()) {
          Object graph =
              Graphs.changed(
                  root,
                  (node, each) ->
                      node.equals(changed) && each.equals(field)
                          ? Optional.of(new Graphs.Change(value))
                          : Optional.empty());
          try {
            assertThat(ModuleObjects.read(requireNonNull(graph)).functions()).isNotNull();
          } catch (InvalidProgramException e) {
            refused++;
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  @Test
  void deepGraphsAreRefused() {
    ObjectNode nested = MAKER.make("ir.TupleType", "fields", List.of());
    for (int i = 0; i < 5_000; i++) {
      nested = MAKER.make("ir.TupleType", "fields", List.of(nested));
    }
    Object root = with(write(SMALL), "relax.expr.Function", "ret_ty", nested);
    assertThatThrownBy(() -> ModuleObjects.read(requireNonNull(root)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining(".fields[0]: values are nested more than 1000 deep")
        .hasMessageStartingWith("the module cannot be held as Relax IR\n  " + MAIN + ".ret_ty");
  }

  @Test
  void graphsThatUnfoldWithoutBoundAreRefused() {
    ObjectNode shared = MAKER.make("ir.TupleType", "fields", List.of());
    for (int i = 0; i < 60; i++) {
      shared = MAKER.make("ir.TupleType", "fields", List.of(shared, shared));
    }
    Object root = with(write(SMALL), "relax.expr.Function", "ret_ty", shared);
    assertThatThrownBy(() -> ModuleObjects.read(requireNonNull(root)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("more than 10000000 values are referred to");
  }

  @Test
  void variablesNamesAndConstantsAreOneNodeEach() {
    String json =
        ModuleJson.toJson(
            parse(
                """
                @I.ir_module
                class Module:
                    @R.function
                    def main(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
                        y = R.multiply(x, x)
                        z = Module.main(y)
                        w = Module.main(z)
                        return w
                """));
    assertThat(json.split("\"type\":\"ir.GlobalVar\"", -1)).hasSize(2);
    // The parameter, three bindings and the symbol.
    assertThat(json.split("\"type\":\"ir.Var\"", -1)).hasSize(6);
    assertThat(json).endsWith("\"metadata\":{\"tvm_version\":\"0.26.0\"}}");
    assertThat(json).contains("{\"type\":\"ir.SourceMap\",\"data\":{\"source_map\":");
  }

  @Test
  void filesComeBack(@TempDir Path folder) {
    IRModule module = parse(LARGE);
    Path file = folder.resolve("model.json");
    ModuleJson.save(module, file);
    assertThat(Files.exists(file)).isTrue();
    assertThat(RelaxText.print(ModuleJson.load(file)))
        .isEqualTo(RelaxText.print(Completed.of(module)));
  }

  @Test
  void attributesComeBack() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("int", 3L);
    values.put("float", -0.5);
    values.put("bool", true);
    values.put("text", "a");
    values.put("dtype", DType.FLOAT16);
    values.put("none", Attrs.Nothing.NONE);
    values.put("list", List.of(1L, List.of("x"), Map.of("k", 2L)));
    IRModule module = parse(SMALL).withAttrs(new Attrs(values));
    assertThat(ModuleJson.parse(ModuleJson.toJson(module)).attrs()).isEqualTo(module.attrs());
  }

  @Test
  void targetsThatTheOriginalLacksAreRefused() {
    IRModule small = parse(SMALL);
    IRModule module = new IRModule(small.functions(), Attrs.NONE, List.of(VDevice.of("abacus", 0)));
    assertThatThrownBy(() -> ModuleObjects.write(module, TYPES))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "Apache TVM has no target of the kind abacus\n  what to do: name a virtual device of"
                + " another kind, such as cuda or opencl");
  }

  @Test
  void callsOfMissingFunctionsAreNotWritten() {
    IRModule module =
        parse(
            """
            @I.ir_module
            class Module:
                @R.function
                def f(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
                    return x
                @R.function
                def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
                    y = Module.f(x)
                    return y
            """);
    GlobalVar main = new GlobalVar("main");
    assertThatThrownBy(
            () ->
                ModuleObjects.write(IRModule.EMPTY.with(main, module.requireFunction(main)), TYPES))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the module has no function f, which is called");
  }

  @Test
  void hintsOfUnknownDevicesAreProblems() {
    ObjectNode root =
        write(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((2,), dtype="float32")) -> R.Any:
                    y = R.hint_on_device(x, dst_vdevice="cuda:1:global")
                    return y
            """);
    refused(
        with(root, "relax.attrs.HintOnDeviceAttrs", "device_type", 99L),
        MAIN
            + ".body.blocks[0].bindings[0].value.attrs.device_type: there is no kind of device"
            + " with the number 99");
    assertThat(RelaxText.print(ModuleObjects.read(root)))
        .contains("R.hint_on_device(x, dst_vdevice=\"cuda:1:global\")");
  }
}
