package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.addOne;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.main;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;
import static org.relaxvm.compiler.pass.simplify.Programs.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class FoldConstantTest {
  private static final FoldConstant FOLD = new FoldConstant();
  private static final GlobalVar ADD_ONE = new GlobalVar("add_one");
  private static final KernelFunction KERNEL = addOne("add_one", List.of(IntImm.of(4)));

  /** An operator that a kernel computes. */
  private static final OpDef NEGATIVE =
      OpDef.named("negative")
          .args("x")
          .rule(call -> call.tensor(0))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "negative",
                      call,
                      KernelBody.one((k, inputs) -> UnaryOps.negative(k, "T", inputs.tensor(0)))))
          .build();

  /** An operator that makes ones of a shape. */
  private static final OpDef ONES =
      OpDef.named("ones")
          .args("shape")
          .rule(
              call ->
                  call.dims(0)
                      .map(dims -> TensorType.of(DType.FLOAT32, dims))
                      .orElseGet(() -> TensorType.ofRank(DType.FLOAT32, call.shape(0).ndim())))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "ones",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              k.compute(
                                  "T", inputs.resultDims(0), i -> new FloatImm(DType.FLOAT32, 1)))))
          .build();

  private static Constant constant(float... values) {
    return new Constant(Tensor.of(values, Shape.of(values.length)));
  }

  private static Call addOneTo(Expr arg) {
    return CallOps.callTir(ADD_ONE, List.of(arg), VECTOR);
  }

  private static IRModule withKernel(Function<FunctionBuilder, Expr> body) {
    return withKernel(KERNEL, body);
  }

  private static IRModule withKernel(KernelFunction kernel, Function<FunctionBuilder, Expr> body) {
    return program(
        b -> {
          b.put(new GlobalVar(kernel.kernel().name()), kernel);
          b.function("main", body);
        });
  }

  @Test
  void foldsACallOfAKernel() {
    assertBecomes(
        FOLD,
        withKernel(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return pure("multiply", addOneTo(constant(1, 2, 3, 4)), x);
            }),
        withKernel(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return pure("multiply", constant(2, 3, 4, 5), x);
            }));
  }

  @Test
  void foldsChainsAndResults() {
    assertBecomes(
        FOLD,
        withKernel(f -> f.dataflow(() -> addOneTo(addOneTo(constant(1, 2, 3, 4))))),
        withKernel(f -> constant(3, 4, 5, 6)));
  }

  @Test
  void foldsKernelsOfSeveralOutputsAndTheirFields() {
    KernelBuilder k = new KernelBuilder("both");
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(IntImm.of(2)));
    PrimFunc both = k.build(UnaryOps.negative(k, "B", a), UnaryOps.abs(k, "C", a));
    TensorType pair = TensorType.of(DType.FLOAT32, 2);
    KernelFunction kernel = new KernelFunction(both);
    assertBecomes(
        FOLD,
        withKernel(
            kernel,
            f -> {
              RelaxVar out =
                  f.emit(
                      CallOps.callTir(
                          new GlobalVar("both"),
                          List.of(constant(1, -1)),
                          TupleType.of(pair, pair)));
              return pure("f", f.emit(new TupleGetItem(out, 1)), f.param("x", VECTOR));
            }),
        withKernel(kernel, f -> pure("f", constant(1, 1), f.param("x", VECTOR))));
  }

  @Test
  void foldsKernelsOfSymbolicExtentsAndKeepsVirtualDevices() {
    Var n = Var.index("n");
    VDevice vdevice = new VDevice("cuda", 0, "global");
    IRModule folded =
        run(
            FOLD,
            withKernel(
                addOne("add_one", List.of(n)),
                f ->
                    CallOps.callTir(
                        ADD_ONE,
                        List.of(constant(1, 2, 3, 4)),
                        VECTOR.withVDevice(Optional.of(vdevice)))));
    Expr result = folded.relaxFunctions().firstEntry().getValue().body().body();
    assertThat(result).isInstanceOf(Constant.class);
    assertThat(((Constant) result).tensorType())
        .hasToString("R.Tensor((4,), dtype=\"float32\", vdevice=\"cuda:0:global\")");
    assertThat(((Constant) result).data().toFloatArray()).containsExactly(2, 3, 4, 5);
  }

  @Test
  void foldsOperatorsOnlyInDataflowBlocks() {
    assertBecomes(
        FOLD,
        main(
            f -> {
              RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, 2));
              RelaxVar inside = f.dataflow(() -> pure("f", Call.of(NEGATIVE, constant(1, 2)), x));
              return pure("g", inside, Call.of(NEGATIVE, constant(1, 2)));
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, 2));
              RelaxVar inside = f.dataflow(() -> pure("f", constant(-1, -2), x));
              return pure("g", inside, Call.of(NEGATIVE, constant(1, 2)));
            }));
  }

  @Test
  void operatorsOfUnknownValuesStayAsTheyAre() {
    IRModule module =
        main(
            f -> {
              RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, 2));
              return f.dataflow(() -> Call.of(NEGATIVE, x));
            });
    assertBecomes(FOLD, module, module);
  }

  @Test
  void makesNoLargeConstantsOfNothing() {
    IRModule large = main(f -> f.dataflow(() -> Call.of(ONES, ShapeExpr.of(5, 205))));
    assertBecomes(FOLD, large, large);
    IRModule folded = run(FOLD, main(f -> f.dataflow(() -> Call.of(ONES, ShapeExpr.of(4, 256)))));
    Expr result = folded.relaxFunctions().firstEntry().getValue().body().body();
    assertThat(result).hasToString("R.const(R.Tensor((4, 256), dtype=\"float32\"))");
  }

  @Test
  void convertsShapesToTensorsAndBack() {
    assertBecomes(
        FOLD,
        main(
            f ->
                f.dataflow(
                    () ->
                        Call.of(
                            ValueOps.TENSOR_TO_SHAPE,
                            Call.of(ValueOps.SHAPE_TO_TENSOR, ShapeExpr.of(2, 3))))),
        main(f -> f.dataflow(() -> ShapeExpr.of(2, 3))));
    Var n = Var.index("n");
    IRModule symbolic =
        main(
            f -> {
              f.param("s", ShapeType.of(List.of(n)));
              return f.dataflow(() -> Call.of(ValueOps.SHAPE_TO_TENSOR, ShapeExpr.of(n)));
            });
    assertBecomes(FOLD, symbolic, symbolic);
    IRModule negative =
        main(
            f ->
                f.dataflow(
                    () ->
                        Call.of(
                            ValueOps.TENSOR_TO_SHAPE,
                            new Constant(Tensor.of(new long[] {-1}, Shape.of(1))))));
    assertBecomes(FOLD, negative, negative);
  }

  @Test
  void operatorsSeeTheShapesThatVariablesAreBoundTo() {
    Var n = Var.index("n");
    assertBecomes(
        FOLD,
        main(
            f -> {
              f.param("x", TensorType.of(DType.FLOAT32, n));
              return Call.of(ONES, f.emit(ShapeExpr.of(n, 2)));
            }),
        main(
            f -> {
              f.param("x", TensorType.of(DType.FLOAT32, n));
              return Call.of(ONES, ShapeExpr.of(n, 2));
            }));
  }

  @Test
  void doesNotFoldCallsWithScalars() {
    KernelBuilder k = new KernelBuilder("scale");
    TensorExpr a = k.input("A", DType.FLOAT32, VECTOR.dims().orElseThrow());
    Var s = k.scalar("s", DType.INT64);
    PrimFunc scale =
        k.build(k.compute("B", a.shape(), i -> Exprs.mul(a.at(i), Exprs.cast(DType.FLOAT32, s))));
    IRModule module =
        withKernel(
            new KernelFunction(scale),
            f ->
                CallOps.callTir(
                    new GlobalVar("scale"),
                    List.of(constant(1, 2, 3, 4), PrimValue.of(3)),
                    VECTOR));
    assertBecomes(FOLD, module, module);
  }

  @Test
  void doesNotFoldWhatOnlyARunningProgramCanDo() {
    Buffer in = Buffer.of("A", DType.FLOAT32, VECTOR.dims().orElseThrow());
    Buffer out = Buffer.of("B", DType.FLOAT32, VECTOR.dims().orElseThrow());
    PrimFunc packed =
        PrimFunc.of(
            "add_one",
            List.of(in, out),
            new CallPacked(
                "library", List.of(new PackedArg.OfBuffer(in), new PackedArg.OfBuffer(out))));
    IRModule module = withKernel(new KernelFunction(packed), f -> addOneTo(constant(1, 2, 3, 4)));
    assertBecomes(FOLD, module, module);
  }

  @Test
  void doesNotFoldWhatTakesTooLong() {
    IRModule module = withKernel(f -> addOneTo(constant(1, 2, 3, 4)));
    assertBecomes(new FoldConstant(3), module, module);
    assertBecomes(new FoldConstant(4), module, withKernel(f -> constant(2, 3, 4, 5)));
  }

  private static Expr chain(Expr first, int calls) {
    Expr result = first;
    for (int i = 0; i < calls; i++) {
      result = addOneTo(result);
    }
    return result;
  }

  @Test
  void allCallsOfAModuleTakeSixteenTimesAsLongAsOneAtMost() {
    IRModule module = withKernel(f -> f.dataflow(() -> chain(constant(1, 2, 3, 4), 20)));
    IRModule folded = withKernel(f -> f.dataflow(() -> chain(constant(17, 18, 19, 20), 4)));
    assertBecomes(new FoldConstant(4), module, folded);
  }

  /** A loop around one that never runs stores nothing, and takes its time all the same. */
  @Test
  void iterationsWithoutStoresTakeTime() {
    Buffer in = Buffer.of("A", DType.FLOAT32, VECTOR.dims().orElseThrow());
    Buffer out = Buffer.of("B", DType.FLOAT32, VECTOR.dims().orElseThrow());
    Stmt store = new BufferStore(out, new FloatImm(DType.FLOAT32, 1), List.of(IntImm.of(0)));
    Stmt never = For.serial(Var.index("j"), IntImm.of(0), store);
    PrimFunc idle =
        PrimFunc.of(
            "add_one", List.of(in, out), For.serial(Var.index("i"), IntImm.of(1L << 40), never));
    IRModule module = withKernel(new KernelFunction(idle), f -> addOneTo(constant(1, 2, 3, 4)));
    assertBecomes(FOLD, module, module);
  }

  @Test
  void whatGoesWrongGoesWrongWhenTheProgramRuns() {
    KernelBuilder k = new KernelBuilder("divide");
    TensorExpr a = k.input("A", DType.INT64, List.of(IntImm.of(1)));
    PrimFunc divide =
        k.build(k.compute("B", a.shape(), i -> Exprs.floorDiv(IntImm.of(1), a.at(i))));
    IRModule module =
        withKernel(
            new KernelFunction(divide),
            f ->
                CallOps.callTir(
                    new GlobalVar("divide"),
                    List.of(new Constant(Tensor.of(new long[] {0}, Shape.of(1)))),
                    TensorType.of(DType.INT64, 1)));
    assertBecomes(FOLD, module, module);
  }
}
