package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.text.Assembler;

/** Programs written by hand in the text form run. */
class HandWrittenProgramTest {
  private static final String GCD =
      """
      relaxvm-text 1

      # Euclid's algorithm.
      @gcd(a, b):
      again:
        call copy in: %1 dst: %2
        if %2 done
        call modulo in: %0, %1 dst: %3
        call copy in: %1 dst: %0
        call copy in: %3 dst: %1
        goto again
      done:
        ret %0

      @lcm(a, b):
        call gcd in: %0, %1 dst: %2
        call times in: %0, %1 dst: %3
        call divide in: %3, %2 dst: %4
        ret %4
      """;

  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private VirtualMachine vm(Program program) {
    return VirtualMachine.builder(program)
        .registry(devices.registry())
        .allocator(AllocatorKind.NAIVE)
        .function("copy", (args, result) -> result.setArgument(args, 0))
        .function("modulo", (args, result) -> result.setLong(args.longAt(0) % args.longAt(1)))
        .function("times", (args, result) -> result.setLong(args.longAt(0) * args.longAt(1)))
        .function("divide", (args, result) -> result.setLong(args.longAt(0) / args.longAt(1)))
        .build();
  }

  @Test
  void loopsAndCallsRun() {
    try (VirtualMachine vm = vm(Program.of(Assembler.parse(GCD)))) {
      assertThat(vm.function("gcd").call(1071, 462).asLong()).isEqualTo(21);
      assertThat(vm.function("lcm").call(4, 6).asLong()).isEqualTo(12);
      assertThat(vm.function("gcd").paramNames()).containsExactly("a", "b");
    }
  }

  @Test
  void failureNamesFunctionAndInstruction() {
    try (VirtualMachine vm = vm(Program.of(Assembler.parse(GCD)))) {
      assertThatThrownBy(() -> vm.function("lcm").call(0, 0))
          .isInstanceOf(RelaxException.class)
          .hasMessage(
              "divide failed: java.lang.ArithmeticException: / by zero\n"
                  + "  at function lcm, pc 9: call divide in: %3, %2 dst: %4");
    }
  }

  @Test
  void textFilesAndPackagesRunAlike(@TempDir Path folder) throws IOException {
    String text =
        """
        relaxvm-text 1
        constants:
          c[0] = tensor float32[1024] base64 "%s"
        @weights():
          call copy in: c[0] dst: %%0
          ret %%0
        """
            .formatted("AACAPwAAAEAAAEBA".repeat(341) + "AACAQA==");
    Path textFile = folder.resolve("weights.txt");
    Files.writeString(textFile, text);
    Path packageFile = folder.resolve("weights.rvm");
    Program fromText = Program.load(textFile);
    RvmWriter.write(fromText, packageFile);
    for (Program program : new Program[] {fromText, Program.load(packageFile)}) {
      try (VirtualMachine vm = vm(program);
          Tensor weights = vm.function("weights").call().asTensor()) {
        assertThat(weights.shape()).isEqualTo(Shape.of(1024));
        assertThat(weights.toFloatArray()).startsWith(1, 2, 3, 1).endsWith(3, 4);
      }
    }
  }
}
