package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;

class PeReaderTest {
  private static final int DATA = 0x2000;
  private static final int DATA_AT = 512;
  private static final int SIZE = 512 + 384;

  /**
   * A section of code, one of data with all tables; three exports, of which one leads elsewhere.
   */
  private static byte[] library(int machine) {
    LittleEndian out = new LittleEndian(SIZE);
    out.text("MZ", 2).at(0x3C).u32(64).u32(0x4550);
    out.u16(machine, 2).u32(0, 0, 0).u16(240, 0x2022);
    out.u16(0x20B).at(88 + 108).u32(16, DATA, 144, DATA + 192, 40);
    out.at(88 + 240);
    out.text(".text", 8).u32(0x40, 0x1000, 64, 448, 0, 0, 0, 0x60000020L);
    out.text(".data", 8).u32(0x200, DATA, 384, DATA_AT, 0, 0, 0, 0xC0000040L);
    out.at(DATA_AT);
    out.u32(0, 0, 0, DATA + 80, 1, 3, 3, DATA + 40, DATA + 52, DATA + 64);
    out.u32(0x1010, DATA + 160, DATA + 120);
    out.u32(DATA + 96, DATA + 102, DATA + 110).u16(1, 2, 0);
    out.at(DATA_AT + 80).text("own.dll", 16).text("blob", 6).text("forward", 8).text("run", 10);
    out.at(DATA_AT + 120).text("OTHER.symbol", 20);
    out.at(DATA_AT + 160).bytes(5, 4, 3);
    out.at(DATA_AT + 192).u32(DATA + 256, 0, 0, DATA + 240, DATA + 256);
    out.at(DATA_AT + 240).text("MSVCRT.dll", 16).u64(DATA + 300, Long.MIN_VALUE | 7, 0);
    out.at(DATA_AT + 300).u16(0).text("expf", 6);
    return out.array();
  }

  private static ObjectFile read(byte[] bytes) {
    return ObjectFile.read(MemorySegment.ofArray(bytes), "library.dll");
  }

  @Test
  void readsExportsAndImports() {
    ObjectFile file = read(library(0x8664));
    assertThat(file.target().machine()).isEqualTo(Machine.X86_64);
    assertThat(file.unfit("Windows Server 2022", "amd64")).isEmpty();
    assertThat(file.defined().keySet()).containsExactly("blob", "forward", "run");
    assertThat(file.symbol("run").orElseThrow())
        .isEqualTo(new ObjectSymbol("run", 0x1010, 0x30, ObjectSymbol.Kind.FUNCTION, 464, 48));
    assertThat(file.symbol("blob").orElseThrow())
        .isEqualTo(
            new ObjectSymbol("blob", DATA + 160, 352, ObjectSymbol.Kind.DATA, DATA_AT + 160, 224));
    assertThat(file.dataOf("blob").orElseThrow().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 5);
    assertThat(file.dataOf("forward")).isEmpty();
    assertThat(file.ownName()).contains("own.dll");
    assertThat(file.needed()).containsExactly("MSVCRT.dll");
    assertThat(file.undefined()).containsExactly(new UndefinedSymbol("expf", false));
    assertThat(file.bindsNow()).isTrue();
  }

  @Test
  void othersAreNamedAndNotRead() {
    byte[] narrow = library(0x14C);
    narrow[88] = 0x0B;
    narrow[89] = 0x01;
    assertThat(read(narrow).target().machineName()).isEqualTo("x86");
    assertThat(read(narrow).target().wordBits()).isEqualTo(32);
    assertThat(read(narrow).defined()).isEmpty();
    assertThat(read(narrow).unfit("Windows 11", "x86")).isPresent();
  }

  @Test
  void aProgramOfDosIsNoLibrary() {
    byte[] old = library(0x8664);
    old[64] = 'N';
    assertThatThrownBy(() -> read(old))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot read the native library library.dll\n"
                + "  at byte 64 (0x40), PE signature\n"
                + "  expected: 0x4550\n"
                + "  got: 0x454e\n"
                + "  what to do: give a library of Windows; this file is something older or"
                + " damaged");
  }

  @Test
  void importsThatShareOneLongListAreRefused() {
    int libraries = 4096;
    int symbols = 8192;
    int names = DATA + 20 * (libraries + 1);
    int list = names + 16;
    int bytes = list + 8 * (symbols + 1) - DATA;
    LittleEndian out = new LittleEndian(DATA_AT + bytes);
    out.text("MZ", 2).at(0x3C).u32(64).u32(0x4550);
    out.u16(0x8664, 1).u32(0, 0, 0).u16(240, 0x2022);
    out.u16(0x20B).at(88 + 108).u32(16, 0, 0, DATA, 20);
    out.at(88 + 240).text(".data", 8).u32(bytes, DATA, bytes, DATA_AT, 0, 0, 0, 0xC0000040L);
    out.at(DATA_AT);
    for (int i = 0; i < libraries; i++) {
      out.u32(list, 0, 0, names, list);
    }
    out.at(DATA_AT + names - DATA).text("a", 16);
    for (int i = 0; i < symbols; i++) {
      out.u64(Long.MIN_VALUE | 1);
    }
    assertThatThrownBy(() -> read(out.array()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("imported symbol\n  expected: tables and names of at most 4 times");
  }

  @Test
  void damagedLibrariesEndInTypedErrors() {
    Mutations.check(library(0xAA64), SIZE, 20_000);
    Mutations.checkCuts(library(0x8664));
  }
}
