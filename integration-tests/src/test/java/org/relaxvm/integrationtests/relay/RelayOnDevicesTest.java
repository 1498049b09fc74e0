package org.relaxvm.integrationtests.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.integrationtests.devices.NeedsDevice;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.interp.RelayInterpreter;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.interoprelay.translate.PhiStrategy;
import org.relaxvm.interoprelay.translate.ProposalTranslator;
import org.relaxvm.interoprelay.translate.TranslationOptions;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Random Relay programs of library kernels do on each device, translated in both strategies for
 * Phis, what the direct interpreter does with kernels of its own.
 */
class RelayOnDevicesTest {
  private static final Map<String, PackedFunc> KERNELS =
      Map.of(
          "relaxvm.add", kernel(Double::sum),
          "relaxvm.subtract", kernel((a, b) -> a - b),
          "relaxvm.multiply", kernel((a, b) -> a * b),
          "relaxvm.maximum", kernel(Math::max),
          "relaxvm.less", kernel((a, b) -> a < b ? 1 : 0));

  /** A product of two float32 is exact in float64, so one rounding gives that of float32. */
  private static PackedFunc kernel(DoubleBinaryOperator operator) {
    return (args, _) -> {
      Tensor out = args.tensorAt(2);
      double[] a = args.tensorAt(0).toDoubleArray();
      double[] b = args.tensorAt(1).toDoubleArray();
      for (int i = 0; i < out.elementCount(); i++) {
        double value = operator.applyAsDouble(a[i], b[i]);
        switch (out.dtype().bits()) {
          case 8 -> out.segment().set(ValueLayout.JAVA_BYTE, i, (byte) value);
          default -> {
            if (out.dtype().isFloat()) {
              out.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
            } else {
              out.segment().setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
            }
          }
        }
      }
    };
  }

  @Test
  void onTheHost() {
    runs("cpu:0", 20, 500, 10_000);
  }

  @Test
  @NeedsDevice("opencl:0")
  void onOpenCl() {
    runs("opencl:0", 6, 500, 5_000);
  }

  @Test
  @NeedsDevice("vulkan:0")
  void onVulkan() {
    runs("vulkan:0", 6, 500, 5_000);
  }

  private static void runs(String device, int quick, int full, int longRun) {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(quick, full, longRun));
    System.out.println("Relay programs on " + device + ": " + cases);
    try (BackendRegistry registry = BackendRegistry.discover()) {
      cases.numbers().forEach(number -> runs(registry, device, cases, number));
    }
  }

  private static void runs(
      BackendRegistry registry, String device, RandomCases cases, long number) {
    RelayModule module = KernelPrograms.of(cases.seed() + number);
    Tensor x = Tensor.of(new float[] {1, -2, 0.5f, number % 7}, Shape.of(4));
    Tensor n = Tensor.of(new int[] {(int) (number % 4)}, Shape.scalar());
    String what = cases.repeat(number) + "\n" + RelayText.print(module);
    RelayInterpreter interpreter =
        new RelayInterpreter(module, name -> Optional.ofNullable(KERNELS.get(name)));
    String expected;
    try (Value value = interpreter.call("main", x, n)) {
      expected = text(value.object());
    }
    for (PhiStrategy phis : PhiStrategy.values()) {
      TranslationOptions options =
          TranslationOptions.DEFAULT.withPhis(phis).withEmptyPhiOperands(number % 2 == 0);
      try (VirtualMachine vm =
              VirtualMachine.builder(Program.of(ProposalTranslator.translate(module, options)))
                  .registry(registry)
                  .device(device)
                  .build();
          Value value = vm.function("main").call(x, n)) {
        assertThat(text(value.object())).as("%s: %s", phis, what).isEqualTo(expected);
        Tuple list = value.asTuple().at(1).asTuple();
        assertThat(list.at(0).asTensor().device().id()).hasToString(device);
      }
    }
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case Tensor tensor -> Arrays.toString(tensor.toFloatArray());
      case Tuple tuple -> {
        StringBuilder text = new StringBuilder("#" + tuple.tag() + "(");
        tuple.fields().forEach(field -> text.append(text(field)).append(' '));
        yield text + ")";
      }
      case null, default -> String.valueOf(value);
    };
  }
}
