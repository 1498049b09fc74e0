package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;

class MachOReaderTest {
  private static final int X86_64 = 0x0100_0007;
  private static final int ARM64 = 0x0100_000C;
  private static final int SIZE = 672;
  private static final int SYMBOLS = 496;
  private static final int NAMES = 592;

  /** Two sections, six symbols, a name and a needed library. */
  private static byte[] library(int cpu) {
    LittleEndian out = new LittleEndian(SIZE);
    out.u32(0xFEEDFACFL, cpu, 0, 6, 4, 232 + 24 + 40 + 40, 0x8, 0);
    out.u32(0x19, 232).text("__TEXT", 16).u64(0, 0x1000, 0, SIZE).u32(5, 5, 2, 0);
    out.text("__text", 16).text("__TEXT", 16).u64(400, 64).u32(400, 4, 0, 0, 0x80000400L, 0, 0, 0);
    out.text("__const", 16).text("__TEXT", 16).u64(464, 32).u32(464, 4, 0, 0, 0, 0, 0, 0);
    out.u32(0x2, 24, SYMBOLS, 6, NAMES, 80);
    out.u32(0xD, 40, 24, 0, 0, 0).text("libown.dylib", 16);
    out.u32(0xC, 40, 24, 0, 0, 0).text("libm.dylib", 16);
    out.at(464).bytes(9, 8, 7, 6, 5, 4, 3, 2, 1);
    out.at(SYMBOLS);
    symbol(out, 1, 0x0F, 1, 0, 400); // _run
    symbol(out, 6, 0x0F, 2, 0, 464); // _blob
    symbol(out, 12, 0x0F, 2, 0, 472); // _after
    symbol(out, 19, 0x01, 0, 0, 0); // _needed
    symbol(out, 27, 0x01, 0, 0x40, 0); // _optional
    symbol(out, 37, 0x1F, 1, 0, 416); // _own, private
    out.at(NAMES).text("\0_run\0_blob\0_after\0_needed\0_optional\0_own\0", 80);
    return out.array();
  }

  private static void symbol(
      LittleEndian out, int name, int type, int section, int description, long address) {
    out.u32(name).bytes(type, section).u16(description).u64(address);
  }

  private static ObjectFile read(byte[] bytes, String osArch) {
    return ObjectFile.read(MemorySegment.ofArray(bytes), "library.dylib", osArch);
  }

  @Test
  void readsSymbolsAndData() {
    ObjectFile file = read(library(ARM64), "amd64");
    assertThat(file.target().machine()).isEqualTo(Machine.AARCH64);
    assertThat(file.unfit("Mac OS X", "aarch64")).isEmpty();
    assertThat(file.defined().keySet()).containsExactly("run", "blob", "after");
    assertThat(file.symbol("run").orElseThrow().kind()).isEqualTo(ObjectSymbol.Kind.FUNCTION);
    assertThat(file.symbol("run").orElseThrow().size()).isEqualTo(16);
    assertThat(file.dataOf("blob").orElseThrow().toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(9, 8, 7, 6, 5, 4, 3, 2);
    assertThat(file.symbol("after").orElseThrow().size()).isEqualTo(24);
    assertThat(file.undefined())
        .containsExactly(
            new UndefinedSymbol("needed", false), new UndefinedSymbol("optional", true));
    assertThat(file.unresolved(Set.of())).containsExactly("needed");
    assertThat(file.needed()).containsExactly("libm.dylib");
    assertThat(file.ownName()).contains("libown.dylib");
    assertThat(file.bindsNow()).isTrue();
    assertThat(file.asksForExecutableStack()).isFalse();
  }

  @Test
  void choosesTheLibraryOfThisProcessor() {
    byte[] fat = fat(library(X86_64), library(ARM64));
    assertThat(read(fat, "aarch64").target().machine()).isEqualTo(Machine.AARCH64);
    assertThat(read(fat, "amd64").target().machine()).isEqualTo(Machine.X86_64);
    assertThat(read(fat, "amd64").dataOf("blob").orElseThrow().get(ValueLayout.JAVA_BYTE, 0))
        .isEqualTo((byte) 9);
    assertThat(read(fat, "riscv64").unfit("Mac OS X", "riscv64"))
        .contains(
            "it is for x86-64 and aarch64, and this JVM runs on riscv64: export the model for"
                + " this processor");
  }

  private static byte[] fat(byte[]... libraries) {
    ByteBuffer out = ByteBuffer.allocate(64 + SIZE * libraries.length).order(ByteOrder.BIG_ENDIAN);
    out.putInt(0xCAFEBABE).putInt(libraries.length);
    for (int i = 0; i < libraries.length; i++) {
      int cpu = ByteBuffer.wrap(libraries[i]).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
      out.putInt(cpu).putInt(0).putInt(64 + SIZE * i).putInt(SIZE).putInt(0);
    }
    for (int i = 0; i < libraries.length; i++) {
      out.put(64 + SIZE * i, libraries[i]);
    }
    return out.array();
  }

  @Test
  void errorsInAFatFileNameItsBytes() {
    byte[] broken = library(ARM64);
    broken[12] = 1;
    assertThatThrownBy(() -> read(fat(library(X86_64), broken), "aarch64"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("at byte " + (64 + SIZE + 12) + " (")
        .hasMessageContaining("file type\n  expected: 6 or 8 (a library)\n  got: 1");
  }

  @Test
  void aJavaClassIsNoLibrary() {
    byte[] java = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, 69};
    assertThatThrownBy(() -> read(java, "amd64"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("expected: an ELF, Mach-O or PE library");
  }

  @Test
  void othersAreNamedAndNotRead() {
    byte[] big = {(byte) 0xFE, (byte) 0xED, (byte) 0xFA, (byte) 0xCF, 1, 0, 0, 18};
    assertThat(read(big, "amd64").target().machineName()).isEqualTo("ppc64");
    assertThat(read(big, "amd64").target().byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
    byte[] narrow = {(byte) 0xCE, (byte) 0xFA, (byte) 0xED, (byte) 0xFE, 7, 0, 0, 0};
    assertThat(read(narrow, "amd64").target().machineName()).isEqualTo("x86");
    assertThat(read(narrow, "x86").unfit("Mac OS X", "x86")).isPresent();
  }

  @Test
  void damagedLibrariesEndInTypedErrors() {
    Mutations.check(library(ARM64), 400, 20_000);
    Mutations.check(fat(library(X86_64), library(ARM64)), 64, 20_000);
    Mutations.checkCuts(library(X86_64));
  }
}
