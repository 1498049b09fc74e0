package org.relaxvm.compiler.objects.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** Scalar expressions as objects, and back. */
class ScalarsTest {
  private static final CompareOptions FREE = new CompareOptions(true, false);

  /** Scalars among the expressions of the original that there are here. */
  private static final Set<String> HELD =
      Set.of(
          "var",
          "intimm",
          "intimm-bool",
          "floatimm",
          "floatimm-nan",
          "add",
          "worked-example",
          "shared",
          "div-mod",
          "truncdiv",
          "min-max",
          "select",
          "call-exp",
          "call-if");

  private final Problems problems = new Problems();
  private final ScalarReader reader = new ScalarReader(problems);
  private final NodeMaker nodes = new NodeMaker(Graphs.TYPES);
  private final ScalarWriter writer = new ScalarWriter(nodes);

  @Test
  void scalarsOfTheOriginalComeBack() throws IOException {
    Set<String> held = new TreeSet<>();
    for (Map.Entry<String, ObjectNode> entry : Graphs.expressions().entrySet()) {
      Problems found = new Problems();
      PrimExpr expr = new ScalarReader(found).read(entry.getValue(), "<root>");
      if (found.isEmpty()) {
        held.add(entry.getKey());
        ObjectNode again = Graphs.throughJson(writer.write(expr));
        assertThat(StructuralEquality.firstMismatch(entry.getValue(), again, Graphs.TYPES, FREE))
            .as(entry.getKey())
            .isEmpty();
      }
    }
    assertThat(held).containsExactlyInAnyOrderElementsOf(HELD);
  }

  @Test
  void allExpressionsComeBack() {
    List<PrimExpr> exprs = new ArrayList<>();
    Var n = Var.index("n");
    Var flag = new Var("flag", DType.BOOL);
    Var x = new Var("x", DType.FLOAT32);
    for (BinaryOp op : BinaryOp.values()) {
      boolean logical = op.kind() == BinaryOp.Kind.LOGICAL;
      exprs.add(new Binary(op, logical ? flag : n, logical ? flag : n));
    }
    for (Intrinsic op : Intrinsic.values()) {
      switch (op.rule()) {
        case CHOICE -> exprs.add(new Call(op, List.of(flag, n, n)));
        case INTEGER -> exprs.add(new Call(op, arguments(op, n)));
        case FLOAT, FLOAT_TEST -> exprs.add(new Call(op, arguments(op, x)));
        case NUMBER -> {
          exprs.add(new Call(op, arguments(op, n)));
          exprs.add(new Call(op, arguments(op, x)));
        }
      }
    }
    exprs.add(new Not(flag));
    exprs.add(new Cast(DType.FLOAT16, n));
    exprs.add(new Cast(DType.INT64, n));
    exprs.add(new Select(flag, x, new FloatImm(DType.FLOAT32, -0.0)));
    exprs.add(new FloatImm(DType.FLOAT64, Double.NEGATIVE_INFINITY));
    exprs.add(new IntImm(DType.UINT64, -2));
    exprs.add(new IntImm(DType.UINT64, Long.MAX_VALUE));
    exprs.add(new IntImm(DType.INT64, Long.MIN_VALUE));
    exprs.add(new IntImm(DType.UINT8, 255));
    // In one graph, so that each variable is one again.
    List<ObjectNode> written = new ArrayList<>();
    exprs.forEach(expr -> written.add(writer.write(expr)));
    Map<PrimExpr, PrimExpr> renamed =
        Map.of(
            n, reader.variable(writer.variable(n), "n"),
            flag, reader.variable(writer.variable(flag), "flag"),
            x, reader.variable(writer.variable(x), "x"));
    for (int i = 0; i < exprs.size(); i++) {
      assertThat(reader.read(written.get(i), "<root>")).isEqualTo(rename(exprs.get(i), renamed));
    }
    problems.throwIfAny("none is expected");
  }

  private static List<PrimExpr> arguments(Intrinsic op, PrimExpr arg) {
    return op.arity() == 1 ? List.of(arg) : List.of(arg, arg);
  }

  private static PrimExpr rename(PrimExpr expr, Map<PrimExpr, PrimExpr> renamed) {
    PrimExpr known = renamed.get(expr);
    if (known != null) {
      return known;
    }
    return expr.withOperands(
        expr.operands().stream().map(operand -> rename(operand, renamed)).toList());
  }

  @Test
  void aVariableIsOneNode() {
    Var n = Var.index("n");
    assertThat(writer.variable(n)).isSameAs(writer.write(n));
    assertThat(reader.variable(writer.variable(n), "<root>"))
        .isSameAs(reader.read(writer.write(n), "<root>"));
  }

  @Test
  void aHintOfLikelihoodIsDropped() {
    ObjectNode condition = writer.write(Exprs.lt(Var.index("n"), IntImm.of(4)));
    ObjectNode hint = writer.intrinsic("tirx.likely", DType.BOOL, List.of(condition));
    assertThat(reader.read(hint, "<root>")).isEqualTo(reader.read(condition, "<root>"));
  }

  @Test
  void bindingsWithinExpressionsAreSubstituted() {
    Var v = Var.index("v");
    Var n = Var.index("n");
    ObjectNode let =
        nodes.make(
            "tirx.Let",
            "ty",
            nodes.scalarType(DType.INT64),
            "var",
            writer.variable(v),
            "value",
            writer.write(new Binary(BinaryOp.ADD, n, IntImm.of(1))),
            "body",
            writer.write(new Binary(BinaryOp.MUL, v, v)));
    PrimExpr sum = new Binary(BinaryOp.ADD, reader.variable(writer.variable(n), "n"), IntImm.of(1));
    assertThat(reader.read(let, "<root>")).isEqualTo(new Binary(BinaryOp.MUL, sum, sum));
    problems.throwIfAny("none is expected");
  }

  @Test
  void allProblemsAreSaidWithTheirPaths() {
    ObjectNode vector =
        nodes.make(
            "tirx.Broadcast",
            "ty",
            nodes.scalarType(new DType(DType.INT64.code(), 64, 4)),
            "value",
            writer.write(IntImm.of(1)),
            "lanes",
            writer.write(IntImm.of(4)));
    ObjectNode call = writer.intrinsic("tirx.clz", DType.INT64, List.of());
    ObjectNode sum =
        nodes.make("tirx.Add", "ty", nodes.scalarType(DType.INT64), "a", vector, "b", call);
    ObjectNode mixed =
        nodes.make(
            "tirx.Min",
            "ty",
            nodes.scalarType(DType.INT64),
            "a",
            writer.write(IntImm.of(1)),
            "b",
            writer.write(new IntImm(DType.INT32, 1)));
    ObjectNode large = nodes.make("ir.IntImm", "ty", nodes.scalarType(DType.INT8), "value", 1000L);
    ObjectNode both =
        nodes.make("tirx.Max", "ty", nodes.scalarType(DType.INT64), "a", sum, "b", mixed);
    PrimExpr unused = reader.read(both, "<root>");
    PrimExpr unusedLarge = reader.read(large, "<other>");
    assertThat(unused.dtype()).isEqualTo(DType.INT64);
    assertThat(unusedLarge.dtype()).isEqualTo(DType.INT8);
    assertThatThrownBy(() -> problems.throwIfAny("cannot read:"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            cannot read:
              <root>.a.a: tirx.Broadcast cannot be held
              <root>.a.b: a call of tirx.clz cannot be held
              <root>.b: min needs operands of one dtype, but got int64 and int32
              <other>: the constant 1000 does not fit int8\
            """);
  }

  @Test
  void callsHaveTheirArguments() {
    PrimExpr unused = reader.read(writer.intrinsic("tirx.exp", DType.FLOAT32, List.of()), "<root>");
    assertThat(unused.dtype()).isEqualTo(DType.FLOAT32);
    assertThatThrownBy(() -> problems.throwIfAny("cannot read:"))
        .hasMessage("cannot read:\n  <root>: exp takes 1 argument, but got 0");
  }

  @Test
  void whatIsNestedTooDeepOrTooLargeIsAProblem() {
    PrimExpr deep = Var.index("n");
    for (int i = 0; i < 300; i++) {
      deep = new Binary(BinaryOp.ADD, deep, IntImm.of(1));
    }
    PrimExpr unusedDeep = reader.read(writer.write(deep), "<root>");
    ObjectNode doubled = writer.write(Var.index("n"));
    for (int i = 0; i < 40; i++) {
      doubled =
          nodes.make("tirx.Add", "ty", nodes.scalarType(DType.INT64), "a", doubled, "b", doubled);
    }
    PrimExpr unusedLarge = reader.read(doubled, "<large>");
    assertThat(unusedDeep.dtype()).isEqualTo(unusedLarge.dtype());
    assertThatThrownBy(() -> problems.throwIfAny("cannot read:"))
        .hasMessageContaining(": expressions are nested more than 256 deep")
        .hasMessageContaining(
            ": the kernels and scalars of the module have more than 4000000 parts");
  }
}
