package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * Each program of the corpus gives, in each mode and read from a file, what the evaluator gives.
 * {@code -Drelaxvm.seed=} makes other inputs, {@code -Drelaxvm.program=branch*} chooses programs.
 */
class ProgramCorpusTest {
  private static final long SEED = Long.getLong("relaxvm.seed", 1);
  private static final String DEVICE = "cpu";
  private static final int FEWEST_PROGRAMS = 100;

  private static BackendRegistry registry;
  private static int programs;
  private static int runs;

  @BeforeAll
  static void open() {
    registry = BackendRegistry.discover();
  }

  @AfterAll
  static void closeAndReport() {
    registry.close();
    System.out.printf(
        "ProgramCorpusTest: %d programs, %d runs on %s in the modes %s and from a file,"
            + " -Drelaxvm.seed=%d%n",
        programs, runs, DEVICE, Arrays.toString(Mode.values()), SEED);
  }

  static List<ProgramFile> programs() throws IOException {
    return ProgramFile.chosen();
  }

  @Test
  void theCorpusIsThere() throws IOException {
    List<ProgramFile> all = ProgramFile.all();
    assertThat(all).hasSizeGreaterThanOrEqualTo(FEWEST_PROGRAMS);
    assertThat(all).allSatisfy(program -> assertThat(program.runs()).isNotEmpty());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void isReadAsItIsPrinted(ProgramFile file) {
    IRModule module = file.module();
    RelaxText.Printed printed = RelaxText.printWithConstants(module);
    IRModule again =
        RelaxText.parse(printed.text(), "printed", StandardOps.registry(), printed.constants());
    assertThat(StructuralEquality.areEqual(module, again)).as(printed.text()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void doesWhatTheEvaluatorSays(ProgramFile file, @TempDir Path folder) {
    IRModule module = file.module();
    RelaxFunction main = (RelaxFunction) module.require(new GlobalVar("main"));
    Agreement agreement = new Agreement(file.tolerance(), 1e-2);
    List<Supplier<List<Object>>> args = new ArrayList<>();
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < file.runs().size(); i++) {
      int number = i;
      args.add(
          () ->
              new Inputs(
                      file.runs().get(number),
                      file.values(),
                      new SplittableRandom(SEED * 1_000 + number))
                  .of(main));
      expected.add(Runner.evaluate(module, args.getLast().get()));
    }
    for (Mode mode : Mode.values()) {
      Program program = Compiler.compile(module, mode.options());
      runAll(program, mode::execution, mode.toString(), file, args, expected, agreement);
    }
    Path written = folder.resolve(file.name() + ".rvm");
    Program compiled = Compiler.compile(module);
    RvmWriter.write(compiled, written);
    Program loaded = Program.load(written);
    assertThat(loaded.metadata().ir()).isEqualTo(RelaxText.print(module));
    assertThat(kernels(loaded)).isEqualTo(kernels(compiled));
    runAll(loaded, builder -> {}, "from a file", file, args, expected, agreement);
    programs++;
  }

  private static List<String> kernels(Program program) {
    return program.modules().stream()
        .map(kernels -> kernels.image().bytes().toArray(ValueLayout.JAVA_BYTE))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  private static void runAll(
      Program program,
      Consumer<VmBuilder> execution,
      String mode,
      ProgramFile file,
      List<Supplier<List<Object>>> args,
      List<Object> expected,
      Agreement agreement) {
    try (VirtualMachine vm = new Runner(registry, DEVICE).machine(program, execution)) {
      for (int i = 0; i < args.size(); i++) {
        try {
          Runner.run(vm, args.get(i).get(), expected.get(i), agreement);
        } catch (AssertionError e) {
          throw new AssertionError(
              file.name() + ", " + mode + ", run " + file.runs().get(i) + ": " + e.getMessage(), e);
        }
        runs++;
      }
    }
  }
}
