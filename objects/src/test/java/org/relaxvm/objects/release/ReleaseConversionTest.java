package org.relaxvm.objects.release;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.objects.release.Made.node;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.compare.AccessPath;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.JsonLayout;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Objects of older releases as those of the newest, and back. */
class ReleaseConversionTest {
  private static final Pattern INDEX = Pattern.compile("(?<=[:,\\[])\\d+(?=[,\\]}])");
  private static final ObjectTypes NEW = ObjectTypes.discover();

  /** The worked example of the specification: n + 1 of int64. */
  private static final String NEWEST_SUM =
      """
      {"root_index":5,"nodes":[{"type":"None"},\
      {"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}},\
      {"type":"ffi.String","data":"n"},\
      {"type":"ir.Var","data":{"span":0,"ty":1,"name":2}},\
      {"type":"ir.IntImm","data":{"span":0,"ty":1,"value":1}},\
      {"type":"tirx.Add","data":{"span":0,"ty":1,"a":3,"b":4}}],\
      "metadata":{"tvm_version":"0.26.0"}}\
      """;

  private static final String OLD_SUM =
      """
      {
        "root_index": 5,
        "nodes": [
          {
            "type": "None"
          },
          {
            "type": "ffi.String",
            "data": "n"
          },
          {
            "type": "ir.PrimType",
            "data": {
              "span": 0,
              "dtype": "int64"
            }
          },
          {
            "type": "tir.Var",
            "data": {
              "span": 0,
              "dtype": "int64",
              "name": 1,
              "type_annotation": 2
            }
          },
          {
            "type": "ir.IntImm",
            "data": {
              "span": 0,
              "dtype": "int64",
              "value": 1
            }
          },
          {
            "type": "tir.Add",
            "data": {
              "span": 0,
              "dtype": "int64",
              "a": 3,
              "b": 4
            }
          }
        ],
        "metadata": {
          "tvm_version": "0.22.0"
        }
      }\
      """;

  private static Object upgrade(@Nullable Object old) {
    return requireNonNull(ReleaseConversion.upgrade(old, TvmRelease.V0_22, NEW));
  }

  private static Object downgrade(Object newest, TvmRelease release) {
    ObjectTypes types = TvmSchema.of(release).objectTypes();
    return requireNonNull(ReleaseConversion.downgrade(newest, release, types));
  }

  private static @Nullable Object at(Object root, String path) {
    return AccessPath.parse(path).find(root, NEW);
  }

  private static void assertUpgradesTo(ObjectNode old, Object expected) {
    assertEqual(expected, upgrade(old));
  }

  private static void assertEqual(Object expected, Object made) {
    assertThat(
            StructuralEquality.firstMismatch(expected, made, NEW, new CompareOptions(true, false)))
        .isEmpty();
  }

  /** An object comes back from the newest release as an equal one. */
  private static void assertComesBack(Object old) {
    Object again = downgrade(upgrade(old), TvmRelease.V0_22);
    assertThat(
            StructuralEquality.firstMismatch(old, again, Made.OLD, new CompareOptions(true, false)))
        .isEmpty();
  }

  private static void assertRefused(@Nullable Object old, String... problems) {
    assertThatThrownBy(() -> upgrade(old))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "objects of release 0.22 have no counterpart in release 0.26\n  "
                + String.join("\n  ", problems));
  }

  // ---------------------------------------------------------------- texts

  @Test
  void theWorkedExampleIsReadInEachGeneration() {
    ReleasedGraph newest = ReleasedGraph.parse(NEWEST_SUM);
    assertThat(newest.release()).isEqualTo(TvmRelease.V0_26);
    assertThat(newest.upgraded(NEW)).isSameAs(newest.graph().root());
    for (String text :
        List.of(OLD_SUM, OLD_SUM.replace("tir.", "tirx.").replace("0.22.0", "0.24.0"))) {
      ReleasedGraph old = ReleasedGraph.parse(text);
      Map<String, Object> metadata = TvmRelease.newest().metadata();
      assertThat(new ObjectGraph(old.upgraded(NEW), metadata).toJson(NEW)).isEqualTo(NEWEST_SUM);
    }
  }

  @Test
  void theWorkedExampleIsWrittenInTheFirstGeneration() {
    Object sum = requireNonNull(ReleasedGraph.parse(NEWEST_SUM).graph().root());
    Object old = downgrade(sum, TvmRelease.V0_22);
    ObjectGraph graph = new ObjectGraph(old, TvmRelease.V0_22.metadata());
    assertThat(graph.toJson(Made.OLD, JsonLayout.INDENTED)).isEqualTo(OLD_SUM);
    assertThat(ObjectGraph.parse(graph.toJson(Made.OLD), Made.OLD).toJson(Made.OLD))
        .isEqualTo(OLD_SUM.replaceAll("\\s", ""));
  }

  // ---------------------------------------------------------------- programs

  private static ObjectNode relaxVariable(String key, String name, @Nullable Object info) {
    return node(key, "vid", node("relax.Id", "name_hint", name), "struct_info_", info);
  }

  private static ObjectNode scalar(@Nullable Object value) {
    return node("relax.PrimStructInfo", "value", value, "dtype", DType.INT64);
  }

  /** A function of one parameter that gives it and a scalar. */
  private static ObjectNode function(ObjectNode param) {
    ObjectNode n = Made.variable("n", DType.INT64);
    ObjectNode body =
        node(
            "relax.expr.Tuple", "fields", List.of(param, node("relax.expr.PrimValue", "value", n)));
    return node(
        "relax.expr.Function",
        "attrs",
        node("ir.DictAttrs", "__dict__", Map.of("tir.pattern", Made.integer(8))),
        "params",
        List.of(param),
        "body",
        node("relax.expr.SeqExpr", "blocks", List.of(), "body", body),
        "ret_struct_info",
        node("relax.ObjectStructInfo"),
        "is_pure",
        true);
  }

  @Test
  void variablesAndScalarsOfProgramsAreThoseOfTheNewestRelease() {
    ObjectNode info =
        node(
            "relax.TensorStructInfo",
            "shape",
            null,
            "dtype",
            DType.FLOAT32,
            "vdevice",
            null,
            "ndim",
            2L);
    Object made = upgrade(function(relaxVariable("relax.expr.Var", "x", info)));
    assertThat(at(made, "params[0]")).isSameAs(at(made, "body.body.fields[0]"));
    assertThat(at(made, "params[0].name")).isEqualTo("x");
    assertThat(at(made, "params[0].ty.dtype.dtype")).isEqualTo(DType.FLOAT32);
    assertThat(Nodes.key(at(made, "body.body.fields[1]"))).isEqualTo("ir.Var");
    assertThat(Nodes.key(at(made, "ret_ty"))).isEqualTo("relax.AnyType");
    assertThat(at(made, "attrs.__dict__[\"tirx.pattern\"]")).isEqualTo(8L);
    Object old = downgrade(made, TvmRelease.V0_24);
    assertThat(at(old, "params[0].vid.name_hint")).isEqualTo("x");
    assertThat(Nodes.key(at(old, "body.body.fields[1]"))).isEqualTo("relax.expr.PrimValue");
    assertThat(Nodes.key(at(old, "body.body.fields[1].value"))).isEqualTo("tirx.Var");
    assertThat(at(old, "ret_struct_info.span")).isNull();
  }

  @Test
  void aParameterThatDefinesAScalarIsRefused() {
    ObjectNode n = Made.variable("n", DType.INT64);
    ObjectNode info = node("relax.TupleStructInfo", "fields", List.of(scalar(n)));
    assertRefused(
        function(relaxVariable("relax.expr.Var", "x", info)),
        "<root>.params[0].struct_info_: a scalar with a value in its type (R.Prim(value=...)) has"
            + " no counterpart in release 0.26");
    upgrade(function(relaxVariable("relax.expr.Var", "x", scalar(null))));
  }

  @Test
  void numbersInAttributesAreObjectsWhereTheReleaseHasThem() {
    ObjectNode three = node("ir.IntImm", "dtype", DType.INT32, "value", 3L);
    ObjectNode flip = node("relax.attrs.FlipAttrs", "axis", three);
    assertUpgradesTo(flip, NEW.require("relax.attrs.FlipAttrs").create(Map.of("axis", 3L)));
    assertComesBack(flip);
    assertComesBack(node("relax.attrs.StackAttrs", "axis", null));
    assertComesBack(node("relax.attrs.TileAttrs", "repeats", List.of(three, three)));
    assertComesBack(
        node("relax.attrs.ScanopAttrs", "axis", 1L, "dtype", DType.VOID, "exclusive", Made.yes()));
    assertRefused(
        node("relax.attrs.FlipAttrs", "axis", Made.text("x")),
        "<root>.axis: expected int, but got tirx.StringImm");
  }

  // ---------------------------------------------------------------- kernels

  private static ObjectNode let(ObjectNode variable, Object value, Object body) {
    return node("tir.LetStmt", "var", variable, "value", value, "body", body);
  }

  /** A kernel with statements that contain those after them. */
  private static ObjectNode nestedKernel() {
    ObjectNode a = Made.buffer("A");
    ObjectNode temporary = Made.buffer("T");
    ObjectNode handle = Made.variable("A_handle", Made.HANDLE);
    ObjectNode x = Made.variable("x", DType.FLOAT32);
    ObjectNode check =
        node(
            "tir.AssertStmt",
            "condition",
            Made.yes(),
            "message",
            Made.text("no"),
            "body",
            Made.evaluate(Made.call(DType.INT64, "tir.ret", Made.integer(0))));
    ObjectNode stores =
        node(
            "tir.SeqStmt",
            "seq",
            List.of(
                Made.store(temporary, x),
                Made.evaluate(Made.call(DType.VOID, "tir.break_loop")),
                Made.evaluate(Made.call(DType.FLOAT32, "tir.exp", Made.load(temporary, 0))),
                check));
    ObjectNode body = let(x, Made.load(a, 0), stores);
    ObjectNode declared = node("tir.DeclBuffer", "buffer", temporary, "body", body);
    ObjectNode allocation =
        Made.allocate(
            (ObjectNode) requireNonNull(Nodes.field(temporary, "data")), Made.yes(), declared);
    return Made.kernel(List.of(handle), Map.of(handle, a), Map.of("tir.noalias", true), allocation);
  }

  @Test
  void nestedStatementsAreASequence() {
    ObjectNode kernel = nestedKernel();
    Object made = upgrade(kernel);
    assertThat(Nodes.list(at(made, "body"), "seq"))
        .extracting(Nodes::key)
        .containsExactly(
            "tirx.AllocBuffer",
            "tirx.Bind",
            "tirx.BufferStore",
            "tirx.Break",
            "tirx.Evaluate",
            "tirx.AssertStmt",
            "tirx.Return");
    assertThat(at(made, "params[0].ty.storage_scope")).isEqualTo("shared");
    assertThat(at(made, "params[0]")).isSameAs(at(made, "body.seq[1].value.buffer"));
    assertThat(at(made, "body.seq[0].buffer")).isSameAs(at(made, "body.seq[2].buffer"));
    assertThat(at(made, "attrs.__dict__[\"tirx.noalias\"]")).isEqualTo(true);
    assertThat(at(made, "attrs.__dict__[\"s_tir\"]")).isEqualTo(true);
    assertThat(at(made, "body.seq[5].error_kind.value")).isEqualTo("RuntimeError");
    assertComesBack(kernel);
    Object flat = downgrade(made, TvmRelease.V0_24);
    assertEqual(made, requireNonNull(ReleaseConversion.upgrade(flat, TvmRelease.V0_24, NEW)));
    assertThat(Nodes.list(at(flat, "body"), "seq")).hasSize(7);
    assertThat(Nodes.key(at(flat, "body.seq[3].value"))).isEqualTo("tirx.Call");
    assertThat(at(flat, "attrs.__dict__")).isEqualTo(Map.of("tirx.noalias", true));
  }

  @Test
  void aPointerIsAFunctionOfItsBuffer() {
    ObjectNode a = Made.buffer("A");
    ObjectNode data = (ObjectNode) requireNonNull(Nodes.field(a, "data"));
    ObjectNode handle = Made.variable("A_handle", Made.HANDLE);
    ObjectNode view = Made.buffer("V", data, List.of(), 1);
    ObjectNode body =
        node(
            "tir.DeclBuffer",
            "buffer",
            view,
            "body",
            node(
                "tir.SeqStmt",
                "seq",
                List.of(
                    Made.store(view, Made.load(a, 0)),
                    Made.evaluate(Made.call(Made.HANDLE, "tir.address_of", data)))));
    ObjectNode kernel = Made.kernel(List.of(handle), Map.of(handle, a), Map.of(), body);
    Object made = upgrade(kernel);
    assertThat(at(made, "body.seq[0].data.op.name")).isEqualTo("tirx.buffer_data");
    assertThat(at(made, "body.seq[0].data.args[0]")).isSameAs(at(made, "params[0]"));
    assertThat(at(made, "body.seq[2].value.args[0]")).isSameAs(at(made, "body.seq[0].data"));
    assertComesBack(kernel);
    Object flat = downgrade(made, TvmRelease.V0_25);
    assertThat(at(flat, "body.seq[0].buffer.data"))
        .isSameAs(at(flat, "body.seq[1].value.buffer.data"));
    assertEqual(made, requireNonNull(ReleaseConversion.upgrade(flat, TvmRelease.V0_25, NEW)));
  }

  @Test
  void whatKernelsOfTheNewestReleaseDoNotHaveIsNamedAtOnce() {
    ObjectNode a = Made.buffer("A");
    ObjectNode data = (ObjectNode) requireNonNull(Nodes.field(a, "data"));
    ObjectNode b = Made.buffer("B", data, List.of(Made.integer(1)), 2);
    ObjectNode alone = Made.pointer("P");
    ObjectNode check =
        node(
            "tir.AssertStmt",
            "condition",
            Made.yes(),
            "message",
            Made.integer(1),
            "body",
            node(
                "tir.BufferRealize",
                "buffer",
                a,
                "bounds",
                List.of(),
                "condition",
                Made.yes(),
                "body",
                Made.evaluate(Made.integer(0))));
    ObjectNode handle = Made.variable("A_handle", Made.HANDLE);
    assertRefused(
        Made.kernel(
            List.of(handle),
            Map.of(handle, a),
            Map.of(),
            node(
                "tir.SeqStmt",
                "seq",
                List.of(Made.store(b, Made.load(a, 0)), Made.allocate(alone, Made.yes(), check)))),
        "<root>.body.seq[0].buffer: the buffer B, which shares the memory of A without a"
            + " declaration, has no counterpart in release 0.26",
        "<root>.body.seq[0].buffer.buffer_type: a buffer whose extents of 1 are repeated has no"
            + " counterpart in release 0.26",
        "<root>.body.seq[0].buffer.axis_separators: a separator of axes has no counterpart in"
            + " release 0.26",
        "<root>.body.seq[1].body.body: there is no tirx.BufferRealize in release 0.26",
        "<root>.body.seq[1]: memory that is no buffer's has no counterpart in release 0.26",
        "<root>.body.seq[1].body: a check whose message is no constant has no counterpart in"
            + " release 0.26");
  }

  @Test
  void pointersAndHandlesHaveOnePlace() {
    ObjectNode a = Made.buffer("A");
    ObjectNode data = (ObjectNode) requireNonNull(Nodes.field(a, "data"));
    assertRefused(
        Made.kernel(List.of(data), Map.of(), Map.of(), Made.store(a, Made.integer(0))),
        "<root>.params[0]: a pointer of a buffer that is not declared, as a parameter, has no"
            + " counterpart in release 0.26");
    ObjectNode handle = Made.variable("A_handle", Made.HANDLE);
    assertRefused(
        Made.kernel(List.of(handle), Map.of(handle, a), Map.of(), Made.evaluate(handle)),
        "<root>.body.value: the handle A_handle of a buffer in an expression has no counterpart"
            + " in release 0.26");
  }

  @Test
  void allocationsMustBeOfTheirBuffer() {
    ObjectNode wide =
        node(
            "tir.Buffer",
            "data",
            Made.pointer("W"),
            "dtype",
            DType.FLOAT16,
            "shape",
            List.of(Made.integer(8)),
            "strides",
            List.of(),
            "axis_separators",
            List.of(),
            "elem_offset",
            Made.integer(0),
            "name",
            "W",
            "data_alignment",
            64L,
            "offset_factor",
            1L,
            "buffer_type",
            1L);
    ObjectNode pointer = (ObjectNode) requireNonNull(Nodes.field(wide, "data"));
    assertRefused(
        Made.allocate(pointer, Made.variable("c", DType.BOOL), Made.store(wide, Made.integer(0))),
        "<root>: an allocation with a condition has no counterpart in release 0.26",
        "<root>: the memory of W, which is not of its size, has no counterpart in release 0.26");
  }

  @Test
  void checksOfOtherErrorsAreRefusedByTheFirstGeneration() {
    Object type = NEW.require("ir.PrimType").create(Map.of("dtype", DType.VOID));
    Object check =
        newNode(
            "tirx.AssertStmt",
            "span",
            null,
            "condition",
            newNode("ir.IntImm", "ty", type, "value", 1L),
            "error_kind",
            newNode("tirx.StringImm", "ty", type, "value", "ValueError"),
            "message_parts",
            List.of());
    assertThatThrownBy(() -> downgrade(check, TvmRelease.V0_22))
        .hasMessage(
            """
            objects of release 0.26 have no counterpart in release 0.22
              <root>.error_kind: a check that raises ValueError instead of RuntimeError has no\
             counterpart in release 0.22\
            """);
    downgrade(check, TvmRelease.V0_24);
  }

  private static Object newNode(String key, @Nullable Object... fields) {
    return new Target(TvmRelease.V0_26, TvmRelease.V0_22, NEW).make(key, fields);
  }

  // ---------------------------------------------------------------- depth

  @Test
  void depthIsNoLimit() {
    int depth = 20_000;
    ObjectNode x = Made.variable("x", DType.INT64);
    Object body = Made.evaluate(Made.integer(0));
    Object sum = x;
    for (int i = 0; i < depth; i++) {
      body = let(Made.variable("v", DType.INT64), x, body);
      body = i % 2 == 0 ? body : node("tir.SeqStmt", "seq", List.of(Made.evaluate(x), body));
      sum = node("tir.Add", "dtype", DType.INT64, "a", sum, "b", x);
    }
    assertThat(Nodes.list(upgrade(body), "seq")).hasSize(depth + depth / 2 + 1);
    assertComesBack(body);
    assertComesBack(sum);
    Object pointer = Made.primType(DType.INT8);
    for (int i = 0; i < depth; i++) {
      pointer = node("ir.PointerType", "element_type", pointer, "storage_scope", "");
    }
    assertComesBack(node("tir.Var", "dtype", Made.HANDLE, "name", "p", "type_annotation", pointer));
  }

  // ---------------------------------------------------------------- damage

  /** Objects whose parts are others than expected are converted, or refused with a typed error. */
  @Test
  void damagedGraphsAreTypedErrors() {
    ObjectNode param = relaxVariable("relax.expr.Var", "x", scalar(null));
    String old = new ObjectGraph(List.of(nestedKernel(), function(param))).toJson(Made.OLD);
    Object newest = upgrade(ObjectGraph.parse(old, Made.OLD).root());
    String young = new ObjectGraph(newest).toJson(NEW);
    RandomCases cases = RandomCases.of(Effort.chosen().pick(2_000, 20_000, 200_000));
    System.out.println("damaged graphs of releases: " + cases);
    int converted = 0;
    for (long number : cases.numbers().toArray()) {
      SplittableRandom random = new SplittableRandom(cases.seed() * 31 + number);
      boolean isOld = random.nextBoolean();
      String damaged = damage(isOld ? old : young, random);
      try {
        if (isOld) {
          Object root = ObjectGraph.parse(damaged, Made.OLD).root();
          ReleaseConversion.upgrade(root, TvmRelease.V0_22, NEW);
        } else {
          TvmRelease to = TvmRelease.values()[random.nextInt(3)];
          Object root = ObjectGraph.parse(damaged, NEW).root();
          ReleaseConversion.downgrade(root, to, TvmSchema.of(to).objectTypes());
        }
        converted++;
      } catch (RelaxException expected) {
        assertThat(expected.getMessage()).as(cases.repeat(number)).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError(cases.repeat(number) + "\n" + damaged, e);
      }
    }
    assertThat(converted).isPositive();
  }

  /** Another index instead of one, a few times. */
  private static String damage(String text, SplittableRandom random) {
    StringBuilder damaged = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<MatchResult> indices = INDEX.matcher(damaged).results().toList();
      MatchResult index = indices.get(random.nextInt(indices.size()));
      damaged.replace(index.start(), index.end(), Integer.toString(random.nextInt(90)));
    }
    return damaged.toString();
  }
}
