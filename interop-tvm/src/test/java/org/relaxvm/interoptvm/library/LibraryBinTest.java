package org.relaxvm.interoptvm.library;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoptvm.Bytes;

/**
 * The container of an exported library (docs/spec/native-library.md, section 4; test vector N1).
 */
class LibraryBinTest {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  /** The worked example: a root with three bytes that imports the library. */
  static byte[] example() {
    return container(
        new Bytes()
            .i64(3, 0, 1, 1)
            .i64(1, 1)
            .string("relax.VMExecutable")
            .string("abc")
            .string("_lib"));
  }

  private static byte[] container(Bytes tail) {
    return new Bytes().blob(tail.toArray()).toArray();
  }

  private static LibraryBin read(byte[] bytes) {
    return LibraryBin.read(MemorySegment.ofArray(bytes));
  }

  private static void refuses(byte[] bytes, String message) {
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("malformed module list of a library\n" + message.stripTrailing());
  }

  @Test
  void theWorkedExampleIsReadAndWritten() {
    byte[] bytes = example();
    assertThat(bytes).hasSize(105);
    LibraryBin bin = read(bytes);
    assertThat(bin.modules()).hasSize(2);
    assertThat(bin.root().kind()).isEqualTo("relax.VMExecutable");
    assertThat(bin.root().children()).containsExactly(1);
    assertThat(bin.root().bytes().isReadOnly()).isTrue();
    assertThat(new String(bin.root().bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8))
        .isEqualTo("abc");
    assertThat(bin.library()).contains(1);
    assertThat(bin.modules().get(1).children()).isEmpty();
    assertThat(bin.searchOrder()).containsExactly(0, 1);
    assertThat(bin.toBytes()).isEqualTo(bytes);
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] bytes = example();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(
              "malformed module list of a library\n  at byte 0 (0x0), byte length");
    }
    // With a length that fits, the damage shows where it is.
    for (int length = 8; length < bytes.length; length++) {
      byte[] cut = new Bytes().blob(Arrays.copyOfRange(bytes, 8, length)).toArray();
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("what to do: ");
    }
  }

  @Test
  void nativeMemoryNeedNoAlignment() {
    byte[] bytes = example();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length + 100, 64);
      for (int shift = 0; shift < 9; shift++) {
        MemorySegment slice = memory.asSlice(shift);
        MemorySegment.copy(bytes, 0, slice, ValueLayout.JAVA_BYTE, 0, bytes.length);
        assertThat(LibraryBin.read(slice).toBytes()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void bytesAfterTheContainerAreIgnoredAndThoseInsideAreNot() {
    byte[] bytes = example();
    assertThat(read(Arrays.copyOf(bytes, 200)).toBytes()).isEqualTo(bytes);
    refuses(
        new Bytes().blob(Arrays.copyOfRange(bytes, 8, bytes.length + 2)).toArray(),
        """
          at byte 105 (0x69), end of the last module
          expected: no more bytes
          got: 2 bytes
          what to do: the file is damaged: copy, download or build it again
        """);
  }

  @Test
  void modulesWithoutBytesAreAccepted() {
    byte[] bytes =
        container(new Bytes().i64(2, 0, 0).i64(0).string("relax.VMExecutable").string(""));
    LibraryBin bin = read(bytes);
    assertThat(bin.root().bytes().byteSize()).isZero();
    assertThat(bin.library()).isEmpty();
    assertThat(bin.toBytes()).isEqualTo(bytes);
  }

  @Test
  void impossibleLengthsAreRefused() {
    for (long length : new long[] {106, Long.MAX_VALUE, -1}) {
      byte[] bytes = example();
      MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, length);
      refuses(
          bytes,
          """
            at byte 0 (0x0), byte length
            expected: at most 97, for so many bytes of the symbol are left
            got: %s
            what to do: the file is cut short: copy, download or build it again
          """
              .formatted(Long.toUnsignedString(length)));
    }
  }

  @Test
  void impossibleCountsAreRefusedBeforeAnythingIsAllocated() {
    for (long count : new long[] {-1, 1L << 40, Long.MAX_VALUE}) {
      refuses(
          container(new Bytes().i64(count, 0, 0)),
          """
            at byte 8 (0x8), number of ends of children
            expected: at most 2, for 16 bytes are left and each takes 8 or more
            got: %s
            what to do: the file is cut short: copy, download or build it again
          """
              .formatted(Long.toUnsignedString(count)));
    }
  }

  @Test
  void aLibraryWithoutModulesIsRefused() {
    for (Bytes tail : List.of(new Bytes().i64(0).i64(0), new Bytes().i64(1, 0).i64(0))) {
      assertThatThrownBy(() -> read(container(tail)))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("number of ends of children")
          .hasMessageContaining("expected: 2 or more, for there is a root module");
    }
  }

  @Test
  void endsOfChildrenGrowAndEndWithTheirNumber() {
    refuses(
        ends(1, 1, 1),
        """
          at byte 16 (0x10), end of children 0
          expected: 0
          got: 1
          what to do: the file is damaged: copy, download or build it again
        """);
    refuses(
        ends(0, 2, 1),
        """
          at byte 24 (0x18), end of children 1
          expected: 0 to 1
          got: 2
          what to do: the file is damaged: copy, download or build it again
        """);
    refuses(
        ends(0, -1, 1),
        """
          at byte 24 (0x18), end of children 1
          expected: 0 to 1
          got: 18446744073709551615
          what to do: the file is damaged: copy, download or build it again
        """);
    refuses(
        ends(0, 1, 0),
        """
          at byte 32 (0x20), end of children 2
          expected: 1, the number of children
          got: 0
          what to do: the file is damaged: copy, download or build it again
        """);
    refuses(
        ends(0, 0, 0),
        """
          at byte 32 (0x20), end of children 2
          expected: 1, the number of children
          got: 0
          what to do: the file is damaged: copy, download or build it again
        """);
  }

  private static byte[] ends(long first, long second, long third) {
    return container(
        new Bytes().i64(3, first, second, third).i64(1, 1).strings("a", "b", "c", "d"));
  }

  @Test
  void childrenFollowTheirParents() {
    for (long child : new long[] {0, 2, -1, 1L << 32 | 1}) {
      refuses(
          container(
              new Bytes().i64(3, 0, 1, 1).i64(1, child).string("a").string("").string("_lib")),
          """
            at byte 48 (0x30), child of module 0
            expected: a module after it, 1 to 1
            got: %s
            what to do: the file is damaged: copy, download or build it again
          """
              .formatted(Long.toUnsignedString(child)));
    }
    for (long child : new long[] {0, 1}) {
      refuses(
          container(
              new Bytes().i64(3, 0, 0, 1).i64(1, child).string("a").string("").string("_lib")),
          """
            at byte 48 (0x30), child of module 1
            expected: none, for it is the last module
            got: %d
            what to do: the file is damaged: copy, download or build it again
          """
              .formatted(child));
    }
  }

  @Test
  void everyModuleHasAKind() {
    refuses(
        container(new Bytes().i64(2, 0, 0).i64(0).string("").string("abc")),
        """
          at byte 40 (0x28), module 0 of 1, kind
          expected: a name
          got: an empty string
          what to do: the file is damaged: copy, download or build it again
        """);
  }

  @Test
  void aSecondLibraryIsRefused() {
    refuses(
        container(
            new Bytes()
                .i64(4, 0, 0, 0, 0)
                .i64(0)
                .string("a")
                .string("")
                .string("_lib")
                .string("_lib")),
        """
          at byte 85 (0x55), module 2 of 3, kind
          expected: another than that of module 1, for a library has its code once
          got: '_lib'
          what to do: the file is damaged: copy, download or build it again
        """);
  }

  @Test
  void aModuleMayHaveTwoParentsAndIsSearchedOnce() {
    byte[] bytes =
        container(
            new Bytes()
                .i64(6, 0, 2, 3, 5, 5, 5)
                .i64(5, 2, 1, 3, 3, 3)
                .string("root")
                .string("")
                .string("left")
                .string("x")
                .string("_lib")
                .string("leaf")
                .string("")
                .string("lost")
                .string("y"));
    LibraryBin bin = read(bytes);
    assertThat(bin.searchOrder()).containsExactly(0, 2, 3, 1);
    assertThat(bin.toBytes()).isEqualTo(bytes);
  }

  @Test
  void deepAndManyPathedGraphsAreSearchedInLinearTime() {
    int count = 50_000;
    List<ModuleNode> modules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Integer> children = i == count - 1 ? List.of() : List.of(i + 1, i + 1);
      modules.add(new ModuleNode("m", NOTHING, children));
    }
    LibraryBin bin = read(new LibraryBin(modules).toBytes());
    assertThat(bin.searchOrder()).hasSize(count).startsWith(0, 1, 2);
  }

  @Test
  void onlyContainersThatCanBeReadAreMade() {
    ModuleNode code = new ModuleNode("_lib", NOTHING, List.of());
    assertThatThrownBy(() -> new LibraryBin(List.of()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("a library must have a root module, but has no modules");
    assertThatThrownBy(() -> new LibraryBin(List.of(code, code)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("modules 0 and 1 both stand for the library's code");
    assertThatThrownBy(() -> new LibraryBin(List.of(new ModuleNode("a", NOTHING, List.of(0)))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("child 0 of module 0 must be one after it and before 1");
    MemorySegment some = MemorySegment.ofArray(new byte[2]);
    assertThatThrownBy(() -> new LibraryBin(List.of(new ModuleNode("_lib", some, List.of()))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("module 0 stands for the library's code and must have no bytes");
    assertThatThrownBy(() -> new LibraryBin(List.of(new ModuleNode("", some, List.of()))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("module 0 must have a kind");
  }
}
