package org.relaxvm.vmcore.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.executable.ReadOptions;

class ProgramReadersTest {
  private static final String READERS =
      "\n  readers: executable (a bare Relax VM executable, format 0.14);"
          + " rvm (a RelaxVM package, a zip archive that starts with manifest.json);"
          + " text (the text form, starting with the line 'relaxvm-text 1')";
  private static final String INPUT =
      "\n  what to do: give a program; this file may be an input of one";

  @TempDir Path folder;

  @Test
  void formatIsToldByContentAndNotByName() throws IOException {
    Path file = folder.resolve("misleading.png");
    Files.write(file, ExecutableWriter.write(Samples.executable()));
    Program program = Program.load(file);
    assertThat(program.source()).isEqualTo(file.toAbsolutePath().toString());
    assertThat(program.executable().functions()).hasSize(2);
    assertThat(program).hasToString("program from " + file.toAbsolutePath());
    RvmWriter.write(Samples.program(), file);
    assertThat(Program.load(file).metadata().name()).isEqualTo("sample");
    Files.writeString(file, "# a comment\n\n@main(x):\n  ret %0\n");
    assertThat(Program.load(file).executable().functions()).hasSize(1);
  }

  @Test
  void missingFileIsNamedWithItsAbsolutePath() {
    Path file = Path.of("no-such-program.rvm");
    assertThatThrownBy(() -> Program.load(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("no such file: " + file.toAbsolutePath())
        .extracting(e -> ((MalformedFileException) e).kind())
        .isEqualTo(ErrorKind.IO);
  }

  @Test
  void anOptionThatTheFormatDoesNotHaveIsRefused() throws IOException {
    Path file = folder.resolve("program.bin");
    Files.write(file, ExecutableWriter.write(Samples.executable()));
    LoadOptions options = LoadOptions.DEFAULT.withSetting("bind", "n=3");
    assertThatThrownBy(() -> Program.load(file, options))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the format executable has no option 'bind'\n"
                + "  got: bind n=3\n"
                + "  options of the format: none\n"
                + "  what to do: load the program without the option\n"
                + "  at file "
                + file.toAbsolutePath()
                + ", read as executable");
  }

  @Test
  void aSettingIsANameAndAValue() {
    FormatSetting setting = new FormatSetting("bind", "n=3");
    assertThat(setting.key()).isEqualTo("n");
    assertThat(setting.number(0)).isEqualTo(3);
    for (String wrong : List.of("n=-1", "n=x", "n=")) {
      assertThatThrownBy(() -> new FormatSetting("bind", wrong).number(0))
          .isInstanceOf(InvalidProgramException.class)
          .hasMessage(
              "malformed value of the option 'bind'\n"
                  + "  expected: NAME=N with an integer N of at least 0\n"
                  + "  got: "
                  + wrong);
    }
    assertThatThrownBy(() -> new FormatSetting("bind", "n").key())
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "malformed value of the option 'bind'\n"
                + "  expected: a name, '=' and a value\n"
                + "  got: n");
  }

  @Test
  void directoryIsRefused() {
    assertThatThrownBy(() -> Program.load(folder))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot load a program from " + folder.toAbsolutePath() + ": it is a directory");
  }

  @Test
  void unknownContentSaysWhatItLooksLike() throws IOException {
    refuses(new byte[0], "an empty file", "\n  what to do: write or download it again");
    refuses(bytes(0x89, 'P', 'N', 'G', 13, 10, 26, 10), "a PNG image", INPUT);
    refuses(bytes(0xFF, 0xD8, 0xFF, 0xE0), "a JPEG image", INPUT);
    refuses(bytes(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0), "a NumPy array", INPUT);
    String load =
        "\n  what to do: if Apache TVM exported it, load it with the relaxvm-interop-tvm jar on the"
            + " class path";
    refuses(bytes(0x7F, 'E', 'L', 'F', 2, 1, 1, 0), "an ELF library", load);
    refuses(bytes(0xCF, 0xFA, 0xED, 0xFE, 7, 0), "a library of macOS", load);
    refuses(bytes('M', 'Z', 0x90, 0), "a library of Windows", load);
    refuses(
        "MZ is no program\n".getBytes(UTF_8),
        "a text file that is no program",
        "\n  what to do: a program in text form starts with the line 'relaxvm-text 1' or with a"
            + " function such as '@main(x):'");
    refuses(
        "hello\n".getBytes(UTF_8),
        "a text file that is no program",
        "\n  what to do: a program in text form starts with the line 'relaxvm-text 1' or with a"
            + " function such as '@main(x):'");
    refuses(
        bytes(1, 2, 3, 0xFE),
        "of an unknown format, starting with the bytes 01 02 03 fe",
        "\n  what to do: check that the file is complete and is the one you meant");
  }

  @Test
  void zipWithoutManifestIsRefused() throws IOException {
    byte[] bytes = new byte[64];
    System.arraycopy(bytes("PK\3\4"), 0, bytes, 0, 4);
    bytes[26] = 5;
    System.arraycopy(bytes("a.txt"), 0, bytes, 30, 5);
    refuses(
        bytes,
        "a zip archive whose first entry is not 'manifest.json', but 'a.txt'",
        "\n  what to do: a .rvm package must be written by RelaxVM; packing its files again with a"
            + " zip tool loses the order and alignment that it needs");
    bytes[26] = 9;
    System.arraycopy(bytes("arr_0.npy"), 0, bytes, 30, 9);
    refuses(bytes, "an archive of NumPy arrays (.npz)", INPUT);
  }

  @Test
  void damagedExecutableIsReportedWithItsFile() throws IOException {
    Path file = folder.resolve("short.bin");
    byte[] bytes = ExecutableWriter.write(Samples.executable());
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> Program.load(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("malformed executable (section: instructions)\n")
        .hasMessageEndingWith("\n  at file " + file.toAbsolutePath() + ", read as executable");
  }

  @Test
  void strictLoadingRefusesWhatIsOnlyOdd() throws IOException {
    Path file = folder.resolve("odd.txt");
    Files.writeString(file, "@main(x):\n  ret %1\n");
    assertThat(Program.load(file).executable().functions()).hasSize(1);
    LoadOptions strict = LoadOptions.DEFAULT.withExecutable(ReadOptions.DEFAULT.withStrict(true));
    assertThatThrownBy(() -> Program.load(file, strict))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageEndingWith("\n  at file " + file.toAbsolutePath() + ", read as text");
  }

  @Test
  void invalidProgramsAreRefusedWithTheirFile() throws IOException {
    Path file = folder.resolve("invalid.txt");
    Files.writeString(file, "@main(x):\n  goto 7\n");
    assertThatThrownBy(() -> Program.load(file))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("main")
        .hasMessageEndingWith("\n  at file " + file.toAbsolutePath() + ", read as text");
  }

  @Test
  void readersOfOthersAreAsked() throws IOException {
    Path file = folder.resolve("other");
    Files.writeString(file, "OTHER");
    ProgramReader other =
        new ProgramReader() {
          @Override
          public int spiVersion() {
            return SPI_VERSION;
          }

          @Override
          public String name() {
            return "other";
          }

          @Override
          public String describe() {
            return "a file that starts with OTHER";
          }

          @Override
          public boolean accepts(FileHead head) {
            return head.hasTextAt(0, "OTHER");
          }

          @Override
          public Program read(Path path, LoadOptions options) {
            return Samples.program().withSource("elsewhere");
          }
        };
    Program program = ProgramReaders.of(List.of(other)).read(file, LoadOptions.DEFAULT);
    assertThat(program).hasToString("program sample from elsewhere");
  }

  private static byte[] relayHeader(String version) {
    byte[] text = bytes(version);
    byte[] bytes = new byte[32 + text.length];
    byte[] magic = bytes(0x1D, 0x15, 0x14, 0x42, 0x2F, 0xDE, 0x25, 0xD2, text.length);
    System.arraycopy(magic, 0, bytes, 0, magic.length);
    System.arraycopy(text, 0, bytes, 16, text.length);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.14.0", "0.14.dev0", "0.8.0", "0.7.dev1+gabc"})
  void executableOfTheRelayVmIsNamed(String version) throws IOException {
    byte[] bytes = relayHeader(version);
    assertThat(new ExecutableProgramReader().accepts(FileHead.of(bytes))).isFalse();
    refuses(
        bytes,
        "an executable of the Relay VM, written by Apache TVM " + version,
        "\n"
            + "  what to do: load it as a program with the relaxvm-interop-relay jar on the class"
            + " path");
  }

  @Test
  void executableOfTheSameMagicWithVersion014IsOneOfTheRelaxVm() {
    byte[] bytes = relayHeader("0.14");
    assertThat(new ExecutableProgramReader().accepts(FileHead.of(bytes))).isTrue();
    assertThat(
            new ExecutableProgramReader().accepts(FileHead.of(java.util.Arrays.copyOf(bytes, 9))))
        .isTrue();
  }

  @Test
  void filesThatAFormatDoesNotTakeAreRefused() throws IOException {
    Path file = folder.resolve("program");
    Files.write(file, ExecutableWriter.write(Samples.executable()));
    Path other = folder.resolve("other");
    assertThatThrownBy(() -> Program.load(file, LoadOptions.DEFAULT.withParams(other)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the program takes no parameter file\n  got: "
                + other.toAbsolutePath()
                + "\n  what to do: load the program without it\n  at file "
                + file.toAbsolutePath()
                + ", read as executable");
    assertThatThrownBy(() -> Program.load(file, LoadOptions.DEFAULT.withLibrary(other)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith("the program takes no library of kernels\n  got: ");
  }

  private void refuses(byte[] content, String what, String remedy) throws IOException {
    Path file = folder.resolve("input");
    Files.write(file, content);
    assertThatThrownBy(() -> Program.load(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot load a program from "
                + file.toAbsolutePath()
                + ": it is "
                + what
                + READERS
                + remedy);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(UTF_8);
  }
}
