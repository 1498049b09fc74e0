package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.Definitions;
import org.relaxvm.backendtestkit.definition.KernelRequest;
import org.relaxvm.backendtestkit.definition.MemoryOperand;

/** Attention of float32: of few queries, and in panels, which keeps its arrays between calls. */
class AttentionKernelTest {
  private final Random random = Kernels.random(AttentionKernelTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  @Test
  void queriesKeysAndWidthsOfAnyNumberEqualTheDefinition() {
    for (int i = 0; i < 40; i++) {
      long queries = 5L + random.nextInt(120);
      long keys = 1L + random.nextInt(230);
      long depth = random.nextInt(40);
      long width = 1L + random.nextInt(70);
      String mask = new String[] {"none", "TopLeft", "BottomRight"}[random.nextInt(3)];
      check(queries, keys, depth, width, mask, random.nextBoolean() ? 0.125 : 3.0);
    }
  }

  @Test
  void fewQueriesEqualTheDefinition() {
    for (int i = 0; i < 40; i++) {
      long keys = 1L + random.nextInt(230);
      long depth = random.nextInt(40);
      String mask = new String[] {"none", "TopLeft", "BottomRight"}[random.nextInt(3)];
      check(1L + random.nextInt(4), keys, depth, 1L + random.nextInt(70), mask, 0.25);
    }
  }

  @Test
  void keysThatFewQueriesMayNotReadHaveNoPartInTheirResults() {
    Tensor q = filled(1, 2, 1, 4);
    Tensor k = filled(1, 2, 1, 4);
    Tensor v = Tensor.of(new float[] {3, Float.POSITIVE_INFINITY}, Shape.of(1, 2, 1, 1));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(1, 2, 1, 1));
    Kernels.call("attention", q, k, v, null, 1.0, "TopLeft", out);
    assertThat(out.toFloatArray()).containsExactly(3, Float.POSITIVE_INFINITY);
  }

  @Test
  void fewQueriesOfValuesWithoutWidthHaveNoResults() {
    Tensor q = filled(2, 2, 3, 4);
    Tensor v = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2, 3, 0));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2, 3, 0));
    Kernels.call("attention", q, filled(2, 2, 3, 4), v, null, 1.0, "none", out);
    assertThat(out.toFloatArray()).isEmpty();
  }

  @Test
  void keysOfAnyLengthEqualTheDefinition() {
    // Around the elements of a key that are multiplied at once, and twice as many; scaled by a
    // power of two, so that scores are exact.
    for (long depth : new long[] {15, 16, 17, 79, 80, 81, 96, 128, 159, 160, 161, 200}) {
      for (String mask : new String[] {"none", "TopLeft"}) {
        check(35, 150, depth, depth % 2 == 0 ? 24 : 17, mask, 0.0625);
      }
    }
  }

  @Test
  void scoresThatGrowFromBlockToBlockScaleWhatIsSummedUp() {
    Tensor q = filled(1, 40, 1, 8);
    float[] grow = new float[300 * 8];
    for (int i = 0; i < grow.length; i++) {
      grow[i] = i / 8 / 64f;
    }
    Tensor k = Tensor.of(grow, Shape.of(1, 300, 1, 8));
    Tensor v = tensors.values(DType.FLOAT32, Shape.of(1, 300, 1, 20));
    for (String mask : new String[] {"none", "TopLeft"}) {
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(1, 40, 1, 20));
      check(q, k, v, 1.0, mask, out);
    }
  }

  @Test
  void nothingOfAFormerCallIsLeft() {
    // No multiples of vectors, so that parts of the arrays are read that this call did not write.
    Shape queries = Shape.of(1, 37, 3, 19);
    Shape keys = Shape.of(1, 101, 3, 19);
    Tensor q = tensors.values(DType.FLOAT32, queries);
    Tensor k = tensors.values(DType.FLOAT32, keys);
    Tensor v = tensors.values(DType.FLOAT32, keys);
    Tensor nan = Tensor.zeros(DType.FLOAT32, keys);
    nan.fill(Double.NaN);
    Tensor infinite = Tensor.zeros(DType.FLOAT32, keys);
    infinite.fill(Double.POSITIVE_INFINITY);
    Tensor out = Tensor.zeros(DType.FLOAT32, queries);
    for (String mask : new String[] {"none", "TopLeft", "BottomRight"}) {
      Kernels.call("attention", q, nan, infinite, null, null, mask, out);
      Kernels.call("attention", q, k, nan, null, null, mask, out);
      check(q, k, v, 0.25, mask, out);
    }
  }

  @Test
  void resultsGoToJavaArraysToo() {
    Tensor q = tensors.values(DType.FLOAT32, Shape.of(1, 30, 2, 16));
    Tensor k = tensors.values(DType.FLOAT32, Shape.of(1, 50, 2, 16));
    float[] results = new float[30 * 2 * 16];
    Tensor out = Tensor.wrap(MemorySegment.ofArray(results), DType.FLOAT32, Shape.of(1, 30, 2, 16));
    check(q, k, k, 0.5, "none", out);
    Tensor inMemory = Tensor.zeros(DType.FLOAT32, Shape.of(1, 30, 2, 16));
    check(q, k, k, 0.5, "none", inMemory);
    float[] others = inMemory.toFloatArray();
    for (int i = 0; i < results.length; i++) {
      assertThat(results[i]).isCloseTo(others[i], Offset.offset(1e-5f));
    }
  }

  private void check(long queries, long keys, long depth, long width, String mask, double scale) {
    Tensor q = tensors.values(DType.FLOAT32, Shape.of(1, queries, 2, depth));
    Tensor k = tensors.values(DType.FLOAT32, Shape.of(1, keys, 1, depth));
    Tensor v = tensors.values(DType.FLOAT32, Shape.of(1, keys, 1, width));
    Shape shape = Shape.of(1, queries, 2, width);
    Tensor out =
        random.nextBoolean()
            ? tensors.output(DType.FLOAT32, shape)
            : Tensor.zeros(DType.FLOAT32, shape);
    check(q, k, v, scale, mask, out);
  }

  private static void check(Tensor q, Tensor k, Tensor v, double scale, String mask, Tensor out) {
    Object[] args = {q, k, v, null, scale, mask, out};
    Kernels.call("attention", args);
    KernelSignature signature = KernelLibrary.standard().find("relaxvm.attention").orElseThrow();
    KernelRequest request = KernelRequest.of(signature, CallArgs.of(args), MemoryOperand::of);
    Definition.ElementFunction wanted =
        Objects.requireNonNull(Definitions.standard().get("relaxvm.attention")).define(request);
    Expected.check(out, at -> Double.longBitsToDouble(wanted.at(at)));
  }

  private static Tensor filled(long... dims) {
    Tensor tensor = Tensor.zeros(DType.FLOAT32, Shape.of(dims));
    tensor.fill(1);
    return tensor;
  }
}
