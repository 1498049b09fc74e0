package org.relaxvm.compiler.pass.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.assertEqual;
import static org.relaxvm.compiler.Programs.main;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.Programs;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;

class VMShapeLowerTest {
  private static final Var N = Var.index("n");
  private static final Var M = Var.index("m");
  private static final Var K = Var.index("k");

  private static IRModule run(IRModule module) {
    return Lowering.run(new VMShapeLower(), module);
  }

  private static IRModule lowered(Function<FunctionBuilder, Expr> body) {
    return run(main(List.of(), body));
  }

  /** The lines of a function, with contexts and the prefix of builtins left out. */
  private static List<String> lines(IRModule module) {
    List<String> lines = new ArrayList<>();
    for (String line : Programs.lines(main(module))) {
      lines.add(
          line.replaceAll(", R\\.str\\(\"ErrorContext.*\\) \"\\)\\)", ")")
              .replaceAll("R\\.call_packed\\(\"vm\\.builtin\\.([a-z_]*)\", ", "$1(")
              .replaceAll("R\\.prim_value\\(([a-z0-9-]*)\\)", "$1")
              .replaceAll("^( *)_[0-9]* = ", "$1"));
    }
    return lines;
  }

  private static String shapeFunction(IRModule module, String name) {
    return TirText.print(((KernelFunction) module.require(new GlobalVar(name))).kernel());
  }

  private static TensorType tensor(Object... dims) {
    return TensorType.of(DType.FLOAT32, dims);
  }

  private static void use(FunctionBuilder f, Expr... args) {
    f.emit("_", Call.packed("use", List.of(args), List.of(TupleType.VOID)));
  }

  private static final String HEAP =
      "shape_heap = R.call_builtin_with_ctx(R.ExternFunc(\"vm.builtin.alloc_shape_heap\"), (";

  @Test
  void withoutErrorContextsChecksGetAnEmptyText() {
    IRModule module =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", tensor(N, 2));
              f.matchCast(x, tensor(K, 2));
              return ShapeExpr.of(K);
            });
    assertThat(String.join("\n", Programs.lines(main(run(module)))))
        .contains("ErrorContext(fn=main, loc=param[0], param=x, ", "ErrorContext(match_cast, ");
    IRModule plain = new VMShapeLower().run(module, PassContext.DEFAULT.withErrorContexts(false));
    String lines = String.join("\n", Programs.lines(main(plain)));
    assertThat(lines)
        .doesNotContain("ErrorContext")
        .contains("R.prim_value(2), R.dtype(\"float32\"), R.str(\"\")")
        .containsPattern("vm\\.builtin\\.match_shape.*, R\\.str\\(\"\"\\)");
  }

  @Test
  void theExampleOfTheSpecification() {
    IRModule module =
        lowered(
            f -> {
              f.param("x", tensor(N, M));
              RelaxVar y = f.param("y", TensorType.ofRank(Optional.empty(), 3));
              f.matchCast(y, TensorType.of(Optional.empty(), List.of(K, M, Exprs.add(K, 1))));
              return ShapeExpr.of(Exprs.add(K, 1), M, 2);
            });
    assertThat(lines(module))
        .containsExactly(
            HEAP + "4,))",
            "check_tensor_info(x, 2, R.dtype(\"float32\"))",
            "gv = R.null_value()",
            "check_tensor_info(y, 3, gv)",
            "match_shape(x, shape_heap, 2, 1, 0, 1, 1)",
            "match_shape(y, shape_heap, 3, 1, 2, 3, 1, 2, 0)",
            "cls.shape_func(shape_heap)",
            "match_shape(y, shape_heap, 3, 3, 2, 3, 1, 3, 3)",
            "gv = R.match_cast(y, R.Tensor((k, m, k + 1)))",
            "gv1 = make_shape(shape_heap, 3, 1, 3, 1, 1, 0, 2)",
            "return gv1");
    assertThat(shapeFunction(module, "shape_func"))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def shape_func(H: T.Buffer((4,), "int64")):
                T.func_attr({"tirx.is_host_func": True})
                H[3] = H[2] + 1
            """);
  }

  @Test
  void callsSayWhatTheyGive() {
    TensorType type = tensor(N, 4);
    IRModule module =
        lowered(
            f -> {
              f.param("x", type);
              return f.emit("s", ShapeExpr.of(N, 4));
            });
    StringImm context =
        new StringImm(
            "ErrorContext(fn=main, loc=param[0], param=x,"
                + " annotation=R.Tensor((n, 4), dtype=\"float32\")) ");
    StringImm result =
        new StringImm("ErrorContext(fn=main, loc=return, annotation=R.Shape([n, 4])) ");
    IRModule expected =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", type);
              RelaxVar heap =
                  f.emit(
                      CallOps.withContext(
                          "vm.builtin.alloc_shape_heap",
                          List.of(PrimValue.of(1)),
                          TensorType.ofRank(DType.INT64, 1)));
              packed(f, "check_tensor_info", x, number(2), new DataTypeImm(DType.FLOAT32), context);
              packed(
                  f,
                  "match_shape",
                  x,
                  heap,
                  number(2),
                  number(1),
                  number(0),
                  number(0),
                  number(4),
                  context);
              RelaxVar s =
                  f.emit(
                      Call.packed(
                          "vm.builtin.make_shape",
                          List.of(heap, number(2), number(1), number(0), number(0), number(4)),
                          List.of(ShapeType.ofRank(2))));
              packed(
                  f,
                  "match_shape",
                  s,
                  heap,
                  number(2),
                  number(3),
                  number(0),
                  number(0),
                  number(4),
                  result);
              return s;
            });
    RelaxFunction promised = main(module);
    assertThat(promised.resultType()).isEqualTo(ShapeType.of(tensorDims(type)));
    assertEqual(
        module.with(new GlobalVar("main"), promised.withBody(promised.body(), ShapeType.ofRank(2))),
        expected);
  }

  private static List<PrimExpr> tensorDims(TensorType type) {
    return type.dims().orElseThrow();
  }

  private static PrimValue number(long value) {
    return PrimValue.of(value);
  }

  private static void packed(FunctionBuilder f, String builtin, Expr... args) {
    f.emit("_", Call.packed("vm.builtin." + builtin, List.of(args), List.of(TupleType.VOID)));
  }

  @Test
  void constantExtentsAreComparedWithoutHeap() {
    assertThat(lines(lowered(f -> f.param("x", tensor(3, 4)))))
        .containsExactly(
            "shape_heap = R.null_value()",
            "check_tensor_info(x, 2, R.dtype(\"float32\"))",
            "match_shape(x, shape_heap, 2, 0, 3, 0, 4)",
            "return x");
  }

  @Test
  void aTensorWithoutAxesHasNoExtentsToCompare() {
    assertThat(lines(lowered(f -> f.param("x", tensor()))))
        .containsExactly(
            "shape_heap = R.null_value()",
            "check_tensor_info(x, 0, R.dtype(\"float32\"))",
            "return x");
  }

  @Test
  void aVariableThatIsThereTwiceIsStoredAndCompared() {
    assertThat(lines(lowered(f -> f.param("x", tensor(N, N)))))
        .contains("match_shape(x, shape_heap, 2, 1, 0, 3, 0)");
  }

  @Test
  void anExpressionOfALaterVariableIsComparedInASecondRound() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      f.param("x", tensor(Exprs.add(N, 1)));
                      return f.param("y", tensor(N));
                    })))
        .containsExactly(
            HEAP + "2,))",
            "check_tensor_info(x, 1, R.dtype(\"float32\"))",
            "check_tensor_info(y, 1, R.dtype(\"float32\"))",
            "match_shape(y, shape_heap, 1, 1, 1)",
            "cls.shape_func(shape_heap)",
            "match_shape(x, shape_heap, 1, 3, 0)",
            "return y");
  }

  @Test
  void anExpressionOfWhichNothingSaysTheVariableIsRefused() {
    assertThatThrownBy(() -> lowered(f -> f.param("x", tensor(Exprs.add(N, 1)))))
        .hasMessage(
            "the extent n + 1 cannot be computed here, for nothing says what n is; expected each"
                + " variable to stand alone as an extent of a parameter, or of a match_cast before"
                + "\n  at function main");
  }

  @Test
  void fieldsOfTuplesAreCheckedOneByOne() {
    Type type = TupleType.of(tensor(N), TupleType.of(tensor(3), AnyType.ANY));
    assertThat(
            lines(
                lowered(
                    f -> {
                      f.param("x", type);
                      return PrimValue.of(0);
                    })))
        .containsExactly(
            HEAP + "1,))",
            "check_tuple_info(x, 2)",
            "gv = x[0]",
            "check_tensor_info(gv, 1, R.dtype(\"float32\"))",
            "gv1 = x[1]",
            "check_tuple_info(gv1, 2)",
            "gv2 = gv1[0]",
            "check_tensor_info(gv2, 1, R.dtype(\"float32\"))",
            "match_shape(gv, shape_heap, 1, 1, 0)",
            "match_shape(gv2, shape_heap, 1, 0, 3)",
            "return 0");
  }

  @Test
  void whatIsNoTupleForSureIsOpenedByTheBuiltin() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      RelaxVar x = f.param("x", AnyType.ANY);
                      return f.matchCast(x, TupleType.of(tensor(3)));
                    })))
        .contains(
            "check_tuple_info(x, 1)",
            "gv = tuple_getitem(x, 0)",
            "check_tensor_info(gv, 1, R.dtype(\"float32\"))",
            "match_shape(gv, shape_heap, 1, 0, 3)");
  }

  @Test
  void aTupleOfAnotherSizeIsRefused() {
    assertThatThrownBy(
            () ->
                run(
                    main(List.of(), f -> f.param("x", TupleType.of(tensor(3))))
                        .with(
                            new GlobalVar("other"),
                            new RelaxFunction(
                                List.of(),
                                new SeqExpr(
                                    List.of(),
                                    Tuple.of(PrimValue.of(1)),
                                    Optional.of(TupleType.of(new PrimType(DType.INT64)))),
                                TupleType.of(AnyType.ANY, AnyType.ANY),
                                true,
                                Attrs.NONE))))
        .hasMessage(
            "the value (R.prim_value(1),) can never be R.Tuple(R.Any, R.Any), for it is"
                + " R.Tuple(R.Prim(\"int64\"))\n  at function other");
  }

  @Test
  void aResultIsComparedOnlyAsFarAsItIsNotProven() {
    IRModule module =
        lowered(
            f -> {
              RelaxVar x = f.param("x", tensor(N, M));
              RelaxVar y =
                  f.emit(
                      "y",
                      Call.packed("f", List.of(x), List.of(TensorType.ofRank(DType.FLOAT32, 2))));
              f.returns(TupleType.of(tensor(N, M), tensor(Exprs.mul(N, N), 2)));
              return Tuple.of(x, y);
            });
    assertThat(lines(module))
        .containsExactly(
            HEAP + "3,))",
            "check_tensor_info(x, 2, R.dtype(\"float32\"))",
            "match_shape(x, shape_heap, 2, 1, 0, 1, 1)",
            "cls.shape_func(shape_heap)",
            "y = R.call_packed(\"f\", x)",
            "match_shape(y, shape_heap, 2, 3, 2, 0, 2)",
            "return (x, y)");
    assertThat(shapeFunction(module, "shape_func")).contains("H[2] = H[0] * H[0]\n");
    assertThat(main(module).resultType())
        .isEqualTo(TupleType.of(tensor(N, M), tensor(Exprs.mul(N, N), 2)));
  }

  @Test
  void aResultThatIsAnythingIsCheckedWholly() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      RelaxVar x = f.param("x", AnyType.ANY);
                      f.returns(tensor(3));
                      return x;
                    })))
        .containsExactly(
            "shape_heap = R.null_value()",
            "check_tensor_info(x, 1, R.dtype(\"float32\"))",
            "match_shape(x, shape_heap, 1, 0, 3)",
            "return x");
  }

  @Test
  void weightsOfConstantExtentsAreNotLookedAt() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      f.attr("num_input", 1);
                      RelaxVar x = f.param("x", tensor(3));
                      f.param("w", tensor(4));
                      f.param("v", tensor(4, N));
                      f.param("u", TensorType.ofRank(DType.FLOAT32, 1));
                      return x;
                    })))
        .containsExactly(
            HEAP + "1,))",
            "check_tensor_info(x, 1, R.dtype(\"float32\"))",
            "check_tensor_info(v, 2, R.dtype(\"float32\"))",
            "check_tensor_info(u, 1, R.dtype(\"float32\"))",
            "match_shape(x, shape_heap, 1, 0, 3)",
            "match_shape(v, shape_heap, 2, 0, 4, 1, 0)",
            "return x");
  }

  @Test
  void functionsNumbersAndShapesAreCheckedByKind() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      f.param("f", FuncType.packed());
                      f.param("i", new PrimType(DType.INT32));
                      f.param("s", ShapeType.of(List.of(N, N)));
                      f.param("t", ShapeType.unknown());
                      f.param("a", AnyType.ANY);
                      return PrimValue.of(0);
                    })))
        .containsExactly(
            HEAP + "1,))",
            "check_func_info(f)",
            "check_prim_value_info(i, R.dtype(\"int32\"))",
            "check_shape_info(s, 2)",
            "check_shape_info(t, -1)",
            "match_shape(s, shape_heap, 2, 1, 0, 3, 0)",
            "return 0");
  }

  @Test
  void unknownRankAndDtypeAreMinusOneAndNull() {
    assertThat(lines(lowered(f -> f.param("x", TensorType.unknown()))))
        .containsExactly(
            "shape_heap = R.null_value()",
            "gv = R.null_value()",
            "check_tensor_info(x, -1, gv)",
            "return x");
  }

  @Test
  void aShapeThatAVariableHoldsCannotBeCompared() {
    assertThatThrownBy(
            () ->
                lowered(
                    f -> {
                      RelaxVar s = f.param("s", ShapeType.ofRank(2));
                      return f.param("x", TensorType.of(Optional.of(DType.INT8), s));
                    }))
        .hasMessage(
            "a value cannot be compared with the shape that the variable s holds; expected extents,"
                + " but the type is R.Tensor(s, dtype=\"int8\")\n  at function main");
  }

  @Test
  void numbersComeFromTheHeapAndConstantsStay() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      RelaxVar x = f.param("x", tensor(N));
                      use(f, new PrimValue(N), PrimValue.of(3), ShapeExpr.of(2), ShapeExpr.of(N));
                      return x;
                    })))
        .containsExactly(
            HEAP + "1,))",
            "check_tensor_info(x, 1, R.dtype(\"float32\"))",
            "match_shape(x, shape_heap, 1, 1, 0)",
            "gv = make_prim_value(shape_heap, 1, 0)",
            "gv1 = make_shape(shape_heap, 1, 1, 0)",
            "R.call_packed(\"use\", gv, 3, R.shape([2]), gv1)",
            "return x");
  }

  @Test
  void whatNothingUsesNeedsNoSlot() {
    assertThat(
            lines(
                lowered(
                    f -> {
                      RelaxVar x = f.param("x", tensor(N));
                      RelaxVar dead = f.emit("dead", new PrimValue(Exprs.add(K, 1)));
                      f.emit("deader", Tuple.of(dead, ShapeExpr.of(K)));
                      return x;
                    })))
        .containsExactly(
            HEAP + "1,))",
            "check_tensor_info(x, 1, R.dtype(\"float32\"))",
            "match_shape(x, shape_heap, 1, 1, 0)",
            "return x");
  }

  @Test
  void aNumberThatIsNoIntegerDoesNotFitTheHeap() {
    Var half = new Var("half", DType.FLOAT32);
    assertThatThrownBy(
            () ->
                lowered(
                    f -> {
                      use(f, new PrimValue(half));
                      return Tuple.EMPTY;
                    }))
        .hasMessage(
            "the number half is float32, but the heap of extents holds integers; run"
                + " ComputePrimValue first\n  at function main");
  }

  @Test
  void eachBranchMaySayWhatAVariableIs() {
    IRModule module =
        lowered(
            f -> {
              RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
              RelaxVar x = f.param("x", TensorType.ofRank(DType.FLOAT32, 1));
              RelaxVar y = f.param("y", TensorType.ofRank(DType.FLOAT32, 1));
              return f.choose(
                  c,
                  () -> {
                    f.matchCast(x, tensor(K));
                    use(f, ShapeExpr.of(Exprs.add(K, 1)));
                    return x;
                  },
                  () -> {
                    f.matchCast(y, tensor(K));
                    use(f, ShapeExpr.of(Exprs.add(K, 1)));
                    return y;
                  });
            });
    assertThat(lines(module))
        .containsExactly(
            HEAP + "2,))",
            "check_tensor_info(c, 0, R.dtype(\"bool\"))",
            "check_tensor_info(x, 1, R.dtype(\"float32\"))",
            "check_tensor_info(y, 1, R.dtype(\"float32\"))",
            "gv2 = if c: ... else: ...",
            "  match_shape(x, shape_heap, 1, 1, 0)",
            "  cls.shape_func(shape_heap)",
            "  gv = R.match_cast(x, R.Tensor((k,), dtype=\"float32\"))",
            "  gv1 = make_shape(shape_heap, 1, 1, 1)",
            "  R.call_packed(\"use\", gv1)",
            "  return x",
            "else:",
            "  match_shape(y, shape_heap, 1, 1, 0)",
            "  cls.shape_func(shape_heap)",
            "  gv1 = R.match_cast(y, R.Tensor((k,), dtype=\"float32\"))",
            "  gv2 = make_shape(shape_heap, 1, 1, 1)",
            "  R.call_packed(\"use\", gv2)",
            "  return y",
            "return gv2");
  }

  @Test
  void contextsSayWhichPartIsViolated() {
    IRModule module =
        lowered(
            f -> {
              RelaxVar x = f.param("x", AnyType.ANY);
              RelaxVar y = f.matchCast(x, tensor(3));
              use(f, y, ValueOps.nullValue());
              f.returns(tensor(3, 3));
              return x;
            });
    assertThat(Programs.lines(main(module)))
        .filteredOn(line -> line.contains("check_tensor_info"))
        .containsExactly(
            "_ = R.call_packed(\"vm.builtin.check_tensor_info\", x, R.prim_value(1),"
                + " R.dtype(\"float32\"), R.str(\"ErrorContext(match_cast,"
                + " ty=R.Tensor((3,), dtype=\"float32\")) \"))",
            "_2 = R.call_packed(\"vm.builtin.check_tensor_info\", x, R.prim_value(2),"
                + " R.dtype(\"float32\"), R.str(\"ErrorContext(fn=main, loc=return,"
                + " annotation=R.Tensor((3, 3), dtype=\"float32\")) \"))");
  }
}
