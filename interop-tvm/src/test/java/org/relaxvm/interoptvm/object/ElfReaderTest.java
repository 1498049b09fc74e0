package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElfReaderTest {
  private @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"gnu", "sysv", "both"})
  void readsSymbolsWithEitherHashTable(String style) throws IOException {
    check(CompiledLibrary.read(CompiledLibrary.make(folder, "-Wl,--hash-style=" + style)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gnu", "sysv", "both"})
  void readsSymbolsWithoutSectionHeaders(String style) throws IOException {
    byte[] library = CompiledLibrary.make(folder, "-Wl,--hash-style=" + style);
    check(CompiledLibrary.read(withoutSectionHeaders(library)));
  }

  @Test
  void findsUndefinedSymbolsWhereNothingIsDefinedAndSectionHeadersAreMissing() throws IOException {
    byte[] library = CompiledLibrary.make(folder, "-fvisibility=hidden", "-Wl,--hash-style=gnu");
    ObjectFile file = CompiledLibrary.read(withoutSectionHeaders(library));
    assertThat(file.defined()).isEmpty();
    assertThat(file.unresolved(Set.of())).contains("needed_function", "needed_number");
  }

  private static void check(ObjectFile file) {
    assertThat(file.target().format()).isEqualTo(ObjectFormat.ELF);
    assertThat(file.target().wordBits()).isEqualTo(64);
    assertThat(file.target().byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(file.unfit(System.getProperty("os.name"), System.getProperty("os.arch"))).isEmpty();
    assertThat(file.defined().keySet())
        .contains(
            "blob", "context", "filled", "partly", "per_thread", "shown_function", "weak_function")
        .doesNotContain("own", "hidden_function", "needed_function");
    assertThat(file.symbol("shown_function").orElseThrow().kind())
        .isEqualTo(ObjectSymbol.Kind.FUNCTION);
    assertThat(file.symbol("weak_function").orElseThrow().kind())
        .isEqualTo(ObjectSymbol.Kind.FUNCTION);
    assertThat(file.symbol("per_thread").orElseThrow().kind()).isEqualTo(ObjectSymbol.Kind.OTHER);
    assertThat(file.symbol("blob").orElseThrow().kind()).isEqualTo(ObjectSymbol.Kind.DATA);
    assertThat(file.undefined())
        .contains(
            new UndefinedSymbol("needed_function", false),
            new UndefinedSymbol("needed_number", false),
            new UndefinedSymbol("optional_function", true));
    assertThat(file.unresolved(Set.of("needed_number"))).containsExactly("needed_function");
  }

  @Test
  void givesTheBytesOfData() throws IOException {
    ObjectFile file = CompiledLibrary.read(CompiledLibrary.make(folder));
    assertThat(file.dataOf("blob").orElseThrow().toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(file.dataOf("filled").orElseThrow().toArray(ValueLayout.JAVA_INT_UNALIGNED))
        .containsExactly(10, 20, 30);
    assertThat(file.dataOf("partly").orElseThrow().byteSize()).isZero();
    assertThat(file.symbol("partly").orElseThrow().size()).isEqualTo(16_000);
    assertThat(file.dataOf("per_thread")).isEmpty();
    assertThat(file.dataOf("shown_function")).isEmpty();
    assertThat(file.dataOf("no such symbol")).isEmpty();
    assertThat(file.dataOf("blob").orElseThrow().isReadOnly()).isTrue();
  }

  @Test
  void tellsWhenSymbolsAreBound() throws IOException {
    assertThat(CompiledLibrary.read(CompiledLibrary.make(folder, "-Wl,-z,now")).bindsNow())
        .isTrue();
    assertThat(CompiledLibrary.read(CompiledLibrary.make(folder, "-Wl,-z,lazy")).bindsNow())
        .isFalse();
  }

  @Test
  void tellsWhoAsksForExecutableStacks() throws IOException {
    assertThat(stack(CompiledLibrary.make(folder, "-Wl,-z,noexecstack"))).isFalse();
    assertThat(stack(CompiledLibrary.make(folder, "-Wl,-z,execstack"))).isTrue();
    byte[] library = CompiledLibrary.make(folder);
    ByteBuffer bytes = ByteBuffer.wrap(library).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 64; at < 64 + 56 * bytes.getShort(56); at += 56) {
      if (bytes.getInt(at) == 0x6474E551) {
        bytes.putInt(at, 0);
      }
    }
    assertThat(stack(library)).as("without a header about the stack").isTrue();
  }

  private static boolean stack(byte[] library) {
    return CompiledLibrary.read(library).asksForExecutableStack();
  }

  @Test
  void namesNeededLibrariesAndItself() throws IOException {
    byte[] library =
        CompiledLibrary.make(folder, "-Wl,--no-as-needed", "-lm", "-Wl,-soname,libsmall.so.1");
    ObjectFile file = CompiledLibrary.read(library);
    assertThat(file.needed()).containsExactly("libm.so.6", "libc.so.6");
    assertThat(file.ownName()).contains("libsmall.so.1");
    assertThat(CompiledLibrary.read(CompiledLibrary.make(folder)).ownName()).isEmpty();
  }

  private static byte[] withoutSectionHeaders(byte[] library) {
    ByteBuffer bytes = ByteBuffer.wrap(library.clone()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(40, 0).putShort(60, (short) 0).putShort(62, (short) 0);
    return bytes.array();
  }
}
