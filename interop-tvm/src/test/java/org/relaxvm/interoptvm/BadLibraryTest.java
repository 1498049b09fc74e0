package org.relaxvm.interoptvm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Libraries that cannot be run are refused with what is wrong and what to do; none is loaded. */
class BadLibraryTest {
  private static final LoadOptions NATIVE = LoadOptions.DEFAULT.withNativeCode(true);
  private static final String MLP = "03-mlp-dynamic-batch";
  private static final int MACHINE_AT = 18;
  private static final int GNU_STACK = 0x6474_E551;

  @TempDir Path folder;

  private Path write(byte[] bytes) throws IOException {
    Path file = folder.resolve("bad.so");
    Files.write(file, bytes);
    return file.toAbsolutePath();
  }

  private static byte[] golden(String name) throws IOException {
    return Files.readAllBytes(GoldenLibrary.require(name).resolve("model.so"));
  }

  private static void link(Path file, LoadOptions options) {
    VirtualMachine.builder(Program.load(file, options)).build().close();
  }

  private void assertNothingLoaded() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    if (Files.exists(maps)) {
      assertThat(Files.readAllLines(maps))
          .noneMatch(line -> line.contains("bad.so") && line.contains("r-xp"));
    }
  }

  @Test
  void aLibraryWithoutAProgram() throws IOException {
    Path library = CLibrary.compile(folder, "imitation.c", "bad.so").toAbsolutePath();
    assertThatThrownBy(() -> link(library, NATIVE))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            library
                + " is a native library that holds no program\n"
                + "  expected: the symbol __tvm_ffi__library_bin, which Apache TVM writes\n"
                + "  got: ")
        .hasMessageEndingWith(
            " other symbols\n  what to do: give the file that export_library wrote");
    assertNothingLoaded();
  }

  /** The form of Mach-O files with several libraries that has offsets of 64 bits. */
  @Test
  void aWideFileWithoutLibraries() throws IOException {
    Path file = write(new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBF, 0, 0, 0, 0});
    assertThatThrownBy(() -> link(file, NATIVE))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("cannot read the native library " + file)
        .hasMessageContaining("number of libraries");
  }

  @Test
  void aLibraryForAnotherProcessor() throws IOException {
    byte[] bytes = golden(MLP);
    boolean onArm = System.getProperty("os.arch").equals("aarch64");
    if (!onArm) {
      bytes[MACHINE_AT] = (byte) 183;
    }
    Path file = write(bytes);
    assertThatThrownBy(() -> link(file, NATIVE))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + file
                + ": it is for "
                + (onArm ? "x86-64" : "aarch64")
                + ", and this JVM runs on "
                + System.getProperty("os.arch")
                + ": export the model for this processor");
    assertNothingLoaded();
  }

  @Test
  void aLibraryThatWasNotAllowed() throws IOException {
    Path file = write(golden(MLP));
    assertThatThrownBy(() -> link(file, LoadOptions.DEFAULT))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + file
                + ": loading it runs its code, which was not allowed\n"
                + "  what to do: if you trust the file, load the program with"
                + " LoadOptions.DEFAULT.withNativeCode(true)");
    assertNothingLoaded();
  }

  @Test
  void aLibraryThatAsksForExecutableStacks() throws IOException {
    byte[] bytes = golden(MLP);
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 64; at < 64 + 56 * words.getShort(56); at += 56) {
      if (words.getInt(at) == GNU_STACK) {
        words.putInt(at + 4, 7);
      }
    }
    Path file = write(bytes);
    assertThatThrownBy(() -> link(file, NATIVE))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + file
                + ": it asks for executable stacks, which ends a Java process sooner or later\n"
                + "  what to do: export it again with the linker option -Wl,-z,noexecstack");
    assertNothingLoaded();
  }

  @Test
  void aLibraryThatExpectsWhatNobodyHas() throws IOException {
    byte[] bytes = golden(MLP);
    byte[] name = "TVMFFIErrorSetRaisedFromCStrParts\0".getBytes(US_ASCII);
    int at = indexOf(bytes, name);
    while (at >= 0) {
      bytes[at + 3] = 'X';
      at = indexOf(bytes, name);
    }
    Path file = write(bytes);
    assertThatThrownBy(() -> link(file, NATIVE))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + file
                + ": "
                + file
                + ": undefined symbol: TVMXFIErrorSetRaisedFromCStrParts\n"
                + "  symbols that it expects and that neither RelaxVM nor this process has:"
                + " TVMXFIErrorSetRaisedFromCStrParts\n"
                + "  what to do: link the library that has them when the model is exported, so"
                + " that the model names it, or compile the model without what needs them");
    assertNothingLoaded();
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; at <= bytes.length - part.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return -1;
  }

  @Test
  void aFileThatReplacedTheProgram() throws IOException {
    Path file = write(golden(MLP));
    Program program = Program.load(file, NATIVE);
    Path other = folder.resolve("other.so");
    Files.write(other, golden("02-ones-cast-dynamic"));
    Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> VirtualMachine.builder(program).build())
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "cannot load "
                + file
                + ": another file has taken its place since the program was loaded\n"
                + "  what to do: load the program again");
    assertNothingLoaded();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "02-ones-cast-dynamic",
        "03-mlp-dynamic-batch",
        "04-mlp-compiled-mode",
        "05-cnn",
        "06-control-flow",
        "07-mlp-opencl",
        "08-mlp-vulkan",
        "09-mlp-cuda",
        "10-ones-cast-fused",
        "11-mlp-fused",
        "12-cnn-fused"
      })
  @Timeout(60)
  void aLibraryThatWasCutShort(String name) throws IOException {
    checkCuts(golden(name));
  }

  @Test
  void aCompiledLibraryThatWasCutShort() throws IOException {
    checkCuts(Files.readAllBytes(CLibrary.compile(folder, "imitation.c", "whole.so")));
  }

  /** A library needs its last byte: its section headers are there. */
  private void checkCuts(byte[] whole) throws IOException {
    assertThatThrownBy(() -> link(write(new byte[0]), NATIVE))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("it is an empty file")
        .hasMessageContaining("what to do: write or download it again");
    for (int length = 1024; length < whole.length; length += 1024) {
      Path file = write(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> link(file, NATIVE))
          .as("%d of %d bytes", length, whole.length)
          .isInstanceOf(MalformedFileException.class)
          .isInstanceOfSatisfying(
              RelaxException.class,
              e ->
                  assertThat(e.toString())
                      .contains(file.toString())
                      .contains("expected: ")
                      .contains("got: ")
                      .contains("what to do: "));
    }
    assertNothingLoaded();
  }
}
