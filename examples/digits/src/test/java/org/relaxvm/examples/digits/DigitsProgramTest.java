package org.relaxvm.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.io.Npz;
import org.relaxvm.examples.digits.render.DigitRenderer;
import org.relaxvm.examples.digits.render.FaceSet;
import org.relaxvm.examples.digits.render.LabelledImages;
import org.relaxvm.examples.digits.render.NetworkInput;
import org.relaxvm.examples.digits.train.Network;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.VirtualMachine;

class DigitsProgramTest {
  private static Map<String, Tensor> weights;
  private static LabelledImages pictures;
  private static VirtualMachine vm;

  @BeforeAll
  static void load() throws IOException {
    weights = Npz.read(Path.of("weights.npz"));
    pictures = new LabelledImages(new DigitRenderer(FaceSet.heldOut().load()), Evaluate.SEED);
    vm = VirtualMachine.builder(Program.load(Path.of("digits.rvm"))).device("cpu").build();
  }

  @AfterAll
  static void close() {
    vm.close();
  }

  @Test
  void weightsRebuildTheCheckedInPackage(@TempDir Path folder) throws IOException {
    Path rebuilt = folder.resolve("rebuilt.rvm");
    RvmWriter.write(DigitsProgram.build(weights), rebuilt);
    assertThat(Files.readAllBytes(rebuilt)).isEqualTo(Files.readAllBytes(Path.of("digits.rvm")));
  }

  @Test
  void weightsAndPackageStaySmall() throws IOException {
    assertThat(Files.size(Path.of("weights.npz"))).isLessThan(500_000);
    assertThat(Files.size(Path.of("digits.rvm"))).isLessThan(500_000);
  }

  @Test
  void oneImageGivesTheTrainersProbabilities() {
    assertMatchesTrainer(1);
  }

  @Test
  void threeImagesGiveTheTrainersProbabilities() {
    assertMatchesTrainer(3);
  }

  @Test
  void noImageGivesAnEmptyResult() {
    try (Tensor input = Tensor.zeros(DType.FLOAT32, Shape.of(0, 1, 28, 28));
        Tensor output = vm.function("main").call(input).asTensor()) {
      assertThat(output.shape()).isEqualTo(Shape.of(0, 10));
    }
  }

  @Test
  void namesAtLeast97PercentOfTheHeldOutPictures() {
    assertThat(Evaluation.run(vm, pictures, 1000).accuracy()).isBetween(0.97, 1.0);
  }

  @Test
  void anotherImageSizeIsRefused() {
    try (Tensor input = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 32, 32))) {
      assertThatThrownBy(() -> vm.function("main").call(input))
          .isInstanceOf(CallException.class)
          .hasMessage(
              """
              argument 'image' of main: dimension 2 is 32, expected 28
                got: shape [1, 1, 32, 32]
                declared: R.Tensor((n, 1, 28, 28), dtype="float32")
                at function main, pc 2: call vm.builtin.match_shape in: %0, %1, i4, i1, i0, i0, \
              i1, i0, i28, i0, i28, c[1] dst: %void\
              """);
    }
  }

  @Test
  void anotherElementTypeIsRefused() {
    try (Tensor input = Tensor.zeros(DType.FLOAT64, Shape.of(1, 1, 28, 28))) {
      assertThatThrownBy(() -> vm.function("main").call(input))
          .isInstanceOf(CallException.class)
          .hasMessage(
              """
              argument 'image' of main: the tensor is of float64, expected float32
                declared: R.Tensor((n, 1, 28, 28), dtype="float32")
                at function main, pc 1: call vm.builtin.check_tensor_info in: %0, i4, c[0], c[1] \
              dst: %void\
              """);
    }
  }

  @Test
  void aMissingWeightIsNamed() {
    assertThatThrownBy(
            () -> DigitsProgram.build(Map.of("conv1.weight", weights.get("conv1.weight"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the weights have no array conv1.bias; there are [conv1.weight]");
  }

  private static void assertMatchesTrainer(int batch) {
    Network network = Network.of(weights);
    float[] values = new float[batch * NetworkInput.SIZE];
    float[] expected = new float[batch * 10];
    for (int i = 0; i < batch; i++) {
      float[] image = pictures.image(i);
      System.arraycopy(image, 0, values, i * NetworkInput.SIZE, NetworkInput.SIZE);
      System.arraycopy(network.probabilities(image), 0, expected, i * 10, 10);
    }
    try (Tensor input = Tensor.of(values, Shape.of(batch, 1, 28, 28));
        Tensor output = vm.function("main").call(input).asTensor()) {
      assertThat(output.shape()).isEqualTo(Shape.of(batch, 10));
      assertThat(output.toFloatArray()).containsExactly(expected, Offset.offset(1e-4f));
    }
  }
}
