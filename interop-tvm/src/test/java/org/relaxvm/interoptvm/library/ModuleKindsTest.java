package org.relaxvm.interoptvm.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoptvm.Bytes;
import org.relaxvm.interoptvm.library.ModuleContent.ExecutableContent;
import org.relaxvm.interoptvm.library.ModuleContent.JsonRuntime;
import org.relaxvm.interoptvm.library.ModuleContent.LibraryCode;
import org.relaxvm.interoptvm.library.ModuleContent.StaticLibrary;
import org.relaxvm.interoptvm.library.ModuleContent.Unknown;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.executable.ReadOptions;

/** What is in a module of each kind (docs/spec/native-library.md, section 4.3). */
class ModuleKindsTest {
  static ModuleContent parse(String kind, Bytes bytes) {
    return new LibraryBin(List.of(new ModuleNode(kind, bytes.segment(), List.of())))
        .content(0, ReadOptions.DEFAULT);
  }

  static Bytes constLoader() {
    return new Bytes()
        .strings("w", "b")
        .i64(2)
        .tensor(Tensor.of(new float[] {1, 2}, Shape.of(2)))
        .tensor(Tensor.of(new long[] {7}, Shape.of()))
        .strings("dense", "relu")
        .i64(2)
        .strings("w", "b")
        .strings();
  }

  static byte[] executable() {
    Tensor constant = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    Executable executable =
        new Executable(List.of(), List.of("odd", constant), Map.of(), new long[0], new long[0]);
    return ExecutableWriter.write(executable);
  }

  @Test
  void constantsOfAnExecutableAreAlignedWhereverItLies() {
    byte[] bytes = executable();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length + 64, 64);
      for (int shift = 0; shift < 9; shift++) {
        MemorySegment slice = memory.asSlice(shift, bytes.length);
        slice.copyFrom(MemorySegment.ofArray(bytes));
        LibraryBin bin =
            new LibraryBin(List.of(new ModuleNode("relax.VMExecutable", slice, List.of())));
        assertThat(bin.content(0, ReadOptions.DEFAULT))
            .isInstanceOfSatisfying(
                ExecutableContent.class,
                content -> {
                  Tensor tensor = (Tensor) content.result().executable().constants().get(1);
                  assertThat(tensor.segment().address() % 64).isZero();
                  assertThat(tensor.toFloatArray()).containsExactly(1, 2, 3);
                });
      }
    }
  }

  @Test
  void damageNamesTheModule() {
    assertThatThrownBy(() -> parse("relax.VMExecutable", new Bytes()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageEndingWith("\n  at module 0 of the library, of kind relax.VMExecutable");
  }

  @Test
  void theLibrarysCodeHasNoContent() {
    assertThat(parse("_lib", new Bytes())).isEqualTo(new LibraryCode());
  }

  @Test
  void constantsAndWhoNeedsThemAreRead() {
    assertThat(parse("const_loader", constLoader()))
        .isInstanceOfSatisfying(
            ConstLoader.class,
            loader -> {
              assertThat(loader.constants()).containsOnlyKeys("w", "b");
              assertThat(loader.constants().firstEntry().getValue().toFloatArray())
                  .containsExactly(1, 2);
              assertThat(loader.constants().firstEntry().getValue().segment().address() % 64)
                  .isZero();
              assertThat(loader.needs().firstEntry().getValue()).containsExactly("w", "b");
              assertThat(loader.needs().lastEntry().getKey()).isEqualTo("relu");
              assertThat(loader.needs().lastEntry().getValue()).isEmpty();
            });
  }

  @Test
  void everyTruncationOfConstantsIsRefused() {
    byte[] bytes = constLoader().toArray();
    for (int length = 0; length < bytes.length; length++) {
      Bytes cut = new Bytes().raw(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> parse("const_loader", cut))
          .isInstanceOf(MalformedFileException.class);
    }
  }

  @Test
  void contradictionsAmongConstantsAreRefused() {
    assertThatThrownBy(() -> parse("const_loader", new Bytes().strings("w").i64(0, 0, 0)))
        .hasMessage(
            """
            malformed module of constants
              at byte 17 (0x11), number of tensors
              expected: 1, as many as names
              got: 0
              what to do: the file is damaged: copy, download or build it again
              at module 0 of the library, of kind const_loader\
            """);
    assertThatThrownBy(
            () ->
                parse(
                    "const_loader", new Bytes().strings().i64(0).strings("f").i64(1).strings("w")))
        .hasMessage(
            """
            malformed module of constants
              at byte 41 (0x29), list of constants 0 of 1, constant name
              expected: one of the 0 variable names
              got: 'w'
              what to do: the file is damaged: copy, download or build it again
              at module 0 of the library, of kind const_loader\
            """);
    Tensor tensor = Tensor.of(new float[] {1}, Shape.of(1));
    assertThatThrownBy(
            () ->
                parse(
                    "const_loader",
                    new Bytes().strings("w", "w").i64(2).tensor(tensor).tensor(tensor)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("expected: each name once\n  got: 'w' again");
    assertThatThrownBy(
            () ->
                parse("const_loader", new Bytes().strings().i64(0).strings("f", "f").i64(2, 0, 0)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("expected: each name once\n  got: 'f' again");
  }

  @Test
  void objectCodeIsListed() {
    Bytes bytes = new Bytes().blob(new byte[] {1, 2, 3}).strings("f", "g");
    assertThat(parse("static_library", bytes))
        .isInstanceOfSatisfying(
            StaticLibrary.class,
            library -> {
              assertThat(library.functions()).containsExactly("f", "g");
              assertThat(library.objects().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
            });
    Bytes more = new Bytes().blob(new byte[3]).strings("f").i32(0);
    assertThatThrownBy(() -> parse("static_library", more))
        .hasMessage(
            """
            malformed static library
              at byte 28 (0x1c), end of the module
              expected: no more bytes
              got: 4 bytes
              what to do: the file is damaged: copy, download or build it again
              at module 0 of the library, of kind static_library\
            """);
  }

  @Test
  void graphsOfOtherRuntimesAreListed() {
    for (String kind : List.of("dnnl_json", "tensorrt", "clml", "arm_compute_lib", "new_json")) {
      assertThat(parse(kind, new Bytes().string("sym").string("{}").strings("c0", "c1")))
          .isEqualTo(new JsonRuntime(kind, "sym", "{}", List.of("c0", "c1")));
    }
  }

  @Test
  void whatIsNotUnderstoodIsKeptAndNamed() {
    for (String kind : List.of("metal", "hexagon", "webgpu", "mine", "dnnl_json")) {
      assertThat(parse(kind, new Bytes().i32(5)))
          .isInstanceOfSatisfying(
              Unknown.class,
              unknown -> {
                assertThat(unknown.kind()).isEqualTo(kind);
                assertThat(unknown.bytes().toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(5, 0, 0, 0);
              });
    }
  }
}
