package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.ExecutableWriter;

/** Whatever a user gets wrong: one message, which says what to do, and an exit code. */
class BadInputTest {
  private static final String DIGITS = "../examples/digits/digits.rvm";
  private static final String DECLARED =
      "  declared: R.Tensor((n, 1, 28, 28), dtype=\"float32\")\n";

  @TempDir private Path folder;
  private Path program;
  private byte[] bytes;

  @BeforeEach
  void writeProgram() throws IOException {
    ExecBuilder builder = new ExecBuilder();
    builder.function(
        "main",
        List.of("x"),
        f -> {
          Arg copy = f.call("vm.builtin.copy", f.param(0));
          f.ret(copy);
        });
    bytes = ExecutableWriter.write(builder.get());
    program = write("program.bin", bytes);
  }

  @Test
  void missingFile() {
    Path absent = folder.resolve("absent.rvm");
    fails("no such file: " + absent, "run", absent);
  }

  @Test
  void emptyFile() throws IOException {
    Path empty = write("empty.bin", new byte[0]);
    failsWithStart("cannot load a program from " + empty + ": it is an empty file\n", "run", empty);
  }

  @Test
  void truncatedFile() throws IOException {
    Path truncated = write("truncated.bin", Arrays.copyOf(bytes, bytes.length - 4));
    fails(
        """
        malformed executable (section: instructions)
          at byte %1$d (0x%1$x), number of instruction words
          expected: at most 6, for 52 bytes are left and each takes 8 or more
          got: 7
          what to do: the file is cut short: copy, download or build it again
          at file %2$s, read as executable\
        """
            .formatted(bytes.length - 64, truncated),
        "run",
        truncated);
  }

  @Test
  void wrongMagic() throws IOException {
    Path garbage = write("garbage.bin", "garbage!".getBytes(StandardCharsets.UTF_8));
    failsWithStart("cannot load a program from " + garbage + ": it is ", "run", garbage);
  }

  @Test
  void unknownEra() throws IOException {
    byte[] later = bytes.clone();
    System.arraycopy("0.99".getBytes(StandardCharsets.UTF_8), 0, later, 16, 4);
    Path file = write("later.bin", later);
    fails(
        """
        malformed executable (section: version)
          at byte 8 (0x8), version
          expected: "0.14"
          got: "0.99"
          what to do: the file follows another version of the format: compile the program with a \
        release that writes version 0.14
          at file %s, read as executable\
        """
            .formatted(file),
        "run",
        file);
  }

  @Test
  void missingFunction() {
    fails(
        "there is no function 'nosuch'\n  the program has: main",
        "run",
        program,
        "1",
        "--function",
        "nosuch");
  }

  @Test
  void severalMissingPackedFunctions() throws IOException {
    ExecBuilder builder = new ExecBuilder();
    builder.function(
        "main",
        List.of(),
        f -> {
          f.callVoid("my.kernel");
          f.ret(f.call("vm.builtin.shapeof"));
        });
    Path file = write("needy.bin", ExecutableWriter.write(builder.get()));
    fails(
        """
        the program needs 2 functions that nothing provides:
            my.kernel
            vm.builtin.shapeof (similar: vm.builtin.shape_of)
          searched, in this order:
            modules: none
            kernel library, for names that start with relaxvm.: kernel library of cpu:0 \
        (%d functions)
            function providers: %s
            functions registered on the builder: none
            functions registered in this process: none
          what to do: add the jar that provides them, choose a device whose library has them, or \
        register them with function(name, f) on the builder or with Functions.register\
        """
            .formatted(libraryFunctions(), functionProviders()),
        "run",
        file);
  }

  @Test
  void wrongNumberOfArguments() {
    fails("main takes (x), got 2 arguments", "run", program, "1", "2");
    fails(
        "main takes (image: float32[n, 1, 28, 28]), got 2 arguments",
        "run",
        DIGITS,
        "random:1x1x28x28",
        "random:1x1x28x28");
  }

  @Test
  void wrongRank() {
    fails(
        "argument 'image' of main: the tensor has 3 dimensions, expected 4\n"
            + DECLARED
            + "  at function main, pc 1: call vm.builtin.check_tensor_info in: %0, i4, c[0], c[1]"
            + " dst: %void",
        "run",
        DIGITS,
        "random:1x28x28");
  }

  @Test
  void wrongDtype() {
    fails(
        "argument 'image' of main: the tensor is of float64, expected float32\n"
            + DECLARED
            + "  at function main, pc 1: call vm.builtin.check_tensor_info in: %0, i4, c[0], c[1]"
            + " dst: %void",
        "run",
        DIGITS,
        "random:1x1x28x28:float64");
  }

  @Test
  void wrongShape() {
    fails(
        "argument 'image' of main: dimension 2 is 27, expected 28\n"
            + "  got: shape [1, 1, 27, 28]\n"
            + DECLARED
            + "  at function main, pc 2: call vm.builtin.match_shape in: %0, %1, i4, i1, i0, i0,"
            + " i1, i0, i28, i0, i28, c[1] dst: %void",
        "run",
        DIGITS,
        "random:1x1x27x28");
  }

  @Test
  void unknownDevice() {
    CommandRun run = CommandRun.of("run", program, "1", "--device", "tpu");
    assertThat(
            run.err()
                .replaceAll("\\([^)]*(backend-(cpu|cuda|opencl|vulkan)|/rpc/)[^)]*\\)", "(JAR)"))
        .matches(
            """
            relaxvm: error: no backend offers device tpu:0
              backends: cpu \\(JAR\\) usable: .*
                        opencl \\(JAR\\) usable: .*
                        vulkan \\(JAR\\) usable: .*
                        cuda \\(JAR\\) usable: .*
                        rpc \\(JAR\\) usable: .*
              what to do: choose one of them, or put the backend's jar on the class path or in the \
            folder plugins/
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void outOfMemoryBudget() {
    fails(
        "out of memory on cpu:0: requested 2508800 bytes with 4096 bytes in use, 0 idle and a"
            + " budget of 100000\n"
            + "  what to do: raise the memory budget, close results that are no longer needed, or"
            + " use smaller inputs\n"
            + "  at function main, pc 5: call vm.builtin.alloc_storage in: %vm, %2, i0, c[2], c[3]"
            + " dst: %3",
        "run", DIGITS, "random:100x1x28x28", "--max-memory", "100000");
  }

  @Test
  void inputOfNoKnownForm() {
    fails(
        "cannot tell what input 'frob' is: expected FILE.npy, FILE.npz, an image (.png, .jpg),"
            + " random:3x5:float32, zeros:3x5:float32, ones:3x5:float32, shape:2x3, str:TEXT, null,"
            + " true, false or a number",
        "run",
        program,
        "frob");
  }

  @Test
  void errorAsJson() {
    CommandRun run = CommandRun.of("run", program, "1", "--function", "nosuch", "--json");
    assertThat(run.out())
        .isEqualTo(
            """
            {
              "error" : {
                "kind" : "ValueError",
                "internal" : false,
                "message" : "there is no function 'nosuch'\\n  the program has: main",
                "tvm_message" : "Unknown function: nosuch"
              }
            }
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void unknownCommand() {
    CommandRun run = CommandRun.of("frobnicate");
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: no command 'frobnicate'\n"
                + "  the commands are: run, check, bench, profile, inspect, compile, convert, rpc,"
                + " doctor, devices, help\n"
                + "  'relaxvm --help' lists what it takes\n");
    assertThat(run.code()).isEqualTo(2);
  }

  private Path write(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private static void fails(String message, Object... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.err()).isEqualTo("relaxvm: error: " + message + "\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
  }

  private static void failsWithStart(String message, Object... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.err()).startsWith("relaxvm: error: " + message);
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
  }

  private static int libraryFunctions() {
    try (BackendRegistry registry = BackendRegistry.discover()) {
      return registry.require("cpu").library().functionNames().size();
    }
  }

  private static String functionProviders() {
    try (BackendRegistry registry = BackendRegistry.discover()) {
      return registry.functionProviders().stream()
          .map(p -> p.name() + " (" + p.functionNames().size() + " functions)")
          .collect(Collectors.joining(", "));
    }
  }
}
