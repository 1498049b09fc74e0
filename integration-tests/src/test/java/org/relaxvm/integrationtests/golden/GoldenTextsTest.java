package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.text.EmbeddedText;
import org.relaxvm.tir.text.SourceText;
import org.relaxvm.tir.text.TirText;

/** Kernels as the original compiler prints them are read, printed in our form, and run. */
class GoldenTextsTest {
  private static final long SEED = Long.getLong("relaxvm.seed", System.nanoTime());
  private static final Pattern KERNEL = Pattern.compile("@T\\.prim_func");

  /** The value of each symbolic extent. */
  private static final long EXTENT = 3;

  @ParameterizedTest
  @ValueSource(
      strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "05-cnn", "06-control-flow"})
  void kernelsOfEachStepComeBackFromOurForm(String name) throws IOException {
    List<Path> files = GoldenTexts.of(name);
    assertThat(files).hasSize(17);
    for (Path file : files) {
      Map<String, PrimFunc> kernels = GoldenTexts.kernels(file);
      assertThat(kernels)
          .as("kernels of %s", file)
          .hasSize((int) KERNEL.matcher(Files.readString(file)).results().count());
      StringBuilder module = new StringBuilder("class Module:\n");
      kernels.forEach(
          (key, kernel) -> {
            PrimFunc alone = TirText.parse(TirText.print(kernel), "printed").getFirst();
            assertSame(alone, kernel, file, key);
            EmbeddedText.printKernel(kernel, key, 1, module);
          });
      Map<String, PrimFunc> again =
          GoldenTexts.kernels(new SourceText("printed", module.toString()));
      assertThat(again.keySet()).containsExactlyElementsOf(kernels.keySet());
      again.forEach((key, kernel) -> assertSame(kernel, kernel(kernels, key), file, key));
    }
  }

  private static void assertSame(PrimFunc actual, PrimFunc expected, Path file, String key) {
    assertThat(StructuralEquality.areEqual(actual, expected))
        .as("%s of %s:%n%s%n%s", key, file, TirText.print(expected), TirText.print(actual))
        .isTrue();
    assertThat(actual.name()).isEqualTo(expected.name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "05-cnn", "06-control-flow"})
  void fusedKernelsComputeTheSameInTheLastStep(String name) throws IOException {
    List<Path> files = GoldenTexts.of(name);
    System.out.println("GoldenTextsTest: -Drelaxvm.seed=" + SEED);
    Map<String, PrimFunc> fused = GoldenTexts.kernels(files.get(5));
    Map<String, PrimFunc> last = GoldenTexts.kernels(files.getLast());
    assertThat(fused).isNotEmpty();
    assertThat(last.keySet()).containsAll(fused.keySet());
    fused.forEach(
        (key, kernel) ->
            assertThat(results(kernel(last, key)))
                .as("%s with -Drelaxvm.seed=%d", key, SEED)
                .isEqualTo(results(kernel)));
  }

  @Test
  void onesAreCastAsTheOriginalDid() throws IOException {
    Path folder = Golden.require("02-ones-cast-dynamic");
    Tensor expected = Npy.read(folder.resolve("run0_res.npy"));
    Tensor result = Tensor.zeros(DType.INT64, expected.shape());
    long d = expected.shape().dim(0);
    long p = expected.shape().dim(1);
    PrimFunc kernel =
        kernel(
            GoldenTexts.kernels(GoldenTexts.of("02-ones-cast-dynamic").getLast()),
            "fused_ones_cast");
    assertThat(new Evaluator().run(kernel, List.of(p, d, result))).isEmpty();
    assertThat(result.toLongArray()).isEqualTo(expected.toLongArray());
  }

  @Test
  void sumsAndDifferencesAreThoseOfTheOriginal() throws IOException {
    Path folder = Golden.require("06-control-flow");
    Map<String, PrimFunc> kernels =
        GoldenTexts.kernels(GoldenTexts.of("06-control-flow").getLast());
    Tensor x = Npy.read(folder.resolve("run2_arg0.npy"));
    Tensor y = Npy.read(folder.resolve("run2_arg1.npy"));
    for (String[] pair :
        List.of(
            new String[] {"add", "run2_res_0.npy"},
            new String[] {"subtract", "run2_res_1_0.npy"})) {
      Tensor result = Tensor.zeros(DType.FLOAT32, x.shape());
      assertThat(new Evaluator().run(kernel(kernels, pair[0]), List.of(x, y, result))).isEmpty();
      assertThat(result.toFloatArray()).isEqualTo(Npy.read(folder.resolve(pair[1])).toFloatArray());
    }
  }

  private static PrimFunc kernel(Map<String, PrimFunc> kernels, String name) {
    return Objects.requireNonNull(kernels.get(name), name);
  }

  /** The bytes of all buffers after a run with the same random contents each time, as digits. */
  private static List<String> results(PrimFunc kernel) {
    Random random = new Random(SEED);
    List<Object> args = new ArrayList<>();
    List<Tensor> tensors = new ArrayList<>();
    for (Param param : kernel.params()) {
      switch (param) {
        case Param.OfHandle handle -> throw new AssertionError(handle);
        case Param.OfScalar scalar -> args.add(EXTENT);
        case Param.OfBuffer(Buffer buffer) -> {
          Tensor tensor = tensor(buffer, random);
          args.add(tensor);
          tensors.add(tensor);
        }
      }
    }
    assertThat(new Evaluator().run(kernel, args)).isEmpty();
    return tensors.stream()
        .map(tensor -> HexFormat.of().formatHex(tensor.segment().toArray(ValueLayout.JAVA_BYTE)))
        .toList();
  }

  private static Tensor tensor(Buffer buffer, Random random) {
    long[] dims =
        buffer.shape().stream()
            .mapToLong(extent -> extent instanceof IntImm imm ? imm.value() : EXTENT)
            .toArray();
    Tensor tensor = Tensor.zeros(buffer.dtype(), Shape.of(dims));
    MemorySegment memory = tensor.segment();
    for (long i = 0; i < tensor.elementCount(); i++) {
      switch (buffer.dtype().toString()) {
        case "float32" -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextFloat(-2, 2));
        case "int32" -> memory.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt(-4, 5));
        case "int64" -> memory.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong(-4, 5));
        case "bool" -> memory.setAtIndex(ValueLayout.JAVA_BOOLEAN, i, random.nextBoolean());
        default -> throw new AssertionError("no contents for " + buffer.dtype());
      }
    }
    return tensor;
  }
}
