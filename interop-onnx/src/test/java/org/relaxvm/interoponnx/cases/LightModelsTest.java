package org.relaxvm.interoponnx.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.data.ExternalData;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/** Classifiers whose weights are made by nodes {@code ConstantOfShape}. */
@Tag("effort")
class LightModelsTest {
  private static final Path ARCHIVE = Path.of("../../shared/onnx-tests/light.zip");

  /** Bytes of the constants of a program at most; the weights take 5 MB to 575 MB. */
  private static final long MOST_BYTES = 1 << 20;

  /** The models that run at every effort. */
  private static final List<String> SMALL = List.of("squeezenet", "shufflenet");

  private static final Tolerance TOLERANCE = new Tolerance(1e-3, 1e-7);

  @BeforeEach
  void needsModels() {
    Assumptions.assumeTrue(
        Files.isRegularFile(ARCHIVE), () -> "there are no cases: " + ARCHIVE.toAbsolutePath());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bvlc_alexnet",
        "inception_v2",
        "resnet50",
        "shufflenet",
        "squeezenet",
        "vgg19",
        "zfnet512"
      })
  void weightsAreMadeWhenTheModelRuns(String name) throws IOException {
    Program program = program(name);
    assertThat(constantBytes(program)).isLessThan(MOST_BYTES);
    if (Effort.chosen().pick(0, 1, 1) == 1 || SMALL.contains(name)) {
      assertThat(difference(name, program)).isEmpty();
    }
  }

  private static byte[] file(String name, String file) throws IOException {
    try (ZipFile zip = new ZipFile(ARCHIVE.toFile());
        InputStream in = zip.getInputStream(zip.getEntry("test_" + name + "/" + file))) {
      return in.readAllBytes();
    }
  }

  private static Program program(String name) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(file(name, "model.onnx"));
    return OnnxModel.of(name, bytes, ARCHIVE.toAbsolutePath().resolveSibling(""))
        .compile(OnnxOptions.DEFAULT);
  }

  private static long constantBytes(Program program) {
    return program.executable().constants().stream()
        .mapToLong(constant -> constant instanceof Tensor tensor ? tensor.byteSize() : 0)
        .sum();
  }

  private static Optional<String> difference(String name, Program program) throws IOException {
    MemorySegment expected = MemorySegment.ofArray(file(name, "output_0.pb"));
    Tensor want =
        new TensorData(new ExternalData(Path.of("")))
            .tensor(TensorProto.read(expected), "the result of " + name);
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu:0").build()) {
      VmFunction main = vm.function("main");
      try (Tensor got = main.call(ramp(main)).asTensor()) {
        return TOLERANCE.difference(Determination.ALL, want, got);
      }
    }
  }

  /** Element {@code i} of {@code n} is {@code i / n}. */
  private static Tensor ramp(VmFunction main) {
    long[] dims =
        main.inputs().orElseThrow().getFirst().shape().stream()
            .mapToLong(dim -> ((Dim.Fixed) dim).extent())
            .toArray();
    Shape shape = Shape.of(dims);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) ((double) i / values.length);
    }
    return Tensor.of(values, shape);
  }
}
