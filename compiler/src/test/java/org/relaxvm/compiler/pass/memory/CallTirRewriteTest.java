package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.assertEqual;
import static org.relaxvm.compiler.Programs.lines;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.Programs;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.Var;

class CallTirRewriteTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);
  private static final GlobalVar ADD = new GlobalVar("add");

  private static IRModule run(IRModule module) {
    return Lowering.run(new CallTirRewrite(), module);
  }

  private static Call alloc(TensorType type, Object... dims) {
    return Call.of(
        MemoryOps.BUILTIN_ALLOC_TENSOR,
        List.of(
            ShapeExpr.of(dims),
            new DataTypeImm(type.dtype().orElseThrow()),
            PrimValue.of(0),
            new StringImm("global")),
        Attrs.NONE,
        List.of(type));
  }

  @Test
  void anOutputGetsMemoryThatFollowsTheInputs() {
    Var n = Var.index("n");
    TensorType type = TensorType.of(DType.FLOAT32, n);
    IRModule program =
        main(
            List.of(Kernels.add()),
            f -> {
              RelaxVar x = f.param("x", type);
              return f.emit(CallOps.callTir(ADD, List.of(x, x), type));
            });
    Var m = Var.index("m");
    TensorType other = TensorType.of(DType.FLOAT32, m);
    IRModule expected =
        main(
            List.of(Kernels.add()),
            f -> {
              RelaxVar x = f.param("x", other);
              RelaxVar memory = f.emit("alloc", alloc(other, m));
              f.emit("_", Call.of(ADD, x, x, memory));
              return f.emit(memory);
            });
    assertEqual(run(program), expected);
  }

  @Test
  void severalOutputsAreATupleOfTheirMemory() {
    GlobalVar kernel = new GlobalVar("two_and_three");
    IRModule program =
        main(
            List.of(Kernels.twoAndThree()),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar both = f.emit(CallOps.callTir(kernel, List.of(x), TupleType.of(FOUR, FOUR)));
              return new TupleGetItem(both, 1);
            });
    IRModule expected =
        main(
            List.of(Kernels.twoAndThree()),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar two = f.emit("alloc", alloc(FOUR, 4));
              RelaxVar three = f.emit("alloc", alloc(FOUR, 4));
              f.emit("_", Call.of(kernel, x, two, three));
              return new TupleGetItem(f.emit(Tuple.of(two, three)), 1);
            });
    assertEqual(run(program), expected);
  }

  @Test
  void nestedOutputsKeepTheirNesting() {
    Type nested = TupleType.of(FOUR, TupleType.of(FOUR, FOUR));
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              return f.emit(CallOps.callDpsPacked("three", List.of(x), nested));
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "alloc = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), R.prim_value(0),"
                + " R.str(\"global\"))",
            "alloc1 = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), R.prim_value(0),"
                + " R.str(\"global\"))",
            "alloc2 = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), R.prim_value(0),"
                + " R.str(\"global\"))",
            "_ = R.call_packed(\"three\", x, alloc, alloc1, alloc2)",
            "gv = (alloc, (alloc1, alloc2))",
            "return gv");
    assertThat(main(run(program)).resultType()).isEqualTo(nested);
  }

  @Test
  void anOutputInPlaceIsItsInput() {
    Call call =
        Call.of(
            CallOps.CALL_TIR_INPLACE,
            List.of(new GlobalVar("two_and_three"), new Tuple(List.of())),
            Attrs.of("inplace_indices", List.of(0, -1)),
            List.of(TupleType.of(FOUR, FOUR)));
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              return f.emit(call.withArgs(List.of(new ExternFunc("k"), Tuple.of(x))));
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "alloc = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), R.prim_value(0),"
                + " R.str(\"global\"))",
            "_ = R.call_packed(\"k\", x, alloc)",
            "gv = (x, alloc)",
            "return gv");
  }

  @Test
  void theOnlyOutputInPlaceNeedsNoMemory() {
    IRModule program =
        main(
            List.of(Kernels.scale("twice", 2)),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar y = f.param("y", FOUR);
              List<Expr> args = List.of(new GlobalVar("twice"), Tuple.of(x, y));
              return f.emit(
                  Call.of(
                      CallOps.CALL_TIR_INPLACE,
                      args,
                      Attrs.of("inplace_indices", List.of(1)),
                      List.of(FOUR)));
            });
    assertThat(lines(main(run(program))))
        .containsExactly("_ = cls.twice(x, y)", "gv = y", "return gv");
  }

  @Test
  void sizesAfterTheTensorsGoThroughTheBuiltin() {
    Var d = Var.index("d");
    Var p = Var.index("p");
    TensorType type = TensorType.of(DType.INT64, d, p);
    GlobalVar ones = new GlobalVar("fused_ones_cast");
    IRModule program =
        main(
            List.of(Kernels.onesTrailing()),
            f -> {
              f.param("x", type);
              List<Expr> args = List.of(ones, Tuple.EMPTY, ShapeExpr.of(d, p));
              return f.emit(Call.of(CallOps.CALL_TIR, args, Attrs.NONE, List.of(type)));
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "alloc = R.builtin.alloc_tensor(R.shape([d, p]), R.dtype(\"int64\"), R.prim_value(0),"
                + " R.str(\"global\"))",
            "_ = R.vm.call_tir_dyn(cls.fused_ones_cast, (alloc, R.shape([d, p])))",
            "gv = alloc",
            "return gv");
  }

  @Test
  void memoryIsOnTheVirtualDeviceOfTheOutput() {
    VDevice texture = new VDevice("opencl", 0, "global.texture");
    VDevice plain = new VDevice("opencl", 0, "global");
    TensorType type = FOUR.withVDevice(Optional.of(texture));
    IRModule program = program(type, List.of(plain, texture));
    assertThat(lines(main(run(program))).getFirst())
        .isEqualTo(
            "alloc = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), R.prim_value(1),"
                + " R.str(\"global.texture\"))");
    assertThat(main(run(program)).resultType()).isEqualTo(type);
  }

  @Test
  void withoutAVirtualDeviceMemoryIsOnTheFirstGlobalOne() {
    VDevice texture = new VDevice("opencl", 0, "global.texture");
    VDevice plain = new VDevice("opencl", 0, "global");
    assertThat(lines(main(run(program(FOUR, List.of(texture, plain))))).getFirst())
        .isEqualTo(
            "alloc = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), R.prim_value(1),"
                + " R.str(\"global\"))");
  }

  @Test
  void aVirtualDeviceThatTheModuleLacksIsRefused() {
    TensorType type = FOUR.withVDevice(Optional.of(new VDevice("cuda", 1, "global")));
    IRModule program = program(type, List.of(new VDevice("cuda", 0, "global")));
    assertThatThrownBy(() -> run(program))
        .hasMessage(
            "the output R.Tensor((4,), dtype=\"float32\", vdevice=\"cuda:1:global\") is on a"
                + " virtual device that the module does not have; its virtual devices are"
                + " [cuda:0:global]\n"
                + "  at function main, gv = R.call_tir(cls.add, (x, x))");
  }

  private static IRModule program(TensorType result, List<VDevice> vdevices) {
    IRModule program =
        Programs.main(
            List.of(Kernels.add()),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              return f.emit(CallOps.callTir(ADD, List.of(x, x), result));
            });
    return new IRModule(program.functions(), program.attrs(), vdevices);
  }
}
