package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoptvm.shim.ElfShim;

/** Libraries that somebody made to do harm. */
class HostileElfTest {
  private final ByteBuffer bytes =
      ByteBuffer.wrap(ElfShim.image(Machine.X86_64, "libshim.so", List.of("one", "two")))
          .order(ByteOrder.LITTLE_ENDIAN);
  private final int dynamic = Math.toIntExact(bytes.getLong(64 + 2 * 56 + 8));

  private String message() {
    try {
      CompiledLibrary.read(bytes.array());
    } catch (MalformedFileException e) {
      return e.getMessage();
    }
    throw new AssertionError("it was read");
  }

  /** Where the value of a tag stands. */
  private int tag(long tag) {
    return IntStream.iterate(dynamic, at -> at + 16)
            .filter(at -> bytes.getLong(at) == tag)
            .findFirst()
            .orElseThrow()
        + 8;
  }

  private int hash() {
    return (int) bytes.getLong(tag(4));
  }

  @Test
  void itIsFineUnlessHarmed() {
    assertThat(CompiledLibrary.read(bytes.array()).defined()).containsKeys("one", "two");
  }

  @Test
  void aLoopInAHashChainIsRefused() {
    int symbols = bytes.getInt(hash() + 4);
    int chains = hash() + 8 + 4 * bytes.getInt(hash());
    for (int i = 1; i < symbols; i++) {
      bytes.putInt(chains + 4 * i, i);
    }
    int bucket =
        IntStream.iterate(hash() + 8, at -> at + 4)
            .filter(at -> bytes.getInt(at) != 0)
            .findFirst()
            .orElseThrow();
    assertThat(message())
        .isEqualTo(
            "cannot read the native library library.so\n  at byte "
                + bucket
                + " (0x"
                + Integer.toHexString(bucket)
                + "), hash chain\n"
                + "  expected: each of 4 symbols at most once\n"
                + "  got: a loop\n"
                + "  what to do: the file is damaged: copy, download or build it again");
  }

  @Test
  void aChainThatLeavesTheTableIsRefused() {
    int symbols = bytes.getInt(hash() + 4);
    for (int i = 0; i < symbols; i++) {
      bytes.putInt(hash() + 8 + 4 * i, 0x7FFF_FFFF);
    }
    assertThat(message()).contains("hash chain").contains("got: symbol 2147483647");
  }

  @Test
  void moreSymbolsThanTheFileHasBytesAreRefused() {
    bytes.putInt(hash() + 4, -1);
    assertThat(message()).contains("hash table").contains("got: 17179869204 bytes");
  }

  @Test
  void offsetsThatOverflowAreRefused() {
    bytes.putLong(64 + 8, -16);
    assertThat(message())
        .contains("expected: bytes among the ")
        .contains("bytes from byte 18446744073709551600");
    bytes.putLong(32, Long.MAX_VALUE);
    assertThat(message()).contains("byte 32 (0x20), program headers");
  }

  @Test
  void addressesThatOverflowAreRefused() {
    bytes.putLong(64 + 56 + 16, 0x7FFF_FFFF_FFFF_F000L + dynamic % 0x1000);
    bytes.putLong(64 + 56 + 40, 0x1000);
    assertThat(message()).contains("segment").contains("got: 4096 bytes at 0x7ffffffffffff");
  }

  @Test
  void tablesThatOverlapAreRefused() {
    bytes.putLong(tag(5), bytes.getLong(tag(6)));
    assertThat(message()).contains("symbols").contains("overlap the names of symbols");
  }

  @Test
  void segmentsThatOverlapAreRefused() {
    bytes.putLong(64 + 40, 0x2000);
    assertThat(message()).contains("segment\n  expected: an address from 0x2000 and at least");
  }

  @Test
  void aNameWithoutEndIsRefused() {
    int names = (int) bytes.getLong(tag(5));
    int size = (int) bytes.getLong(tag(10));
    bytes.put(names + size - 1, (byte) 'x');
    assertThat(message())
        .contains("symbol name\n  expected: a NUL byte at the end\n  got: none before byte");
  }

  @Test
  void aNameOutsideOfTheNamesIsRefused() {
    int symbols = (int) bytes.getLong(tag(6));
    bytes.putInt(symbols + 24, 0x7000_0000);
    assertThat(message()).contains("symbol name\n").contains("got: one at 1879048192");
  }

  @Test
  void dataOutsideOfTheSegmentsIsRefused() {
    int symbols = (int) bytes.getLong(tag(6));
    bytes.putLong(symbols + 3 * 24 + 16, Long.MAX_VALUE);
    assertThat(message())
        .contains("symbol " + ElfShim.TABLE + "\n  expected: bytes of one segment");
  }

  @Test
  void aDynamicTableWithoutEndIsRefused() {
    bytes.putLong(tag(11) + 8, 99);
    assertThat(message()).contains("dynamic table\n  expected: tag 0 at the end");
  }

  @Test
  void aSecondAnswerToOneQuestionIsRefused() {
    bytes.putLong(tag(11) - 8, 5);
    assertThat(message()).contains("got: tag 5 again");
  }

  @Test
  void manySymbolsThatShareOneLongNameAreRefused() {
    ByteBuffer shared =
        ByteBuffer.wrap(
                ElfShim.image(
                    Machine.X86_64,
                    "x".repeat(20_000),
                    IntStream.range(0, 1000).mapToObj(i -> "f" + i).toList()))
            .order(ByteOrder.LITTLE_ENDIAN);
    int table = Math.toIntExact(shared.getLong(64 + 2 * 56 + 8));
    int symbols = (int) shared.getLong(table + 3 * 16 + 8);
    for (int i = 1; i <= 1000; i++) {
      shared.putInt(symbols + 24 * i, 1);
    }
    assertThatThrownBy(() -> CompiledLibrary.read(shared.array()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("at most 4 times the file's size");
  }

  @Test
  void otherKindsOfElfFilesAreNamed() {
    bytes.putShort(16, (short) 1);
    assertThat(message())
        .contains("file type\n  expected: 3 (a shared library)\n  got: 1")
        .endsWith("what to do: link it as a shared library");
  }

  @Test
  void othersAreNamedAndNotRead() {
    bytes.put(4, (byte) 1);
    ObjectFile narrow = CompiledLibrary.read(bytes.array());
    assertThat(narrow.target().wordBits()).isEqualTo(32);
    assertThat(narrow.defined()).isEmpty();
    assertThat(narrow.unfit("Linux", "amd64"))
        .contains(
            "it is for x86-64 (32-bit, little-endian), and only 64-bit, little-endian libraries"
                + " can be loaded: export the model for such a processor and run it on a JVM"
                + " there");
    bytes.put(4, (byte) 2).put(5, (byte) 2).put(18, (byte) 0).put(19, (byte) 21);
    ObjectFile big = CompiledLibrary.read(bytes.array());
    assertThat(big.target().machineName()).isEqualTo("ppc64");
    assertThat(big.target().byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(big.unfit("Linux", "ppc64")).isPresent();
    assertThat(big.unresolved(Set.of())).isEmpty();
  }

  @Test
  void filesThatAreNoLibraryAreNamed() {
    assertThatThrownBy(() -> CompiledLibrary.read("hello".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot read the native library library.so\n"
                + "  at byte 0 (0x0), magic\n"
                + "  expected: an ELF, Mach-O or PE library\n"
                + "  got: a file that is a text file\n"
                + "  what to do: if it is a program in text form, assemble it with"
                + " Assembler.parse");
  }
}
