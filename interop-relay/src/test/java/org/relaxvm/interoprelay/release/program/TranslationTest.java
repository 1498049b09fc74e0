package org.relaxvm.interoprelay.release.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoprelay.release.Kernels.longs;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.interoprelay.release.Code;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.Kernels;
import org.relaxvm.interoprelay.release.RandomRelease;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.SamplePrograms;
import org.relaxvm.interoprelay.release.file.ReleasedExecutableReader;
import org.relaxvm.interoprelay.release.file.ReleasedExecutableWriter;
import org.relaxvm.interoprelay.release.interp.ReleasedInterpreter;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Translated executables compute what the interpreter computes. */
@Tag("effort")
class TranslationTest {
  private static final int CASES = Effort.chosen().pick(200, 2_000, 100_000);

  private static final BackendRegistry REGISTRY = BackendRegistry.discover();

  @AfterAll
  static void close() {
    REGISTRY.close();
  }

  private static String interpreted(ReleasedExecutable executable, Tensor... args) {
    try (Value result =
        new ReleasedInterpreter(executable, Kernels::find).call("main", (Object[]) args)) {
      return describe(result.object());
    }
  }

  private static String translated(ReleasedExecutable executable, Tensor... args) {
    try (VirtualMachine vm = machine(executable);
        Value result = vm.function("main").call((Object[]) args)) {
      return describe(result.object());
    }
  }

  private static VirtualMachine machine(ReleasedExecutable executable) {
    VmBuilder builder =
        VirtualMachine.builder(ReleasedPrograms.of(executable, Map.of()))
            .registry(REGISTRY)
            .device("cpu");
    for (String name : Kernels.NAMES) {
      PackedFunc kernel = Kernels.find(name).orElseThrow();
      builder.function(name, kernel);
    }
    return builder.build();
  }

  private static String describe(@Nullable Object value) {
    return switch (value) {
      case Tensor tensor -> tensor.dtype() + "" + tensor.shape() + tensor.toDisplayString(100);
      case Tuple tuple -> {
        StringBuilder text = new StringBuilder("#" + tuple.tag() + "(");
        tuple.fields().forEach(field -> text.append(describe(field)).append("; "));
        yield text.append(')').toString();
      }
      case null, default -> String.valueOf(value);
    };
  }

  @ParameterizedTest
  @EnumSource
  void samplesComputeTheSame(Era era) {
    for (ReleasedExecutable executable :
        new ReleasedExecutable[] {
          SamplePrograms.list(era), SamplePrograms.tree(era), SamplePrograms.closure(era)
        }) {
      assertThat(translated(executable, longs(12))).isEqualTo(interpreted(executable, longs(12)));
    }
  }

  @Test
  void randomExecutablesComputeTheSame() {
    RandomCases cases = RandomCases.of(CASES);
    System.out.println("TranslationTest: " + cases);
    Tensor x = longs(3, 0, -2);
    Tensor y = longs(0, 5, 9);
    cases
        .numbers()
        .forEach(
            number -> {
              try {
                ReleasedExecutable made = RandomRelease.of(cases.seed() * 31 + number);
                ReleasedExecutable executable =
                    ReleasedExecutableReader.read(ReleasedExecutableWriter.toBytes(made), "made");
                assertThat(translated(executable, x, y)).isEqualTo(interpreted(made, x, y));
              } catch (RelaxException | AssertionError e) {
                throw new AssertionError("repeat with " + cases.repeat(number), e);
              }
            });
  }

  @Test
  void unassignedRegisterFailsInBoth() {
    Code code = new Code(Era.R3, 1);
    int never = code.fresh();
    code.add(new ReleasedInstruction.GetField(never, 0, never));
    code.add(new ReleasedInstruction.Ret(never));
    ReleasedExecutable executable = Kernels.executable(Era.R3, List.of(), code.build("main"));
    assertThatThrownBy(() -> interpreted(executable, longs(1))).isInstanceOf(RelaxException.class);
    assertThatThrownBy(() -> translated(executable, longs(1))).isInstanceOf(RelaxException.class);
  }

  @Test
  void programHasTheListingAndTheNamesOfParameters() {
    Program program = ReleasedPrograms.of(SamplePrograms.list(Era.R4), Map.of());
    assertThat(program.metadata().ir()).startsWith("VM Function[0]: main(p0)\n# reg file size = ");
    assertThat(program.executable().functions().getFirst().paramNames()).containsExactly("p0");
    try (VirtualMachine vm = machine(SamplePrograms.list(Era.R4))) {
      assertThat(vm.function("main").paramNames()).containsExactly("p0");
    }
  }
}
