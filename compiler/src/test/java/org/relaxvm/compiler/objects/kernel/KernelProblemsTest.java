package org.relaxvm.compiler.objects.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.tir.text.TirText;

/** What the kernel IR cannot hold is said, all at once. */
class KernelProblemsTest {
  private final NodeMaker nodes = new NodeMaker(Graphs.TYPES);
  private final KernelNodes k = new KernelNodes(nodes);
  private final ObjectNode a = k.buffer("A", DType.FLOAT32, k.int64(4));
  private final ObjectNode i = k.var("i", DType.INT64);
  private final ObjectNode plain = k.store(a, k.load(a, DType.FLOAT32, k.int64(0)), k.int64(1));

  private void assertProblems(ObjectNode kernel, String... lines) {
    Problems problems = new Problems();
    assertThat(KernelReader.read("f", kernel, new ScalarReader(problems), problems, "<root>"))
        .isEmpty();
    assertThatThrownBy(() -> problems.throwIfAny("cannot read:"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("cannot read:\n  <root>" + String.join("\n  <root>", lines));
  }

  @Test
  void statements() {
    ObjectNode yes = nodes.make("ir.IntImm", "ty", nodes.scalarType(DType.BOOL), "value", 1L);
    ObjectNode alias = k.buffer("B", DType.FLOAT32, k.int64(4));
    ObjectNode temporary = k.buffer("T", DType.FLOAT32, k.int64(4));
    ObjectNode allocation =
        k.statement("AllocBuffer", "buffer", temporary, "annotations", Map.of());
    assertProblems(
        k.kernel(
            k.seq(
                k.statement("While", "condition", yes, "body", k.evaluate(k.text("s"))),
                k.statement("DeclBuffer", "buffer", alias, "data", i),
                k.store(alias, k.load(a, DType.FLOAT32, k.int64(0)), k.int64(1)),
                k.statement("AttrStmt", "node", "x", "attr_key", "key", "value", i, "body", plain),
                k.statement(
                    "AssertStmt",
                    "condition",
                    yes,
                    "error_kind",
                    k.text("ValueError"),
                    "message_parts",
                    List.of()),
                k.evaluate(k.call("tirx.call_extern", DType.INT32, k.text("g"))),
                k.loop(i, k.int64(4), plain, k.int64(2)),
                k.loop(i, k.int32(4), k.seq(allocation, k.store(temporary, i, k.int64(0))))),
            a),
        ".body.seq[0]: tirx.While cannot be held",
        ".body.seq[0].body: an expression as a statement cannot be held",
        ".body.seq[1]: tirx.DeclBuffer cannot be held",
        ".body.seq[3]: tirx.AttrStmt cannot be held",
        ".body.seq[4]: tirx.AssertStmt cannot be held",
        ".body.seq[5].value: a call of tirx.call_extern cannot be held",
        ".body.seq[6].step: a loop with a step other than 1 cannot be held",
        ".body.seq[7].body.seq[0]: tirx.AllocBuffer within a loop or branch cannot be held",
        ".body.seq[7].body.seq[1]: the buffer T holds float32, but the value to store is int64");
  }

  @Test
  void buffers() {
    ObjectNode layout =
        nodes.make("tirx.TileLayout", "shard", List.of(), "replica", List.of(), "offset", Map.of());
    List<ObjectNode> shape = List.of(k.int64(4));
    assertProblems(
        k.kernel(
            plain,
            a,
            k.bufferIn("shared.dyn", "B", DType.FLOAT32, k.int64(4)),
            k.buffer("C", new DType(DType.FLOAT32.code(), 32, 4), k.int64(4)),
            k.buffer("D", DType.FLOAT32, shape, "strides", List.of(k.int64(1), k.int64(1))),
            k.buffer("E", DType.FLOAT32, shape, "layout", layout),
            k.buffer("F", DType.FLOAT32, shape, "data_alignment", 128L),
            k.buffer("G", DType.FLOAT32, shape, "allocated_addr", List.of(k.int64(0))),
            k.buffer("H", DType.FLOAT32, List.of(k.text("n"))),
            k.text("no parameter")),
        ".params[1].ty.storage_scope: the memory scope 'shared.dyn' cannot be held; there are:"
            + " global, shared, local",
        ".params[2]: the buffer C cannot be of dtype float32x4\n  what there is: bool, int8 to"
            + " int64, uint8 to uint64, float8_e4m3fn, float8_e5m2, float16, bfloat16, float32,"
            + " float64",
        ".params[3]: the buffer D has 1 axis, but 2 strides",
        ".params[4].ty.layout: a layout that is not row-major cannot be held",
        ".params[5].ty.data_alignment: an alignment of 128 bytes cannot be held; there is at most"
            + " 64",
        ".params[6].ty.allocated_addr: an address cannot be held",
        ".params[7].ty.shape[0]: tirx.StringImm cannot be held",
        ".params[8]: expected a scalar variable");
  }

  @Test
  void aLayoutThatIsRowMajorIsHeld() {
    ObjectNode memory = nodes.make("tirx.Axis", "name", "m");
    ObjectNode n = k.var("n", DType.INT64);
    List<ObjectNode> shards =
        List.of(
            nodes.make("tirx.Iter", "extent", k.int64(4), "stride", n, "axis", memory),
            nodes.make("tirx.Iter", "extent", n, "stride", k.int64(1), "axis", memory));
    ObjectNode layout =
        nodes.make("tirx.TileLayout", "shard", shards, "replica", List.of(), "offset", Map.of());
    ObjectNode b = k.buffer("B", DType.FLOAT32, List.of(k.int64(4), n), "layout", layout);
    assertThat(print(k.kernel(plain, a, b))).contains("B: T.Buffer((4, n), \"float32\")");
    assertProblems(
        k.kernel(plain, a, k.buffer("C", DType.FLOAT32, List.of(n, k.int64(4)), "layout", layout)),
        ".params[1].ty.layout: a layout that is not row-major cannot be held");
  }

  @Test
  void attributesAndResults() {
    ObjectNode kernel =
        nodes.make(
            "tirx.PrimFunc",
            "attrs",
            nodes.make("ir.DictAttrs", "__dict__", Map.of("list", List.of(1L))),
            "params",
            List.of(a),
            "ret_type",
            nodes.make("relax.AnyType"),
            "body",
            k.statement("Return", "value", k.text("s")));
    assertProblems(
        kernel,
        ".attrs.__dict__[\"list\"]: a value of ffi.Array cannot be held by name",
        ".ret_type: a result of relax.AnyType cannot be held",
        ".body.value: tirx.StringImm cannot be held");
  }

  @Test
  void callsOfPackedFunctions() {
    ObjectNode unknown = k.buffer("B", DType.FLOAT32, k.int64(4));
    assertProblems(
        k.kernel(
            k.seq(
                k.evaluate(k.call("tirx.tvm_call_packed", DType.INT32, i)),
                k.evaluate(k.call("tirx.tvm_call_packed", DType.INT32, k.text("g"), unknown)),
                k.evaluate(
                    k.call("tirx.anylist_setitem_call_packed", DType.INT32, i, i, k.text("g")))),
            a),
        ".body.seq[0].value.args[0]: expected the name of the function",
        ".body.seq[1].value.args[1]: the buffer is not defined",
        ".body.seq[2].value.args[0]: expected a handle that is a parameter");
  }

  @Test
  void anotherObjectIsNoKernel() {
    assertProblems(a, ": expected tirx.PrimFunc, but got ir.Var");
  }

  @Test
  void statementsNestedTooDeep() {
    ObjectNode deep = plain;
    List<ObjectNode> many = new ArrayList<>();
    for (int depth = 0; depth < 300; depth++) {
      deep = k.loop(k.var("i", DType.INT64), k.int64(1), deep);
      many.add(k.statement("Bind", "var", k.var("v", DType.INT64), "value", k.int64(1)));
    }
    many.add(plain);
    assertProblems(
        k.kernel(deep, a), ".body".repeat(257) + ": statements are nested more than 256 deep");
    assertProblems(
        k.kernel(k.statement("SeqStmt", "seq", List.copyOf(many)), a),
        ".body.seq[300]: statements are nested more than 256 deep");
  }

  @Test
  void allocationsOutsideOfBlocksAreThoseOfTheRoot() {
    ObjectNode temporary = k.buffer("B", DType.FLOAT32, k.int64(4));
    ObjectNode kernel =
        k.kernel(
            k.seq(
                k.statement("AllocBuffer", "buffer", temporary, "annotations", Map.of()),
                k.store(temporary, k.load(a, DType.FLOAT32, k.int64(0)), k.int64(1)),
                k.evaluate(k.int32(0))),
            a);
    assertThat(print(kernel))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                with T.block("root"):
                    B = T.alloc_buffer((4,), "float32")
                    B[1] = A[0]
                    pass
            """);
  }

  @Test
  void constantsAreValuesOfAttributes() {
    ObjectNode yes = nodes.make("ir.IntImm", "ty", nodes.scalarType(DType.BOOL), "value", 1L);
    Map<String, Object> attrs = Map.of("global_symbol", k.text("f"), "yes", yes);
    assertThat(print(k.kernel(attrs, plain, a)))
        .contains("T.func_attr({\"yes\": True})", "def f(", "@T.prim_func\n");
  }

  private static @Nullable String print(ObjectNode kernel) {
    Problems problems = new Problems();
    String text =
        KernelReader.read("f", kernel, new ScalarReader(problems), problems, "<root>")
            .map(TirText::print)
            .orElse(null);
    problems.throwIfAny("none is expected");
    return text;
  }
}
