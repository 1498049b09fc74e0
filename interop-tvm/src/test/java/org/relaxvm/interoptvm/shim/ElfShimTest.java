package org.relaxvm.interoptvm.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.interoptvm.object.Machine;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.interoptvm.object.ObjectSymbol;

class ElfShimTest {
  private static ObjectFile read(byte[] image) {
    return ObjectFile.read(MemorySegment.ofArray(image), "shim");
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void showsItsFunctionsAndTheirTable(Machine machine) {
    ObjectFile file = read(ElfShim.image(machine, "libshim.so", RuntimeSymbols.ALL));
    assertThat(file.target().machine()).isEqualTo(machine);
    assertThat(file.ownName()).contains("libshim.so");
    assertThat(file.needed()).isEmpty();
    assertThat(file.undefined()).isEmpty();
    assertThat(file.asksForExecutableStack()).isFalse();
    List<String> all = new ArrayList<>(RuntimeSymbols.ALL);
    all.add(ElfShim.TABLE);
    assertThat(file.defined().keySet()).containsExactlyElementsOf(all);
    for (String function : RuntimeSymbols.ALL) {
      assertThat(file.symbol(function).orElseThrow().kind()).isEqualTo(ObjectSymbol.Kind.FUNCTION);
    }
    byte[] table = new byte[8 * (RuntimeSymbols.ALL.size() + 1)];
    assertThat(file.dataOf(ElfShim.TABLE).orElseThrow().mismatch(MemorySegment.ofArray(table)))
        .isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void nothingIsBothWritableAndExecutable(Machine machine) {
    ByteBuffer image = words(ElfShim.image(machine, "libshim.so", List.of("f")));
    long align = machine == Machine.AARCH64 ? 0x1_0000 : 0x1000;
    for (int i = 0; i < 2; i++) {
      int at = 64 + 56 * i;
      assertThat(image.getInt(at)).as("a loaded segment").isEqualTo(1);
      assertThat(image.getInt(at + 4)).as("flags").isEqualTo(i == 0 ? 5 : 6);
      assertThat(image.getLong(at + 48)).as("alignment").isEqualTo(align);
      assertThat((image.getLong(at + 16) - image.getLong(at + 8)) % align).isZero();
    }
    long codeEnd = image.getLong(64 + 16) + image.getLong(64 + 40);
    assertThat(image.getLong(64 + 56 + 16) / align)
        .as("first writable page")
        .isGreaterThan((codeEnd - 1) / align);
  }

  @Test
  void jumpsThroughTheTableOnArm() {
    List<String> functions = List.of("first", RuntimeSymbols.INIT_ONCE, "last");
    byte[] image = ElfShim.image(Machine.AARCH64, "libshim.so", functions);
    ObjectFile file = read(image);
    ByteBuffer words = words(image);
    long table = symbol(file, ElfShim.TABLE).address();
    for (int i = 0; i < functions.size(); i++) {
      ObjectSymbol function = symbol(file, functions.get(i));
      int at = (int) function.address();
      if (i == 1) {
        assertThat(words.getInt(at)).as("ldar x9, [x0]").isEqualTo(0xC8DFFC09);
        assertThat(words.getInt(at + 4)).as("cbz x9, at + 16").isEqualTo(0xB4000069);
        assertThat(words.getInt(at + 8)).as("mov w0, #0").isEqualTo(0x52800000);
        assertThat(words.getInt(at + 12)).as("ret").isEqualTo(0xD65F03C0);
        at += 16;
      }
      int load = words.getInt(at);
      assertThat(load & 0xFF00001F).as("ldr x16, literal").isEqualTo(0x58000010);
      assertThat(at + 4L * (load >>> 5 & 0x7FFFF)).isEqualTo(table + 8L * i);
      assertThat(words.getInt(at + 4)).as("br x16").isEqualTo(0xD61F0200);
      assertThat(function.size()).isEqualTo(64);
    }
  }

  @Test
  void jumpsThroughTheTableOnX86() {
    List<String> functions = List.of("first", RuntimeSymbols.INIT_ONCE);
    byte[] image = ElfShim.image(Machine.X86_64, "libshim.so", functions);
    ObjectFile file = read(image);
    ByteBuffer words = words(image);
    long table = symbol(file, ElfShim.TABLE).address();
    int first = (int) symbol(file, "first").address();
    assertThat(words.getShort(first)).isEqualTo((short) 0x25FF);
    assertThat(first + 6 + words.getInt(first + 2)).isEqualTo((int) table);
    int second = (int) symbol(file, RuntimeSymbols.INIT_ONCE).address();
    // cmpq $0,(%rdi); je over the return; xor %eax,%eax; ret
    assertThat(HexFormat.of().formatHex(image, second, second + 13))
        .isEqualTo("48833f000f840300000031c0c3");
    assertThat(words.getShort(second + 13)).isEqualTo((short) 0x25FF);
    assertThat(second + 19 + words.getInt(second + 15)).isEqualTo((int) table + 8);
    assertThat(HexFormat.of().formatHex(image, second + 19, second + 128))
        .isEqualTo("cc".repeat(109));
  }

  @Test
  void givesTheStackPointer() {
    List<String> functions = List.of("first", ElfShim.STACK_POINTER);
    byte[] x86 = ElfShim.image(Machine.X86_64, "libshim.so", functions);
    ObjectSymbol onX86 = symbol(read(x86), ElfShim.STACK_POINTER);
    assertThat(words(x86).getInt((int) onX86.address()))
        .as("mov %rsp,%rax; ret")
        .isEqualTo(0xC3E08948);
    byte[] arm = ElfShim.image(Machine.AARCH64, "libshim.so", functions);
    ObjectSymbol onArm = symbol(read(arm), ElfShim.STACK_POINTER);
    assertThat(words(arm).getInt((int) onArm.address())).as("mov x0, sp").isEqualTo(0x910003E0);
    assertThat(words(arm).getInt((int) onArm.address() + 4)).as("ret").isEqualTo(0xD65F03C0);
  }

  @Test
  void callsWithinBoundsOfTheStack() {
    // As disassembled: mov %rsp,%rax; sub %r8,%rax; cmp %r9,%rax; jae; mov %rdi,%rax;
    // xor %edi,%edi; jmp *%rax; mov $REFUSED,%eax; mov %eax,(%rcx); ret
    assertThat(callWithin(Machine.X86_64, 30))
        .isEqualTo("4889e04c29c04c39c80f83070000004889f831ffffe0b8000000808901c3");
    // mov x9,sp; sub x9,x9,x4; cmp x9,x5; b.hs; mov x16,x0; mov x0,#0; br x16; mov w0,#REFUSED;
    // str w0,[x3]; ret
    assertThat(callWithin(Machine.AARCH64, 40))
        .isEqualTo(
            "e9030091290104cb3f0105eb82000054f00300aa000080d200021fd60000b052600000b9c0035fd6");
  }

  private static String callWithin(Machine machine, int bytes) {
    byte[] image = ElfShim.image(machine, "libshim.so", List.of("first", ElfShim.CALL_WITHIN));
    int at = (int) symbol(read(image), ElfShim.CALL_WITHIN).address();
    return HexFormat.of().formatHex(image, at, at + bytes);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void holdsManyFunctions(Machine machine) {
    List<String> many = IntStream.range(0, 4096).mapToObj(i -> "function" + i).toList();
    ObjectFile file = read(ElfShim.image(machine, "libmany.so", many));
    assertThat(file.defined()).hasSize(4097);
    assertThat(read(ElfShim.image(machine, "libnone.so", List.of())).defined()).hasSize(1);
  }

  @Test
  void refusesWhatItCannotWrite() {
    assertThatThrownBy(() -> ElfShim.image(Machine.RISCV, "lib", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no shim for riscv: libraries can be loaded on x86-64 and aarch64");
    assertThatThrownBy(() -> ElfShim.image(Machine.X86_64, "", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"\" is no name of printable ASCII");
    assertThatThrownBy(() -> ElfShim.image(Machine.X86_64, "lib", List.of("f", "f")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the symbol f would be there twice");
    assertThatThrownBy(() -> ElfShim.image(Machine.X86_64, "lib", List.of(ElfShim.TABLE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the symbol " + ElfShim.TABLE + " would be there twice");
    assertThatThrownBy(() -> ElfShim.image(Machine.X86_64, "lib", Collections.nCopies(4097, "f")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("4097 functions are more than 4096");
  }

  private static ObjectSymbol symbol(ObjectFile file, String name) {
    return file.symbol(name).orElseThrow();
  }

  private static ByteBuffer words(byte[] image) {
    return ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
  }
}
