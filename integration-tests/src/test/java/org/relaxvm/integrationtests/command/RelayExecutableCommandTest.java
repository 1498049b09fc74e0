package org.relaxvm.integrationtests.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.file.ReleasedExecutableWriter;
import org.relaxvm.vmcore.params.ParamsFile;

/** The command on an executable of the Relay VM, its parameters and its library of kernels. */
class RelayExecutableCommandTest {
  private static final String KERNEL =
      """
      #include <stdint.h>
      typedef union { int64_t i; void* p; } Value;
      typedef struct { float* data; int32_t device[2]; int32_t rank; int32_t dtype; int64_t* shape; } Tensor;
      int32_t twice(Value* args, int32_t* codes, int32_t n, Value* ret, int32_t* code, void* resource) {
        Tensor *in = args[0].p, *out = args[1].p;
        for (int64_t i = 0; i < out->shape[0]; i++) out->data[i] = 2 * in->data[i];
        return 0;
      }
      """;

  @TempDir Path folder;
  private Path code;
  private Path params;
  private Path library;

  @BeforeEach
  void writeFiles() throws IOException {
    code = Files.write(folder.resolve("code.ro"), ReleasedExecutableWriter.toBytes(executable()));
    params = folder.resolve("consts.params");
    ParamsFile.write(params, Map.of("const_0", Tensor.of(new float[] {1.5f, 4}, Shape.of(2))));
    library = compiled();
  }

  /** {@code main()} doubles a constant that a parameter file holds. */
  private static ReleasedExecutable executable() {
    List<ReleasedInstruction> body =
        List.of(
            new ReleasedInstruction.LoadConst(0, 0, 0),
            new ReleasedInstruction.LoadConsti(8, 1),
            new ReleasedInstruction.LoadConsti(0, 2),
            new ReleasedInstruction.AllocStorage(1, 64, DType.FLOAT32, 0, Shape.scalar(), 3),
            new ReleasedInstruction.AllocTensor(3, 2, DType.FLOAT32, Shape.of(2), 4),
            new ReleasedInstruction.InvokePacked(0, 1, List.of(0, 4)),
            new ReleasedInstruction.Ret(4));
    return new ReleasedExecutable(
        "0.14.0",
        Era.R4,
        List.of(new ReleasedDevice(1, 0, "")),
        0,
        List.of(new ReleasedFunction("main", List.of(), List.of(), 5, body)),
        List.of(new ReleasedConstant.LateBound("const_0")),
        List.of(0),
        List.of("twice"),
        Map.of());
  }

  private Path compiled() throws IOException {
    String compiler =
        Stream.of("cc", "gcc", "clang")
            .filter(RelayExecutableCommandTest::isOnPath)
            .findFirst()
            .orElse("");
    if (compiler.isEmpty()) {
      System.out.println("skipped: no C compiler (cc, gcc, clang) on PATH");
    }
    Assumptions.assumeFalse(compiler.isEmpty(), "no C compiler on PATH");
    Path source = Files.writeString(folder.resolve("kernel.c"), KERNEL);
    Path made = folder.resolve("lib.so");
    Process process =
        new ProcessBuilder(compiler, "-shared", "-fPIC", "-o", made.toString(), source.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.onExit().join().exitValue()).as(output).isZero();
    return made;
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  @Test
  void runTakesItsParametersAndItsLibrary() {
    CommandRun run = CommandRun.of("run", code, "--params", params, "--library", library);
    assertThat(run.err()).doesNotContain("Exception");
    assertThat(run.out()).containsPattern("3(\\.0)?,? +8");
    assertThat(run.code()).isZero();
  }

  @Test
  void checkTakesACaseWithItsParametersAndItsLibrary() throws IOException {
    Files.writeString(
        folder.resolve("case.json"),
        """
        {"runs": [
          {"function": "main", "args": [], "results": {"npy": "twice.npy"}},
          {"function": "main", "args": [], "results": {"npy": "wrong.npy"}}
        ]}
        """);
    Npy.write(folder.resolve("twice.npy"), Tensor.of(new float[] {3, 8}, Shape.of(2)));
    Npy.write(folder.resolve("wrong.npy"), Tensor.of(new float[] {3, 9}, Shape.of(2)));
    CommandRun run = CommandRun.of("check", folder);
    assertThat(run.err()).doesNotContain("Exception");
    assertThat(run.out()).contains("1 passed, 1 failed");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void inspectPrintsTheListing() {
    CommandRun run = CommandRun.of("inspect", code, "--params", params, "--ir");
    assertThat(run.out())
        .isEqualTo(
            """
            VM Function[0]: main()
            # reg file size = 5
            # instruction count = 7
            opcode, fields # inst(text):
             0: 11 0 0 0                              # load_const $0 Const[0] 0
             1: 14 8 1                                # load_consti $1 8
             2: 14 0 2                                # load_consti $2 0
             3: 16 1 64 2 32 1 0 0 3                  # alloc_storage $3 $1 64 float32 0
             4: 5 3 2 2 32 1 1 4 2                    # alloc_tensor $4 $3 $2 [2] float32
             5: 4 0 2 1 0 4                           # invoke_packed PackedFunc[0] (in: $0, out: $4)
             6: 1 4                                   # ret $4

            """);
    assertThat(run.code()).isZero();
  }

  @Test
  void inspectTellsWhichKernelsAreMissing() {
    CommandRun run = CommandRun.of("inspect", code, "--params", params);
    assertThat(run.out()).contains("MISSING  twice");
    CommandRun found = CommandRun.of("inspect", code, "--params", params, "--library", library);
    assertThat(found.out()).contains("ok  twice").doesNotContain("MISSING");
  }

  @Test
  void constantsWithoutAFileAreNamed() {
    CommandRun run = CommandRun.of("run", code, "--library", library);
    assertThat(run.code()).isNotZero();
    assertThat(run.err())
        .contains("1 constant of the program without a tensor: const_0")
        .contains("--params on the command line");
  }

  @Test
  void benchTakesThem() {
    CommandRun run =
        CommandRun.of("bench", code, "--params", params, "--library", library, "--repeat", "3");
    assertThat(run.err()).doesNotContain("Exception");
    assertThat(run.code()).isZero();
  }
}
