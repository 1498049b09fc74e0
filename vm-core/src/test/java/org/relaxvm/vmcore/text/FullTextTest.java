package org.relaxvm.vmcore.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.golden.Goldens;

/** What is printed is read back to the same bytes. */
class FullTextTest {
  private static byte[] throughText(Executable executable) {
    return ExecutableWriter.write(Assembler.parse(FullText.print(executable)));
  }

  private static Executable withConstants(Object... constants) {
    return new Executable(
        List.of(new FunctionInfo(FunctionKind.VM, "main", 0, 1, 1, 1, List.of("x"))),
        List.of(constants),
        Map.of(),
        new long[] {0},
        new long[] {2, 0});
  }

  @TestFactory
  Stream<DynamicTest> everyGoldenComesBack() {
    return Goldens.forEach(
        golden -> {
          assertThat(throughText(golden.executable())).isEqualTo(golden.bytes());
          String text = FullText.print(golden.executable());
          assertThat(FullText.print(Assembler.parse(text))).isEqualTo(text);
        });
  }

  @Test
  void scalarConstantsAreExact() {
    Executable executable =
        withConstants(
            0L,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            0.0,
            -0.0,
            1e300,
            Double.MIN_VALUE,
            0.1,
            Double.NaN,
            Double.longBitsToDouble(0x7FF0_0000_0000_0001L),
            Double.longBitsToDouble(0xFFF8_0000_0000_0002L),
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY);
    assertThat(throughText(executable)).isEqualTo(ExecutableWriter.write(executable));
  }

  @Test
  void stringsShapesAndDtypesAreExact() {
    Executable executable =
        withConstants(
            "",
            "quotes \" and \\ and \n\r\t\0\u007F",
            "日本語 😀 \u2028",
            Shape.scalar(),
            Shape.of(0, -1, Long.MAX_VALUE),
            DType.VOID,
            DType.BOOL,
            DType.parse("float8_e4m3fn"),
            DType.parse("int8x4"),
            new DType(TypeCode.HANDLE, 64, 1),
            new DType(TypeCode.HANDLE, 32, 1),
            new DType(TypeCode.INT, 7, -4));
    assertThat(throughText(executable)).isEqualTo(ExecutableWriter.write(executable));
  }

  @Test
  void tensorsOfEveryNotationAreExact() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("relaxvm.seed=" + seed);
    Random random = new Random(seed);
    List<Object> constants = new ArrayList<>();
    for (String name :
        List.of(
            "float16",
            "float32",
            "float64",
            "bfloat16",
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "bool",
            "float8_e5m2")) {
      DType dtype = DType.parse(name);
      for (long extent : new long[] {0, 1, 5, 64, 100}) {
        Tensor tensor = Tensor.zeros(dtype, Shape.of(extent));
        byte[] bytes = new byte[(int) tensor.byteSize()];
        random.nextBytes(bytes);
        tensor.segment().copyFrom(MemorySegment.ofArray(bytes));
        constants.add(tensor);
      }
      constants.add(Tensor.zeros(dtype, Shape.scalar()));
    }
    Executable executable = withConstants(constants.toArray());
    assertThat(throughText(executable)).isEqualTo(ExecutableWriter.write(executable));
  }

  @Test
  void specialFloatsOfAnyWidthAreExact() {
    for (String name : List.of("float16", "bfloat16")) {
      Tensor tensor = Tensor.zeros(DType.parse(name), Shape.of(1 << 16));
      List<Object> constants = new ArrayList<>();
      for (int i = 0; i < 1 << 16; i++) {
        byte[] bytes = {(byte) i, (byte) (i >> 8)};
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, tensor.segment(), 2L * i, 2);
      }
      for (int i = 0; i < 1 << 16; i += 64) {
        constants.add(tensor.slice(0, i, i + 64));
      }
      Executable executable = withConstants(constants.toArray());
      assertThat(throughText(executable)).isEqualTo(ExecutableWriter.write(executable));
    }
  }

  @Test
  void everyPartOfTheFunctionTableComesBack() {
    long[] words = {1, Arg.VOID_REGISTER, 2, 2, Arg.function(2).word(), Arg.VM.word(), 2, 0, 2, 1};
    Executable executable =
        new Executable(
            List.of(
                new FunctionInfo(FunctionKind.VM, "second", 2, 3, 2, 7, List.of()),
                new FunctionInfo(FunctionKind.VM, "first", 0, 2, 1, 1, List.of("a name \"x\"")),
                FunctionInfo.packed("odd name]"),
                new FunctionInfo(FunctionKind.PACKED, "counted", 0, 0, 3, 0, List.of()),
                new FunctionInfo(FunctionKind.VMTIR, "native", 0, 0, 2, 9, List.of("a", "b")),
                FunctionInfo.packed("vm.builtin.copy")),
            List.of(Tensor.scalar(1L)),
            Map.of(0, "global.texture"),
            new long[] {0, 6, 8},
            words);
    assertThat(throughText(executable)).isEqualTo(ExecutableWriter.write(executable));
    assertThat(FullText.print(executable))
        .isEqualTo(
            """
            relaxvm-text 1

            constants:
              c[0] = tensor int64[] = [1] scope "global.texture"

            @second(2) regs=7 at=2:
              ret   %1

            @first("a name \\"x\\"") regs=1 at=0:
              call  "odd name]" in: f["odd name]"], %vm dst: %void
              ret   %0

            @"odd name]" packed_func;

            @counted num_inputs=3 packed_func;

            @native(a, b) num_inputs=2 regs=9 vm_tir_func;

            @vm.builtin.copy packed_func;

            """);
  }

  @Test
  void codeOutsideOfFunctionsHasNoText() {
    Executable executable =
        new Executable(
            List.of(new FunctionInfo(FunctionKind.VM, "main", 1, 2, 1, 1, List.of())),
            List.of(),
            Map.of(),
            new long[] {0, 2},
            new long[] {2, 0, 2, 0});
    assertThatThrownBy(() -> FullText.print(executable))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("instruction 0 belongs to no function or to several, which has no text form");
  }
}
