package org.relaxvm.backendcpu.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.library.LibraryCall;
import org.relaxvm.tir.library.LibraryFormula;

/** Which calls of the library run as machine code, and which kernels are kept for them. */
class FormulaLibraryTest {
  @BeforeEach
  void machineCodeRuns() {
    assumeTrue(MachineCode.current().isAvailable(), MachineCode.current().reason());
  }

  @Test
  void aCallRunsAsMachineCode() {
    FormulaLibrary library = library("all");
    Tensor out = floats(0, 0, 0);
    assertThat(run(library, "add", floats(1, 2, 3), floats(10, 20, 30), out)).isTrue();
    assertThat(out.toFloatArray()).containsExactly(11, 22, 33);
    assertThat(library.report().machineKernels()).isEqualTo(1);
  }

  @Test
  void oneKernelServesOtherExtentsAndIsCompiledOnce() {
    FormulaLibrary library = library("all");
    for (int size = 2; size < 9; size++) {
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(size));
      Tensor one = Tensor.of(new float[size], Shape.of(size));
      assertThat(run(library, "exp", one, out)).isTrue();
      assertThat(out.toFloatArray()).containsOnly(1);
    }
    assertThat(library.report().machineKernels()).isEqualTo(1);
  }

  @Test
  void fieldsOfATupleAreInputs() {
    FormulaLibrary library = library("all");
    Tensor out = floats(0, 0, 0);
    try (Tuple parts = Tuple.of(floats(1), floats(2, 3))) {
      assertThat(run(library, "concat", parts, 0, out)).isTrue();
    }
    assertThat(out.toFloatArray()).containsExactly(1, 2, 3);
  }

  @Test
  void nothingIsDoneForTensorsWithStridesOrThatOverlapOrOfWrongShapes() {
    FormulaLibrary library = library("all");
    Tensor square = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    try (Tensor transposed = square.permute(1, 0);
        Tensor head = square.slice(0, 0, 1);
        Tensor tail = square.slice(0, 1, 2)) {
      assertThat(run(library, "negative", transposed, out)).as("strides").isFalse();
      assertThat(run(library, "flip", square, 0, square)).as("overlap").isFalse();
      assertThat(run(library, "negative", head, tail)).as("apart").isTrue();
    }
    assertThat(run(library, "flip", square, 2, out)).as("an axis that is not there").isFalse();
    assertThat(run(library, "flip", square, 0, floats(0))).as("another shape").isFalse();
    assertThat(out.toFloatArray()).containsOnly(0);
    assertThat(square.toFloatArray()).containsExactly(1, 2, -1, -2);
  }

  @Test
  void anErrorInTheElementsNamesTheFunction() {
    FormulaLibrary library = library("all");
    Tensor indices = Tensor.of(new int[] {2, 3}, Shape.of(2));
    assertThatThrownBy(
            () -> run(library, "take", floats(1, 2, 3), indices, 0, "fast", floats(0, 0)))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INDEX))
        .hasMessageMatching("(?s)relaxvm.take: .*: the index 3 is outside of its extent 3.*");
  }

  @Test
  void theOptionChoosesFunctions() {
    assertThat(library("none").names()).isEmpty();
    assertThat(library("exp, softmax").names())
        .containsExactlyInAnyOrder("relaxvm.exp", "relaxvm.softmax");
    assertThat(library("").names())
        .contains("relaxvm.exp", "relaxvm.softmax")
        .doesNotContain("relaxvm.matmul", "relaxvm.conv2d", "relaxvm.attention");
    assertThat(FormulaLibrary.of(VectorChoice.get(), code("portable"), options("all"))).isEmpty();
  }

  @Test
  void aNameThatIsNotInTheLibraryIsAnError() {
    assertThatThrownBy(() -> library("exp,relaxvm.log"))
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessage(
            "option cpu.formulas must be all, none or names of functions of the kernel library, but"
                + " has 'relaxvm.log'\n  what to do: name them without the prefix relaxvm.");
  }

  @Test
  void theKernelThatWasUnusedForTheLongestTimeIsRemoved() {
    KernelCompiler compiler =
        new KernelCompiler(
            Optional.empty(),
            CpuSchedule::of,
            Optional.of(MachineTargets.kernels(MachineCode.current())),
            true,
            BackendOptions.none());
    FormulaKernels kernels = new FormulaKernels(compiler, 2);
    FormulaKernels.Compiled exp = kernel(kernels, "exp");
    FormulaKernels.Compiled log = kernel(kernels, "log");
    assertThat(kernel(kernels, "exp")).isSameAs(exp);
    kernel(kernels, "tanh");
    assertThat(kernels.size()).isEqualTo(2);
    assertThat(kernel(kernels, "exp")).as("used again").isSameAs(exp);
    assertThat(kernel(kernels, "log")).as("removed").isNotSameAs(log);
  }

  private static FormulaKernels.Compiled kernel(FormulaKernels kernels, String name) {
    LibraryFormula formula = Objects.requireNonNull(LibraryFormula.all().get("relaxvm." + name));
    LibraryCall call = LibraryCall.of(formula.signature(), CallArgs.of(floats(1, 2), floats(0, 0)));
    return kernels.get(formula.request(call, false)).orElseThrow();
  }

  private static boolean run(FormulaLibrary library, String name, @Nullable Object... args) {
    return library.find("relaxvm." + name).orElseThrow().run(CallArgs.of(args));
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static FormulaLibrary library(String formulas) {
    return FormulaLibrary.of(VectorChoice.get(), code("machine"), options(formulas)).orElseThrow();
  }

  private static CodeOptions code(String mode) {
    return CodeOptions.of(options("").with(CodeOptions.CODE, mode));
  }

  private static BackendOptions options(String formulas) {
    BackendOptions none = BackendOptions.of("cpu", new CpuBackendProvider().options());
    return formulas.isEmpty() ? none : none.with(FormulaLibrary.OPTION, formulas);
  }
}
