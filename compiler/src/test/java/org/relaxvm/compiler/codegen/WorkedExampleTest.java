package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The program of docs/spec/vm-codegen.md, section 6, whose output has two symbolic extents. */
class WorkedExampleTest {
  private static IRModule program(KernelFunction kernel, boolean trailing) {
    BlockBuilder builder = new BlockBuilder();
    GlobalVar ones = builder.addFunction(kernel, "fused_ones_cast");
    Var d = Var.index("d");
    Var p = Var.index("p");
    List<PrimValue> sizes = List.of(new PrimValue(d), new PrimValue(p));
    TensorType result = TensorType.of(DType.INT64, d, p);
    builder.function(
        "main",
        f -> {
          f.param("shape_d", TensorType.of(DType.INT32, d, p));
          List<Expr> args =
              trailing
                  ? List.of(ones, Tuple.EMPTY, ShapeExpr.of(d, p))
                  : List.of(ones, new Tuple(List.copyOf(sizes)));
          return f.dataflow(() -> Call.of(CallOps.CALL_TIR, args, Attrs.NONE, List.of(result)));
        });
    return builder.module();
  }

  private static final String START =
      """
      @main:
        call  vm.builtin.alloc_shape_heap in: %vm, i3      dst: %1
        call  vm.builtin.check_tensor_info in: %0, i2, c[0], c[1] dst: %void
        call  vm.builtin.match_shape in: %0, %1, i2, i1, i0, i1, i1, c[1] dst: %void
        call  shape_func       in: %1           dst: %void
        call  vm.builtin.make_shape in: %1, i1, i1, i2 dst: %2
        call  vm.builtin.alloc_storage in: %vm, %2, i0, c[2], c[3] dst: %3
        call  vm.builtin.make_shape in: %1, i2, i1, i0, i1, i1 dst: %4
        call  vm.builtin.alloc_tensor in: %3, i0, %4, c[4] dst: %5
        call  vm.builtin.null_value in:              dst: %3
      """;
  private static final String END =
      """
        call  vm.builtin.match_shape in: %5, %1, i2, i3, i0, i3, i1, c[5] dst: %void
        ret   %5
      """;

  @Test
  void sizesAfterTheOutputGoThroughOneShape() {
    Program program = ProgramBuilder.build(Lowering.lower(program(Kernels.onesTrailing(), true)));
    assertThat(ExecutableText.asText(program.executable()))
        .startsWith(
            START
                + """
                  call  vm.builtin.make_shape in: %1, i2, i1, i0, i1, i1 dst: %6
                  call  vm.builtin.call_tir_dyn in: f[fused_ones_cast], %5, %6 dst: %void
                """
                + END);
    runs(program);
  }

  @Test
  void sizesAmongTheInputsAreNumbers() {
    Program program = ProgramBuilder.build(Lowering.lower(program(Kernels.onesInline(), false)));
    assertThat(ExecutableText.asText(program.executable()))
        .startsWith(
            START
                + """
                  call  vm.builtin.make_prim_value in: %1, i1, i0   dst: %6
                  call  vm.builtin.make_prim_value in: %1, i1, i1   dst: %7
                  call  fused_ones_cast  in: %6, %7, %5   dst: %void
                """
                + END);
    runs(program);
  }

  @Test
  void constantsAreInTheOrderOfTheirUse() {
    Program program = ProgramBuilder.build(Lowering.lower(program(Kernels.onesInline(), false)));
    assertThat(program.executable().constants())
        .containsExactly(
            DType.INT32,
            "ErrorContext(fn=main, loc=param[0], param=shape_d,"
                + " annotation=R.Tensor((d, p), dtype=\"int32\")) ",
            DType.UINT8,
            "global",
            DType.INT64,
            "ErrorContext(fn=main, loc=return, annotation=R.Tensor((d, p), dtype=\"int64\")) ");
  }

  private static void runs(Program program) {
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Tensor small = Tensor.zeros(DType.INT32, Shape.of(2, 3));
        Tensor empty = Tensor.zeros(DType.INT32, Shape.of(0, 5));
        Tensor ones = vm.function("main").call(small).asTensor();
        Tensor none = vm.function("main").call(empty).asTensor()) {
      assertThat(ones.shape()).isEqualTo(Shape.of(2, 3));
      assertThat(ones.toLongArray()).containsExactly(1, 1, 1, 1, 1, 1);
      assertThat(none.shape()).isEqualTo(Shape.of(0, 5));
      assertThat(none.dtype()).isEqualTo(DType.INT64);
    }
  }
}
