package org.relaxvm.examples.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

class EncoderModelTest {
  private static final Path PACKAGE = Path.of("encoder.rvm");

  private static Tensor tokens(long batch, long length) {
    long[] values = new long[Math.toIntExact(batch * length)];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 37L % 1000;
    }
    return Tensor.of(values, Shape.of(batch, length));
  }

  private static Tensor run(Program program, Tensor tokens) {
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build()) {
      return vm.function("main").call(tokens).asTensor();
    }
  }

  @Test
  void thePackageOfTheBuildTakesAnyBatchAndLength() {
    Program program = Program.load(PACKAGE);
    for (Shape shape : new Shape[] {Shape.of(1, 128), Shape.of(3, 17), Shape.of(0, 5)}) {
      try (Tensor tokens = tokens(shape.dim(0), shape.dim(1));
          Tensor result = run(program, tokens)) {
        assertThat(result.shape()).isEqualTo(Shape.of(shape.dim(0), shape.dim(1), 256));
      }
    }
  }

  @Test
  void theModelOfOneSizeGivesWhatThatOfAnySizeGives() {
    IRModule fixed = EncoderModel.module(new SplittableRandom(1), Dim.of(2), Dim.of(19));
    try (Tensor tokens = tokens(2, 19);
        Tensor expected = run(Program.load(PACKAGE), tokens);
        Tensor got = run(Compiler.compile(fixed), tokens)) {
      assertThat(got.toDoubleArray()).containsExactly(expected.toDoubleArray(), within(1e-4));
    }
  }
}
