package org.relaxvm.compiler.pass.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.assertEqual;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;

class LowerRuntimeBuiltinTest {
  private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 3, 4);
  private static final OpDef RESHAPE =
      OpDef.named("reshape")
          .args("x", "shape")
          .rule(call -> call.tensor(0).withDims(call.dims(1).orElseThrow()))
          .build();

  /** A program whose only binding is made of a tensor, an object and a shape. */
  private static IRModule program(Function<List<RelaxVar>, Expr> value) {
    return main(
        List.of(Kernels.onesTrailing()),
        f -> {
          RelaxVar x = f.param("x", TYPE);
          RelaxVar object = f.param("object", AnyType.ANY);
          RelaxVar i = f.param("i", TensorType.of(DType.INT64, 2));
          return f.emit("y", value.apply(List.of(x, object, i)));
        });
  }

  private static void becomes(
      Function<List<RelaxVar>, Expr> before, Function<List<RelaxVar>, Expr> after) {
    IRModule start = program(before);
    IRModule lowered = Lowering.run(new LowerRuntimeBuiltin(), start);
    IRModule expected = program(after);
    assertThat(main(lowered).resultType()).isEqualTo(main(start).resultType());
    assertEqual(
        lowered.with(
            new GlobalVar("main"),
            main(lowered).withBody(main(lowered).body(), main(expected).resultType())),
        expected);
  }

  private static Call packed(String name, Type result, Expr... args) {
    return Call.packed(name, List.of(args), List.of(result));
  }

  @Test
  void aCallWithSizesAfterTheTensorsIsSpread() {
    GlobalVar ones = new GlobalVar("fused_ones_cast");
    becomes(
        v -> Call.of(CallOps.CALL_TIR_DYN, ones, Tuple.of(v.get(0), ShapeExpr.of(3, 4))),
        v -> packed("vm.builtin.call_tir_dyn", TupleType.VOID, ones, v.get(0), ShapeExpr.of(3, 4)));
  }

  @Test
  void reshapeKeepsItsType() {
    TensorType type = TensorType.of(DType.FLOAT32, 6, 2);
    becomes(
        v -> Call.of(RESHAPE, v.get(0), ShapeExpr.of(6, 2)),
        v -> packed("vm.builtin.reshape", type, v.get(0), ShapeExpr.of(6, 2)));
  }

  @Test
  void shapesOfTensorsAndTensorsAsShapes() {
    becomes(
        v -> ValueOps.shapeOf(v.get(0)),
        v ->
            packed(
                "vm.builtin.shape_of",
                ShapeType.of(List.of(IntImm.of(3), IntImm.of(4))),
                v.get(0)));
    becomes(
        v -> Call.of(ValueOps.TENSOR_TO_SHAPE, v.get(2)),
        v -> packed("vm.builtin.tensor_to_shape", ShapeType.ofRank(2), v.get(2)));
  }

  @Test
  void aMoveNamesTheDeviceByNumbers() {
    Attrs attrs = Attrs.of("dst_vdevice", "cuda:1:global");
    Type onDevice =
        ValueOps.TO_VDEVICE.infer(
            Call.of(ValueOps.TO_VDEVICE, List.of(new RelaxVar("x", TYPE)), attrs),
            new BlockBuilder());
    becomes(
        v -> Call.of(ValueOps.TO_VDEVICE, List.of(v.get(0)), attrs),
        v ->
            packed(
                "vm.builtin.to_device",
                onDevice,
                v.get(0),
                PrimValue.of(2),
                PrimValue.of(1),
                new StringImm("global")));
  }

  @Test
  void closuresAreMadeAndCalledByBuiltins() {
    GlobalVar ones = new GlobalVar("fused_ones_cast");
    becomes(
        v -> Call.of(CallOps.MAKE_CLOSURE, ones, Tuple.of(v.get(0))),
        v -> packed("vm.builtin.make_closure", AnyType.ANY, ones, v.get(0)));
    becomes(
        v ->
            Call.of(
                CallOps.INVOKE_CLOSURE,
                List.of(v.get(1), Tuple.of(v.get(0))),
                Attrs.NONE,
                List.of(TYPE)),
        v -> CallOps.withContext("vm.builtin.invoke_closure", List.of(v.get(1), v.get(0)), TYPE));
  }

  @Test
  void aClosureWithoutResultGivesAnything() {
    IRModule program =
        program(
            v ->
                Call.of(
                    CallOps.INVOKE_CLOSURE,
                    List.of(v.get(1), Tuple.EMPTY),
                    Attrs.NONE,
                    List.of(TupleType.VOID)));
    Binding binding =
        main(Lowering.run(new LowerRuntimeBuiltin(), program))
            .body()
            .bindings()
            .findFirst()
            .orElseThrow();
    assertThat(((Call) binding.value()).typeArgs()).containsExactly(AnyType.ANY);
  }

  @Test
  void aFunctionOfTheHostLanguageGetsOneTuple() {
    StringImm name = new StringImm("f");
    becomes(
        v ->
            Call.of(
                CallOps.CALL_PY_FUNC, List.of(name, Tuple.of(v.get(0))), Attrs.NONE, List.of(TYPE)),
        v -> packed("vm.builtin.call_py_func", TYPE, Tuple.of(name, Tuple.of(v.get(0)))));
  }

  @Test
  void storageIsCountedInBytes() {
    becomes(
        v -> MemoryOps.allocStorage(IntImm.of(48), 0, "global", DType.FLOAT32),
        v ->
            Call.of(
                MemoryOps.VM_ALLOC_STORAGE,
                ShapeExpr.of(48),
                PrimValue.of(0),
                new DataTypeImm(DType.UINT8),
                new StringImm("global")));
    becomes(
        v -> MemoryOps.allocTensor(v.get(1), 0, ShapeExpr.of(3, 4), DType.FLOAT32, 0),
        v ->
            Call.of(
                MemoryOps.VM_ALLOC_TENSOR,
                v.get(1),
                PrimValue.of(0),
                ShapeExpr.of(3, 4),
                new DataTypeImm(DType.FLOAT32),
                PrimValue.of(0)));
  }

  @Test
  void theEndOfUseIsOneOperator() {
    becomes(
        v -> Call.of(MemoryOps.KILL_STORAGE, v.get(1)),
        v -> Call.of(MemoryOps.KILL_OBJECT, v.get(1)));
    becomes(
        v -> Call.of(MemoryOps.KILL_TENSOR, v.get(0)),
        v -> Call.of(MemoryOps.KILL_OBJECT, v.get(0)));
  }

  @Test
  void viewsWithAnotherShapeAreReshapes() {
    TensorType type = TensorType.of(DType.FLOAT32, 12);
    becomes(
        v -> Call.of(MemoryOps.VIEW, v.get(0), ShapeExpr.of(12), Tuple.EMPTY, Tuple.EMPTY),
        v -> packed("vm.builtin.reshape", type, v.get(0), ShapeExpr.of(12)));
    becomes(
        v -> Call.of(MemoryOps.ENSURE_ZERO_OFFSET, v.get(0)),
        v -> packed("vm.builtin.ensure_zero_offset", TYPE, v.get(0)));
  }

  @Test
  void otherViewsSayAllOfTheView() {
    TensorType type = TYPE.withDType(Optional.of(DType.INT32));
    DataTypeImm ints = new DataTypeImm(DType.INT32);
    ShapeExpr all = new ShapeExpr(TYPE.dims().orElseThrow());
    becomes(
        v -> Call.of(MemoryOps.VIEW, v.get(0), Tuple.EMPTY, ints, Tuple.EMPTY),
        v -> packed("runtime.TVMTensorCreateView", type, v.get(0), all, ints, PrimValue.of(0)));
    becomes(
        v -> Call.of(MemoryOps.VIEW, v.get(0), ShapeExpr.of(2), Tuple.EMPTY, PrimValue.of(8)),
        v ->
            packed(
                "runtime.TVMTensorCreateView",
                TensorType.of(DType.FLOAT32, 2),
                v.get(0),
                ShapeExpr.of(2),
                new DataTypeImm(DType.FLOAT32),
                PrimValue.of(8)));
  }

  @Test
  void whatOnlyAPackedFunctionComputesIsACallOfThat() {
    becomes(
        v -> Call.of(ValueOps.PRINT, new StringImm("{}"), v.get(0)),
        v -> packed("relax.run.print", TupleType.VOID, new StringImm("{}"), v.get(0)));
    becomes(
        v -> Call.of(ValueOps.ASSERT, v.get(1), new StringImm("no")),
        v -> packed("relax.run.assert_op", TupleType.VOID, v.get(1), new StringImm("no")));
  }

  @Test
  void tensorsOfTheHostAreCopiedToTheDevice() {
    IRModule start = program(v -> Call.of(ValueOps.SHAPE_TO_TENSOR, ShapeExpr.of(3, 4)));
    assertThat(bindings(Lowering.run(new LowerRuntimeBuiltin(), start)))
        .containsSubsequence(
            "host = R.call_packed(\"relax.run.shape_to_tensor\", R.shape([3, 4]))",
            "y = R.call_packed(\"relaxvm.on_device\", host)");
  }

  private static List<String> bindings(IRModule module) {
    return main(module).body().blocks().stream()
        .flatMap(block -> block.bindings().stream())
        .map(Object::toString)
        .toList();
  }

  @Test
  void tensorsWithoutStorageAreRefused() {
    IRModule program =
        program(
            v ->
                Call.of(
                    MemoryOps.BUILTIN_ALLOC_TENSOR,
                    ShapeExpr.of(2),
                    new DataTypeImm(DType.INT8),
                    PrimValue.of(0),
                    new StringImm("global")));
    assertThatThrownBy(() -> Lowering.run(new LowerRuntimeBuiltin(), program))
        .hasMessage(
            "builtin.alloc_tensor: the VM makes tensors in storage; run LowerAllocTensor first; the"
                + " program has R.builtin.alloc_tensor(R.shape([2]), R.dtype(\"int8\"),"
                + " R.prim_value(0), R.str(\"global\"))\n"
                + "  at function main, y = R.builtin.alloc_tensor(R.shape([2]), R.dtype(\"int8\"),"
                + " R.prim_value(0), R.str(\"global\"))");
  }

  @Test
  void aReshapeToWhatIsNoShapeIsRefused() {
    OpDef loose = OpDef.named("reshape").args("x", "shape").rule(call -> call.tensor(0)).build();
    IRModule program = program(v -> Call.of(loose, v.get(0), v.get(1)));
    assertThatThrownBy(() -> Lowering.run(new LowerRuntimeBuiltin(), program))
        .hasMessage(
            "reshape: the argument shape must be a shape; the program has R.Any\n"
                + "  at function main, y = R.reshape(x, object)");
  }
}
