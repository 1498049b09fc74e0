package org.relaxvm.vmcore.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.verify.Verifier;

class AssemblerTest {
  @Test
  void inlineConstantsGoToThePoolOnce() {
    Executable executable =
        Assembler.parse(
            """
            @main(x):
              call f in: %0, 0.5, "fast", shape[2, 3], dtype float32, 0.5 dst: %1
              call f in: "fast", 7, -7, 36028797018963968, tensor int8[2] = [1, -1]
              ret %1
            """);
    assertThat(executable.constants().subList(0, 5))
        .containsExactly(0.5, "fast", Shape.of(2, 3), DType.FLOAT32, 1L << 55);
    assertThat(((Tensor) executable.constants().get(5)).toLongArray()).containsExactly(1, -1);
    assertThat(ExecutableText.asText(executable))
        .isEqualTo(
            """
            @main:
              call  f                in: %0, c[0], c[1], c[2], c[3], c[0] dst: %1
              call  f                in: c[1], i7, i-7, c[4], c[5] dst: %void
              ret   %1

            @f packed_func;

            """);
  }

  @Test
  void registersAreCountedWhenNotGiven() {
    Executable executable =
        Assembler.parse("@main(a, b):\n call f in: %0 dst: %4\n ret %4\n@id(3):\n ret %0\n");
    assertThat(executable.functions())
        .containsExactly(
            new FunctionInfo(FunctionKind.VM, "main", 0, 2, 2, 5, List.of("a", "b")),
            new FunctionInfo(FunctionKind.VM, "id", 2, 3, 3, 3, List.of()),
            FunctionInfo.packed("f"));
  }

  @Test
  void labelsBecomeDistances() {
    Executable executable =
        Assembler.parse(
            """
            @main(n):
            again:
              call done in: %0 dst: %1
              if %1 more      // goes on when it is done
              ret %0
            more:
              call next in: %0 dst: %0
              goto again
            """);
    assertThat(ExecutableText.asText(executable))
        .startsWith(
            """
            @main:
              call  done             in: %0           dst: %1
              If    %1, 2
              ret   %0
              call  next             in: %0           dst: %0
              goto  -4
            """);
  }

  @Test
  void linesOfAPlainListingAreAccepted() {
    String body =
        """
          call  f                in: %0, i-1, c[0] dst: %1
          call  vm.builtin.null_value in:              dst: %void
          call  g                in: %vm, %void, f[f] dst: %1
          If    %1, 3
          goto  2
          ret   %0
          ret   %1
        """;
    Executable executable = Assembler.parse("constants:\n c[0] = shape[2, 3]\n@main(x):\n" + body);
    assertThat(ExecutableText.asText(executable)).startsWith("@main:\n" + body);
    assertThat(executable.word(2)).isEqualTo(1);
    assertThat(executable.word((int) executable.offset(2) + 5)).isEqualTo(Arg.VOID.word());
  }

  @Test
  void functionsMayBeUsedBeforeTheirHeader() {
    Executable executable =
        Assembler.parse(
            """
            relaxvm-text 1
            @main(x):
              call helper in: %0, f[native] dst: %1
              ret %1

            @helper(x, f):
              ret %0

            @native num_inputs=1 vm_tir_func;
            @declared packed_func;
            """);
    assertThat(executable.functions().stream().map(FunctionInfo::name))
        .containsExactly("main", "helper", "native", "declared");
    assertThat(executable.functions().get(2))
        .isEqualTo(new FunctionInfo(FunctionKind.VMTIR, "native", 0, 0, 1, 2, List.of()));
    assertThat(executable.word(2)).isEqualTo(1);
  }

  @Test
  void numbersHaveSeveralNotations() {
    Executable executable =
        Assembler.parse(
            """
            constants:
              c[0] = 0x10
              c[1] = -007
              c[2] = 0x1.8p1
              c[3] = 1e-3
              c[4] = -inf
              c[5] = float bits 0x3ff0000000000000
              c[6] = tensor float16[4] = [
                1, 0.1,   # rounded to the nearest
                nan, -inf
              ]
              c[7] = tensor float8_e5m2[4] base64 "AQID"
                "BA=="
              c[8] = tensor uint64[1] = [18446744073709551615]
            """);
    assertThat(executable.constants().subList(0, 6))
        .containsExactly(16L, -7L, 3.0, 0.001, Double.NEGATIVE_INFINITY, 1.0);
    assertThat(((Tensor) executable.constants().get(6)).toFloatArray())
        .containsExactly(1f, 0.099975586f, Float.NaN, Float.NEGATIVE_INFINITY);
    assertThat(((Tensor) executable.constants().get(7)).byteSize()).isEqualTo(4);
    assertThat(((Tensor) executable.constants().get(8)).toLongArray()).containsExactly(-1);
  }

  @Test
  void emptyTextIsAnEmptyExecutable() {
    assertThat(Assembler.parse("# nothing\n").functions()).isEmpty();
    assertThat(Assembler.looksLikeProgram("\n// x\n @main():")).isTrue();
    assertThat(Assembler.looksLikeProgram("hello @main():")).isFalse();
    assertThat(Assembler.looksLikeProgram("@I.ir_module\nclass Module:")).isFalse();
  }

  @Test
  void listingsOfThePrototypeOf2021AreRead() {
    Executable executable =
        Assembler.parse(
            """
            @main(1):
              call vm.builtin.alloc_shape_heap in: %39711036822585692, i4 dst: %1
              call vm.builtin.store_shape in: %0, %1, i0, i1 dst: void
              ret ret %1
            """);
    assertThat(ExecutableText.asText(executable))
        .isEqualTo(
            """
            @main:
              call  vm.builtin.alloc_shape_heap in: %vm, i4      dst: %1
              call  vm.builtin.store_shape in: %0, %1, i0, i1 dst: %void
              ret   %1

            @vm.builtin.alloc_shape_heap packed_func;

            @vm.builtin.store_shape packed_func;

            """);
  }

  @Test
  void theContextsNumberOf2021IsReadAsThatOfToday() {
    long earlier = 0x008D14FA4379015CL;
    assertThat(Arg.ofWord(earlier)).isEqualTo(Arg.VM);
    Executable today =
        Assembler.parse(
            """
            @main():
              call vm.builtin.alloc_shape_heap in: %vm, i4 dst: %0
              ret %0
            """);
    long[] words = new long[today.wordCount()];
    for (int i = 0; i < words.length; i++) {
      words[i] = today.word(i) == Arg.VM.word() ? earlier : today.word(i);
    }
    Executable executable =
        new Executable(today.functions(), List.of(), Map.of(), new long[] {0, 6}, words);
    assertThat(Verifier.check(executable)).isEmpty();
    assertThat(FullText.print(executable)).isEqualTo(FullText.print(today));
  }
}
