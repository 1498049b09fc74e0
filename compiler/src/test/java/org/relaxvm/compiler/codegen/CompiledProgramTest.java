package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.program.TensorSpec;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs from call_tir to results, in both modes of execution (VC-15). */
@ParameterizedClass
@EnumSource(ExecMode.class)
class CompiledProgramTest {
  @Parameter private ExecMode mode = ExecMode.BYTECODE;

  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);
  private static final TensorType NUMBER = TensorType.of(DType.INT32);

  private final BlockBuilder builder = new BlockBuilder();
  private final GlobalVar add = builder.addFunction(Kernels.add(), "add");
  private final GlobalVar twice = builder.addFunction(Kernels.scale("twice", 2), "twice");
  private final GlobalVar both = builder.addFunction(Kernels.twoAndThree(), "two_and_three");

  private Program program() {
    return ProgramBuilder.build(Lowering.lower(builder.module()), mode, metadata -> {});
  }

  private static VirtualMachine vm(Program program) {
    return VirtualMachine.builder(program).device("cpu").build();
  }

  private static Tensor vector(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  @Test
  void chainsOfKernelsComputeWithSymbolicExtents() {
    Var n = Var.index("n");
    TensorType type = TensorType.of(DType.FLOAT32, n);
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", type);
          return f.dataflow(
              () -> {
                RelaxVar y = f.emit(CallOps.callTir(twice, List.of(x), type));
                RelaxVar pair = f.emit(CallOps.callTir(both, List.of(y), TupleType.of(type, type)));
                return CallOps.callTir(
                    add, List.of(new TupleGetItem(pair, 0), new TupleGetItem(pair, 1)), type);
              });
        });
    try (VirtualMachine vm = vm(program());
        Tensor three = vector(1, 2, 3);
        Tensor none = vector();
        Tensor result = vm.function("main").call(three).asTensor();
        Tensor empty = vm.function("main").call(none).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(10, 20, 30);
      assertThat(empty.shape()).isEqualTo(Shape.of(0));
    }
  }

  @Test
  void choicesAndRecursionCompute() {
    GlobalVar isZero = builder.addFunction(Kernels.isZero(), "is_zero");
    GlobalVar decrement = builder.addFunction(Kernels.decrement(), "decrement");
    try (Tensor ones = vector(1, 1, 1, 1)) {
      builder.function(
          "main",
          f -> {
            RelaxVar x = f.param("x", FOUR);
            RelaxVar k = f.param("k", NUMBER);
            f.returns(FOUR);
            RelaxVar stop = f.emit(CallOps.callTir(isZero, List.of(k), TensorType.of(DType.BOOL)));
            return f.choose(
                stop,
                () -> new Constant(ones),
                () -> {
                  RelaxVar less = f.emit(CallOps.callTir(decrement, List.of(k), NUMBER));
                  RelaxVar below = f.emit(Call.of(f.self(), x, less));
                  return f.emit(CallOps.callTir(add, List.of(x, below), FOUR));
                });
          });
      try (VirtualMachine vm = vm(program());
          Tensor x = vector(1, 2, 3, 4);
          Tensor five = Tensor.of(new int[] {5}, Shape.of());
          Tensor result = vm.function("main").call(x, five).asTensor()) {
        assertThat(result.toFloatArray()).containsExactly(6, 11, 16, 21);
      }
    }
  }

  @Test
  void nestedTuplesAreResults() {
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", FOUR);
          RelaxVar y = f.emit(CallOps.callTir(twice, List.of(x), FOUR));
          return f.emit(Tuple.of(y, Tuple.of(x, y)));
        });
    Program program = program();
    assertThat(program.metadata().outputs()).isEmpty();
    try (VirtualMachine vm = vm(program);
        Tensor x = vector(1, 2, 3, 4);
        Value result = vm.function("main").call(x)) {
      assertThat(result.asTuple().fields()).hasSize(2);
    }
  }

  @Test
  void numbersAreComputedOnTheHost() {
    Var n = Var.index("n");
    PrimExpr even = Exprs.eq(Exprs.floorMod(n, 2), IntImm.of(0));
    builder.function(
        "main",
        f -> {
          f.impure();
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n));
          f.emit("_", Call.of(ValueOps.ASSERT, new PrimValue(even), new StringImm("n is odd")));
          return x;
        });
    try (VirtualMachine vm = vm(program());
        Tensor two = vector(1, 2);
        Tensor three = vector(1, 2, 3);
        Tensor result = vm.function("main").call(two).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(1, 2);
      assertThatThrownBy(() -> vm.function("main").call(three)).hasMessageContaining("n is odd");
    }
  }

  @Test
  void argumentsAndCastsAreChecked() {
    Var n = Var.index("n");
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n));
          RelaxVar y = f.param("y", TensorType.ofRank(DType.FLOAT32, 1));
          RelaxVar same = f.matchCast(y, TensorType.of(DType.FLOAT32, n));
          return f.emit(CallOps.callTir(add, List.of(x, same), TensorType.of(DType.FLOAT32, n)));
        });
    try (VirtualMachine vm = vm(program());
        Tensor two = vector(1, 2);
        Tensor three = vector(1, 2, 3);
        Tensor matrix = Tensor.zeros(DType.FLOAT32, Shape.of(1, 2));
        Tensor result = vm.function("main").call(two, two).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(2, 4);
      assertThatThrownBy(() -> vm.function("main").call(matrix, two))
          .hasMessageStartingWith(
              "argument 'x' of main: the tensor has 2 dimensions, expected 1\n"
                  + "  declared: R.Tensor((n,), dtype=\"float32\")\n");
      assertThatThrownBy(() -> vm.function("main").call(two, three))
          .hasMessageStartingWith(
              "the value of match_cast: dimension 0 is 3, expected 2, the value of the same symbol"
                  + " before\n  got: shape [3]\n  declared: R.Tensor((n,), dtype=\"float32\")\n");
    }
  }

  @Test
  void closuresKeepTheirLastArguments() {
    GlobalVar sum =
        builder.function(
            "sum",
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar captured = f.param("captured", FOUR);
              return f.emit(CallOps.callTir(add, List.of(x, captured), FOUR));
            });
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", FOUR);
          RelaxVar y = f.emit(CallOps.callTir(twice, List.of(x), FOUR));
          RelaxVar closure = f.emit(Call.of(CallOps.MAKE_CLOSURE, sum, Tuple.of(y)));
          RelaxVar called =
              f.emit(
                  Call.of(
                      CallOps.INVOKE_PURE_CLOSURE,
                      List.of(closure, Tuple.of(x)),
                      Attrs.NONE,
                      List.of(FOUR)));
          return f.emit(CallOps.callTir(twice, List.of(called), FOUR));
        });
    try (VirtualMachine vm = vm(program());
        Tensor x = vector(1, 2, 3, 4);
        Tensor result = vm.function("main").call(x).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(6, 12, 18, 24);
    }
  }

  @Test
  void functionsWithoutResultCanBeCalled() {
    GlobalVar nothing =
        builder.function(
            "nothing",
            f -> {
              f.param("x", FOUR);
              return Tuple.EMPTY;
            });
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", FOUR);
          f.emit("_", Call.of(nothing, x));
          return x;
        });
    builder.function("none", f -> f.emit(ValueOps.nullValue()));
    try (VirtualMachine vm = vm(program());
        Tensor x = vector(1, 2, 3, 4);
        Tensor result = vm.function("main").call(x).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(1, 2, 3, 4);
      assertThat(vm.function("none").call().isNull()).isTrue();
    }
  }

  @Test
  void extentsAreComputedOnTheHostAndTensorsWhereTheProgramRuns() {
    Var n = Var.index("n");
    TensorType type = TensorType.of(DType.FLOAT32, n);
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", type);
          f.emit("_", Call.packed("use", List.of(ShapeExpr.of(n)), List.of(TupleType.VOID)));
          return f.emit(CallOps.callTir(twice, List.of(x), type));
        });
    Program program = program();
    org.assertj.core.groups.Tuple kernels = tuple("", List.of("add", "twice", "two_and_three"));
    assertThat(program.modules())
        .extracting(KernelModule::device, module -> module.image().symbols())
        .containsExactly(
            mode == ExecMode.BYTECODE
                ? new org.assertj.core.groups.Tuple[] {kernels, tuple("cpu", List.of("shape_func"))}
                : new org.assertj.core.groups.Tuple[] {
                  tuple("cpu", List.of("__vmtir__main", "shape_func")), kernels
                });
    assertThat(program.requiredFunctions()).contains("use", "twice", "shape_func");
  }

  @Test
  void theTypesOfMainDescribeTheProgram() {
    Var n = Var.index("n");
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n, 4));
          f.param("y", TensorType.of(DType.INT64, Exprs.add(n, 1)));
          RelaxVar z = f.param("z", TensorType.ofRank(DType.BOOL, 1));
          return Tuple.of(x, z);
        });
    Program program =
        ProgramBuilder.build(
            Lowering.lower(builder.module()), mode, metadata -> metadata.name("pairs"));
    assertThat(program.metadata().name()).isEqualTo("pairs");
    assertThat(program.metadata().inputs())
        .extracting(TensorSpec::toString)
        .containsExactly("x: float32[n, 4]", "y: int64[computed]", "z: bool[any]");
    assertThat(program.metadata().outputs())
        .extracting(TensorSpec::toString)
        .containsExactly("output0: float32[n, 4]", "output1: bool[any1]");
  }

  @Test
  void aCompiledProgramRunsAfterItWasWrittenAndRead(@TempDir Path folder) {
    Var n = Var.index("n");
    TensorType type = TensorType.of(DType.FLOAT32, n);
    builder.function(
        "main", f -> f.emit(CallOps.callTir(twice, List.of(f.param("x", type)), type)));
    Path file = folder.resolve("twice.rvm");
    RvmWriter.write(program(), file);
    try (VirtualMachine vm = vm(Program.load(file));
        Tensor x = vector(1, 2, 3);
        Tensor result = vm.function("main").call(x).asTensor()) {
      assertThat(result.toFloatArray()).containsExactly(2, 4, 6);
    }
  }
}
