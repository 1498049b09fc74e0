package org.relaxvm.interoprelay.release.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoprelay.release.Kernels.longs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.SamplePrograms;
import org.relaxvm.interoprelay.release.file.ReleasedExecutableWriter;
import org.relaxvm.vmcore.params.ParamsFile;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Files of the Relay VM, loaded as programs. */
class ReleasedProgramReaderTest {
  private static final LoadOptions NATIVE = LoadOptions.DEFAULT.withNativeCode(true);

  @TempDir Path folder;

  private static long[] run(Program program, Tensor... args) {
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Value result = vm.function("main").call((Object[]) args)) {
      return result.asTensor().toLongArray();
    }
  }

  private Path save(ReleasedExecutable executable) throws IOException {
    return Files.write(folder.resolve("code.ro"), ReleasedExecutableWriter.toBytes(executable));
  }

  @ParameterizedTest
  @CsvSource({
    "0.8.0, true",
    "0.14.0, true",
    "0.14.dev0, true",
    "0.6, true",
    "0.14, false",
  })
  void versionOtherThan014IsAccepted(String version, boolean accepted) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {0x1D, 0x15, 0x14, 0x42, 0x2F, (byte) 0xDE, 0x25, (byte) 0xD2});
    head.writeBytes(new byte[] {(byte) version.length(), 0, 0, 0, 0, 0, 0, 0});
    head.writeBytes(version.getBytes(UTF_8));
    assertThat(new ReleasedProgramReader().accepts(FileHead.of(head.toByteArray())))
        .isEqualTo(accepted);
  }

  @ParameterizedTest
  @EnumSource
  void executableAndItsLibraryRun(Era era) throws IOException {
    Path library = KernelLibraries.compile(folder, "lib.so");
    Program program = Program.load(save(SamplePrograms.list(era)), NATIVE.withLibrary(library));
    assertThat(run(program, longs(10))).containsExactly(55);
    assertThat(program.source()).isEqualTo(folder.resolve("code.ro").toAbsolutePath().toString());
    assertThat(program.metadata().ir()).startsWith("VM Function[0]: main(p0)\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"R2", "R3", "R4"})
  void exportedLibraryRuns(Era era) throws IOException {
    byte[] executable = ReleasedExecutableWriter.toBytes(SamplePrograms.closure(era));
    Path modules = folder.resolve("modules.bin");
    Files.write(modules, modules(executable));
    Path library =
        KernelLibraries.compile(
            folder, "model.so", "-DMODULES=\"" + modules.toAbsolutePath() + "\"");
    Program program = Program.load(library, NATIVE);
    assertThat(run(program, longs(3))).containsExactly(7);
    assertThat(program.hostCode().stream().map(HostCode::facts).toList())
        .singleElement()
        .satisfies(
            facts ->
                assertThat(facts.get("executable"))
                    .matches("Relay VM, saved by Apache TVM 0\\.\\d+\\.0 \\(era " + era + "\\)"));
  }

  /** An executable that imports the library's code. */
  private static byte[] modules(byte[] executable) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    words(out, 3);
    string(out, "VMExecutable".getBytes(UTF_8));
    string(out, executable);
    string(out, "_lib".getBytes(UTF_8));
    string(out, "_import_tree".getBytes(UTF_8));
    words(out, 3, 0, 1, 1, 1, 1);
    ByteArrayOutputStream symbol = new ByteArrayOutputStream();
    string(symbol, out.toByteArray());
    return symbol.toByteArray();
  }

  private static void string(ByteArrayOutputStream out, byte[] bytes) {
    words(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static void words(ByteArrayOutputStream out, long... values) {
    for (long value : values) {
      for (int i = 0; i < 8; i++) {
        out.write((int) (value >>> (8 * i)));
      }
    }
  }

  @Test
  void lateBoundConstantsComeFromAParameterFile() throws IOException {
    Path library = KernelLibraries.compile(folder, "lib.so");
    ReleasedExecutable stored = SamplePrograms.closure(Era.R4);
    Path code =
        save(
            new ReleasedExecutable(
                stored.version(),
                stored.era(),
                stored.devices(),
                stored.hostDevice(),
                stored.functions(),
                List.of(new ReleasedConstant.LateBound("const_0")),
                stored.constantDevices(),
                stored.packed(),
                stored.packedAttributes()));
    Path params = folder.resolve("consts.params");
    ParamsFile.write(params, Map.of("const_0", longs(100)));
    LoadOptions options = NATIVE.withLibrary(library);
    assertThat(run(Program.load(code, options.withParams(params)), longs(3))).containsExactly(97);
    assertThatThrownBy(() -> Program.load(code, options))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            1 constant of the program without a tensor: const_0
              expected: a parameter file with each constant that the program lacks, and no other
              what to do: load the program with its parameter file: LoadOptions.withParams, or --params on the command line
              at file %s, read as relay-executable\
            """
                .formatted(code.toAbsolutePath()));
  }

  @Test
  void damagedFileIsReportedWithItsName() throws IOException {
    Path code = save(SamplePrograms.tree(Era.R2));
    byte[] bytes = Files.readAllBytes(code);
    Files.write(code, java.util.Arrays.copyOf(bytes, bytes.length - 5));
    assertThatThrownBy(() -> Program.load(code))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("malformed executable of the Relay VM: function 'walk'\n  at byte ")
        .hasMessageEndingWith(
            "copy, download or build it again\n  at file "
                + code.toAbsolutePath()
                + ", read as relay-executable");
  }
}
