package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.integrationtests.devices.EmulatedGpus;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.CapturedCall;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The example on a GPU of NVIDIA, or an emulated one: call by call, and recorded. */
class DigitsOnGpuTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");
  private static final Shape IMAGE = Shape.of(1, 1, 28, 28);
  private static final Offset<Float> CLOSE = Offset.offset(1e-4f);

  private static BackendRegistry registry;

  @BeforeAll
  static void open() {
    registry = EmulatedGpus.open();
  }

  @AfterAll
  static void close() {
    if (registry != null) {
      registry.close();
    }
  }

  private static VirtualMachine machine(String device) {
    return VirtualMachine.builder(Program.load(DIGITS)).registry(registry).device(device).build();
  }

  private static Tensor image(int seed) {
    Random random = new Random(seed);
    float[] pixels = new float[28 * 28];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    return Tensor.of(pixels, IMAGE);
  }

  private static float[] scores(VirtualMachine vm, int seed) {
    try (DeviceArguments arguments = new DeviceArguments(vm);
        Tensor scores = vm.function("main").call(arguments.place(List.of(image(seed)))).asTensor();
        Tensor host = scores.toHost()) {
      return host.toFloatArray();
    }
  }

  @Test
  void givesTheScoresOfTheCpu() {
    try (VirtualMachine gpu = machine("cuda:0");
        VirtualMachine cpu = machine("cpu")) {
      for (int seed = 0; seed < 3; seed++) {
        assertThat(scores(gpu, seed)).containsExactly(scores(cpu, seed), CLOSE);
      }
    }
  }

  @Test
  void aRecordedCallGivesThemAgainAndAgain() {
    try (VirtualMachine gpu = machine("cuda:0");
        VirtualMachine cpu = machine("cpu");
        Tensor first = image(0);
        CapturedCall captured = gpu.capture("main", first)) {
      assertThat(captured.isRecorded()).isTrue();
      assertThat(captured.size()).isGreaterThan(3);
      for (int seed = 0; seed < 4; seed++) {
        try (Tensor next = image(seed)) {
          captured.setInput(0, next);
        }
        try (Tensor scores = captured.replay().asTensor();
            Tensor host = scores.toHost()) {
          assertThat(host.toFloatArray()).containsExactly(scores(cpu, seed), CLOSE);
        }
      }
    }
  }
}
