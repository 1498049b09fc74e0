package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The command {@code profile}. */
class ProfileCommandTest {
  private static final String DIGITS = "../examples/digits/digits.rvm";

  /** A product, and functions that the kernel library has. */
  private static final String PROGRAM =
      """
      relaxvm-text 1
      @main(a, b, out):
        call  vm.builtin.null_value in: dst: %4
        call  relaxvm.matmul  in: %0, %1, %4, i0, i0, "none", %2 dst: %void
        call  relaxvm.relu    in: %2, %2 dst: %void
        call  inner           in: %2 dst: %3
        ret   %3
      @inner(x):
        call  relaxvm.exp     in: %0, %0 dst: %void
        call  vm.builtin.copy in: %0 dst: %1
        ret   %1
      """;

  @TempDir Path folder;
  private Path program;
  private Path trace;

  @BeforeEach
  void writeProgram() throws IOException {
    program = folder.resolve("program.txt");
    Files.writeString(program, PROGRAM);
    trace = folder.resolve("trace.json");
  }

  private CommandRun profile(Object... more) {
    List<Object> arguments =
        new ArrayList<>(
            List.of("profile", program, "random:20x30", "random:30x40", "random:20x40"));
    arguments.addAll(List.of(more));
    CommandRun run = CommandRun.of(arguments.toArray());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return run;
  }

  private static Object field(Map<?, ?> object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static List<Map<?, ?>> list(Map<?, ?> object, String name) {
    List<Map<?, ?>> list = new ArrayList<>();
    for (Object element : (List<?>) field(object, name)) {
      list.add((Map<?, ?>) element);
    }
    return list;
  }

  @Test
  void bytesAndOperationsAreThoseOfTheMeasuredCalls() throws IOException {
    Map<String, Object> json =
        JSON.std.mapFrom(profile("--repeat", 3, "--warmup", 2, "--json").out());
    assertThat(json)
        .containsEntry("function", "main")
        .containsEntry("devices", List.of("cpu"))
        .containsEntry("inputs", List.of("random:20x30", "random:30x40", "random:20x40"))
        .containsEntry("calls", 3);
    assertThat(((Map<?, ?>) field(json, "phases_ns")).keySet())
        .extracting(Object::toString)
        .containsExactly("link", "prepare", "warm-up", "runs");
    assertThat(list(json, "kernels"))
        .extracting(
            kernel ->
                "%s on %s, %s calls, %s bytes, %s operations"
                    .formatted(
                        kernel.get("kernel"),
                        kernel.get("device"),
                        kernel.get("calls"),
                        kernel.get("bytes"),
                        kernel.get("operations")))
        .containsExactlyInAnyOrder(
            "relaxvm.matmul on cpu:0, 3 calls, "
                + 3 * 4 * (600 + 1200 + 800)
                + " bytes, "
                + 3 * 2 * 20 * 30 * 40
                + " operations",
            "relaxvm.relu on cpu:0, 3 calls, " + 3 * 4 * 1600 + " bytes, 2400 operations",
            "relaxvm.exp on cpu:0, 3 calls, " + 3 * 4 * 1600 + " bytes, 2400 operations");
  }

  @Test
  void theTraceHasEachCallWithItsInstructionsInOrder() throws IOException {
    profile("--repeat", 2, "--warmup", 1, "--trace", trace);
    Map<String, Object> json = JSON.std.mapFrom(Files.readString(trace));
    List<Map<?, ?>> slices =
        list(json, "traceEvents").stream().filter(event -> field(event, "ph").equals("X")).toList();
    List<Map<?, ?>> onHost = ofProcess(slices, 1);
    assertThat(onHost.stream().map(event -> field(event, "cat") + " " + field(event, "name")))
        .startsWith("phase link", "phase prepare", "phase warm-up", "call main")
        .containsSubsequence(
            "phase runs",
            "call main",
            "instruction vm.builtin.null_value",
            "instruction relaxvm.matmul",
            "instruction relaxvm.relu",
            "instruction relaxvm.exp",
            "instruction vm.builtin.copy",
            "call main",
            "instruction relaxvm.matmul",
            "instruction relaxvm.relu",
            "instruction relaxvm.exp",
            "instruction vm.builtin.copy");
    assertNested(onHost);
    assertThat(ofProcess(slices, 2).stream().map(event -> field(event, "name")))
        .filteredOn(name -> name.toString().startsWith("relaxvm."))
        .containsExactly(
            "relaxvm.matmul",
            "relaxvm.relu",
            "relaxvm.exp",
            "relaxvm.matmul",
            "relaxvm.relu",
            "relaxvm.exp",
            "relaxvm.matmul",
            "relaxvm.relu",
            "relaxvm.exp");
    assertThat(onHost)
        .filteredOn(event -> field(event, "name").equals("relaxvm.matmul"))
        .allSatisfy(
            event ->
                assertThat(((Map<?, ?>) field(event, "args")).get("arguments"))
                    .isEqualTo("float32[20,30] float32[30,40] - 0 0 - float32[20,40]"));
  }

  private static List<Map<?, ?>> ofProcess(List<Map<?, ?>> slices, int pid) {
    return slices.stream().filter(event -> field(event, "pid").equals(pid)).toList();
  }

  /** Each slice of a row begins after the one before it, and ends inside of those around it. */
  private static void assertNested(List<Map<?, ?>> slices) {
    List<double[]> around = new ArrayList<>();
    double last = 0;
    for (Map<?, ?> slice : slices) {
      double start = ((Number) field(slice, "ts")).doubleValue();
      double end = start + ((Number) field(slice, "dur")).doubleValue();
      assertThat(start).isGreaterThanOrEqualTo(last);
      while (!around.isEmpty() && around.getLast()[1] <= start) {
        around.removeLast();
      }
      if (!around.isEmpty()) {
        // Sums of fractions of microseconds.
        assertThat(end).as("%s", slice).isLessThanOrEqualTo(around.getLast()[1] + 0.01);
      }
      around.add(new double[] {start, end});
      last = start;
    }
  }

  @Test
  void withoutInputsThoseOfTheDescriptionAreRandom() {
    CommandRun run = CommandRun.of("profile", DIGITS, "--repeat", 1, "--warmup", 0, "--top", 3);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("main on cpu with random:1x1x28x28:float32\n\nlink ")
        .containsPattern(
            "\nruns +[0-9.]+ [mun]s +1 call, [0-9.]+ [mun]s each\n\nKernels\n  kernel ")
        .containsPattern("\n  and \\d+ more; --top shows them\n")
        .containsPattern("\nKernel compilation\n  cpu:0  \\d+ compiled in .* from the cache in ")
        .containsPattern("\nPeak device memory\n  cpu:0  [0-9,]+ bytes\n$")
        .doesNotContain("warm-up");
    assertThat(run.code()).isZero();
  }

  @Test
  void theSecondStartInAProcessCompilesNoKernelAgain() throws IOException {
    Map<?, ?> first = builds();
    Map<?, ?> second = builds();
    int all = (Integer) field(first, "compiled") + (Integer) field(first, "cached");
    assertThat(all).isPositive();
    assertThat(second.get("compiled")).isEqualTo(0);
    assertThat(second.get("cached")).isEqualTo(all);
  }

  private static Map<?, ?> builds() throws IOException {
    CommandRun run = CommandRun.of("profile", DIGITS, "--repeat", 1, "--warmup", 0, "--json");
    List<Map<?, ?>> rows = list(JSON.std.mapFrom(run.out()), "builds");
    assertThat(rows).hasSize(1);
    return rows.getFirst();
  }

  @Test
  void kernelsOfAProgramHaveBytesAndOperations() throws IOException {
    CommandRun run =
        CommandRun.of(
            "profile", DIGITS, "--repeat", 2, "--warmup", 0, "--json", "random:3x1x28x28");
    assertThat(list(JSON.std.mapFrom(run.out()), "kernels"))
        .filteredOn(kernel -> field(kernel, "kernel").toString().contains("matmul1"))
        .singleElement()
        .satisfies(
            kernel ->
                // Two calls for three images: the last layer, from 64 features to 10 scores.
                assertThat(kernel.get("operations")).isEqualTo(2 * (2 * 3 * 64 * 10 + 3 * 10)));
  }

  @Test
  void aWrongOptionIsOneMessage() {
    assertThat(CommandRun.of("profile", program, "--repeat", 0))
        .satisfies(
            run -> {
              assertThat(run.code()).isEqualTo(2);
              assertThat(run.err()).isEqualTo(wrong("--repeat must be at least 1, but is 0"));
            });
    assertThat(CommandRun.of("profile", program, "--warmup", -1).err())
        .isEqualTo(wrong("--warmup must be at least 0, but is -1"));
    assertThat(CommandRun.of("profile", program, "--top", 0).err())
        .isEqualTo(wrong("--top must be at least 1, but is 0"));
  }

  private static String wrong(String message) {
    return "relaxvm: error: " + message + "\n  'relaxvm profile --help' lists what it takes\n";
  }

  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void theTraceShowsWhichKernelsOverlap() throws IOException {
    Files.writeString(
        program,
        """
        relaxvm-text 1
        constants:
          c[0] = shape[640000]
          c[1] = dtype uint8
          c[2] = "global"
          c[3] = shape[400, 400]
          c[4] = dtype float32
        @main(a, b):
          call  vm.builtin.null_value in: dst: %2
          call  vm.builtin.alloc_storage in: %vm, c[0], i0, c[1], c[2] dst: %3
          call  vm.builtin.alloc_tensor in: %3, i0, c[3], c[4] dst: %4
          call  relaxvm.matmul  in: %0, %1, %2, i0, i0, "none", %4 dst: %void
          call  vm.builtin.alloc_storage in: %vm, c[0], i0, c[1], c[2] dst: %5
          call  vm.builtin.alloc_tensor in: %5, i0, c[3], c[4] dst: %6
          call  relaxvm.matmul  in: %1, %0, %2, i0, i0, "none", %6 dst: %void
          ret   %4
        """);
    System.setProperty("relaxvm.parallelism", "2,always");
    CommandRun run;
    try {
      run =
          CommandRun.of(
              "profile",
              program,
              "random:400x400",
              "random:400x400",
              "--repeat",
              50,
              "--trace",
              trace);
    } finally {
      System.clearProperty("relaxvm.parallelism");
    }
    assertThat(run.err()).isEmpty();
    Map<String, Object> json = JSON.std.mapFrom(Files.readString(trace));
    List<Map<?, ?>> products =
        ofProcess(list(json, "traceEvents"), 1).stream()
            .filter(event -> field(event, "name").equals("relaxvm.matmul"))
            .toList();
    assertThat(products.stream().map(event -> field(event, "tid")).distinct()).hasSize(2);
    assertThat(products).anySatisfy(one -> assertThat(products).anyMatch(two -> overlap(one, two)));
  }

  private static boolean overlap(Map<?, ?> one, Map<?, ?> two) {
    return !field(one, "tid").equals(field(two, "tid"))
        && number(one, "ts") < number(two, "ts") + number(two, "dur")
        && number(two, "ts") < number(one, "ts") + number(one, "dur");
  }

  private static double number(Map<?, ?> event, String name) {
    return ((Number) field(event, name)).doubleValue();
  }

  @Test
  void aTraceThatCannotBeWrittenIsOneMessage() {
    Path missing = folder.resolve("missing").resolve("trace.json");
    CommandRun run = CommandRun.of("profile", DIGITS, "--repeat", 1, "--trace", missing);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("relaxvm: error: cannot write " + missing + ": no such file or folder\n");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aCallThatFailsIsOneMessageAndNoTrace() {
    CommandRun run = CommandRun.of("profile", program, "random:20x30", "--trace", trace);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().lines().findFirst().orElse("")).startsWith("relaxvm: error: ");
    assertThat(run.out()).isEmpty();
    assertThat(trace).doesNotExist();
  }
}
