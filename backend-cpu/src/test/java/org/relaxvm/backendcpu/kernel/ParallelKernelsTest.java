package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.PoolContext;

/** The same bits, whether one thread computes or many do, in whatever order. */
class ParallelKernelsTest {
  private final Random random = Kernels.random(ParallelKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);
  private final ShufflingPool pool = new ShufflingPool();

  @Test
  void kernelsThatMoveAndOrderGiveTheSameBitsInManyPieces() {
    Tensor image = tensors.values(DType.FLOAT32, Shape.of(4, 8, 40, 40));
    same("permute_dims", Shape.of(40, 40, 8, 4), image, null);
    same("tril", image.shape(), image, -2);
    same("pad", Shape.of(4, 8, 44, 46), image, Shape.of(0, 0, 0, 0, 1, 3, 2, 4), "reflect", 0);
    Tensor places = tensors.values(DType.INT64, Shape.of(40, 9));
    same("take", Shape.of(4, 8, 40, 9, 40), image, places, 2, "wrap");
    same("gather_elements", image.shape(), image, Tensor.zeros(DType.INT32, image.shape()), 1);
    same("sort", image.shape(), image, 2, true);
    same("topk", Shape.of(4, 8, 40, 3), image, 3, false);
    same("argmax", DType.INT64, Shape.of(4, 40, 40), image, 1, false);
    same("cumsum", image.shape(), image, 3, true);
  }

  @Test
  void largeKernelsGiveTheSameBitsInManyPieces() {
    Tensor image = tensors.values(DType.FLOAT32, Shape.of(4, 8, 40, 40));
    Shape one = Shape.of(1, 1);
    same("exp", image.shape(), image);
    same("add", image.shape(), image, tensors.values(DType.FLOAT32, Shape.of(40)));
    same("less", DType.BOOL, image.shape(), image, image);
    same("softmax", image.shape(), image, 1);
    same("log_softmax", image.shape(), image, 3);
    Tensor factor = tensors.values(DType.FLOAT32, Shape.of(40));
    same("layer_norm", image.shape(), image, factor, factor, Shape.of(3), 1e-5);
    same("rms_norm", image.shape(), image, factor, Shape.of(2), 1e-5);
    Tensor channels = tensors.values(DType.FLOAT32, Shape.of(8));
    same("group_norm", image.shape(), image, channels, null, 4, 1, Shape.of(2, 3), 1e-5);
    Tensor positive = Tensor.zeros(DType.FLOAT32, Shape.of(8));
    same("batch_norm", image.shape(), image, channels, null, channels, positive, 1, 1e-5);
    Tensor queries = tensors.values(DType.FLOAT32, Shape.of(2, 300, 4, 9));
    same("attention", queries.shape(), queries, queries, queries, null, null, "TopLeft");
    Tensor wide = tensors.values(DType.FLOAT32, Shape.of(4, 8, 120, 120));
    same("sum", Shape.of(4, 120, 120), wide, Shape.of(1), false);
    same("sum", Shape.of(4, 8), wide, Shape.of(2, 3), false);
    Tensor large = Tensor.zeros(DType.FLOAT32, Shape.of(300, 2500));
    tensors.values(DType.FLOAT32, large.shape()).copyInto(large);
    Tensor last = tensors.values(DType.FLOAT32, Shape.of(120));
    for (Tensor x : List.of(wide, copy(wide))) {
      same("group_norm", wide.shape(), x, last, last, 6, 3, Shape.of(1, 2), 1e-5);
      same("group_norm", wide.shape(), x, last, null, 120, 3, Shape.of(0, 1, 2), 1e-5);
      same("layer_norm", wide.shape(), x, channels, channels, Shape.of(1), 1e-5);
      same("rms_norm", wide.shape(), x, last, Shape.of(2), 1e-5);
    }
    for (String reduction : List.of("sum", "mean", "max", "min")) {
      same(reduction, Shape.scalar(), large, null, false);
      same(reduction, Shape.of(300), large, Shape.of(1), false);
      same(reduction, Shape.of(2500), large, Shape.of(0), false);
    }
    same("permute_dims", Shape.of(40, 8, 4, 40), image, Shape.of(2, 1, 0, 3));
    same("cast", DType.INT8, image.shape(), image);
    same(
        "where",
        image.shape(),
        tensors.values(DType.BOOL, image.shape()),
        image,
        tensors.values(DType.FLOAT32, Shape.of(1)));
    same(
        "max_pool2d",
        Shape.of(4, 8, 39, 39),
        image,
        Shape.of(2, 2),
        one,
        Shape.of(0, 0, 0, 0),
        one,
        false);
    same(
        "conv2d",
        Shape.of(4, 6, 38, 38),
        image,
        tensors.values(DType.FLOAT32, Shape.of(6, 8, 3, 3)),
        null,
        one,
        Shape.of(0, 0, 0, 0),
        one,
        1,
        "tanh");
    Tensor constant = tensors.values(DType.FLOAT32, Shape.of(70, 8, 3, 3));
    constant.markConstant();
    same(
        "conv2d",
        Shape.of(4, 70, 40, 20),
        image,
        constant,
        tensors.values(DType.FLOAT32, Shape.of(70)),
        Shape.of(1, 2),
        Shape.of(1, 1, 1, 1),
        one,
        1,
        "relu");
    same(
        "matmul",
        Shape.of(3, 150, 300),
        tensors.values(DType.FLOAT32, Shape.of(3, 150, 40)),
        tensors.values(DType.FLOAT32, Shape.of(40, 300)),
        tensors.values(DType.FLOAT32, Shape.of(300)),
        false,
        false,
        "gelu");
    Tensor few = tensors.values(DType.FLOAT32, Shape.of(2, 1000));
    Tensor rows = Tensor.zeros(DType.FLOAT32, Shape.of(1000, 1100));
    tensors.values(DType.FLOAT32, rows.shape()).copyInto(rows);
    same("matmul", Shape.of(2, 1100), few, rows, null, false, false, "none");
    Tensor columns = rows.reshape(Shape.of(1100, 1000));
    same("matmul", Shape.of(2, 1100), few, columns, null, false, true, "none");
    Tensor left = tensors.values(DType.FLOAT32, Shape.of(3, 150, 40));
    Tensor right = tensors.values(DType.FLOAT32, Shape.of(40, 300));
    Tensor residual = tensors.values(DType.FLOAT32, Shape.of(3, 150, 300));
    same("matmul_residual", residual.shape(), left, right, null, residual, false, false, "gelu");
    assertThat(pool.pieces).isGreaterThan(100);
  }

  @Test
  void transformedConvolutionsGiveTheSameBitsInManyPieces() {
    float[] pixels = new float[3 * 40 * 21 * 30];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (float) random.nextGaussian();
    }
    // Sums near it are computed in another way.
    pixels[12_345] = Float.NEGATIVE_INFINITY;
    float[] weights = new float[70 * 40 * 9];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextGaussian();
    }
    Tensor constant = Tensor.of(weights, Shape.of(70, 40, 3, 3));
    constant.markConstant();
    same(
        "conv2d",
        Shape.of(3, 70, 21, 30),
        Tensor.of(pixels, Shape.of(3, 40, 21, 30)),
        constant,
        null,
        Shape.of(1, 1),
        Shape.of(1, 1, 1, 1),
        Shape.of(1, 1),
        1,
        "none");
  }

  private static Tensor copy(Tensor x) {
    Tensor copy = Tensor.zeros(x.dtype(), x.shape());
    x.copyInto(copy);
    return copy;
  }

  private void same(String name, Shape shape, @Nullable Object... inputs) {
    same(name, DType.FLOAT32, shape, inputs);
  }

  private void same(String name, DType dtype, Shape shape, @Nullable Object... inputs) {
    Tensor alone = Tensor.zeros(dtype, shape);
    Tensor together = Tensor.zeros(dtype, shape);
    List<@Nullable Object> args = new ArrayList<>(java.util.Arrays.asList(inputs));
    args.add(alone);
    Kernels.call(name, args.toArray());
    args.set(inputs.length, together);
    int before = pool.pieces;
    Kernels.callIn(new PoolContext(pool), name, args.toArray());
    assertThat(pool.pieces - before).as("pieces of %s", name).isGreaterThan(1);
    assertThat(together.segment().mismatch(alone.segment())).as(name).isEqualTo(-1);
  }

  /** Runs the smallest allowed pieces in random order, several at a time. */
  private final class ShufflingPool implements WorkerPool {
    int pieces;

    @Override
    public int parallelism() {
      return 4;
    }

    @Override
    public void parallelFor(long begin, long end, long grain, RangeTask task) {
      List<Long> starts = new ArrayList<>();
      for (long start = begin; start < end; start += grain) {
        starts.add(start);
      }
      Collections.shuffle(starts, random);
      pieces += starts.size();
      CompletableFuture<?>[] running =
          starts.stream()
              .map(
                  start ->
                      CompletableFuture.runAsync(
                          () -> task.run(start, Math.min(end, start + grain))))
              .toArray(CompletableFuture<?>[]::new);
      CompletableFuture.allOf(running).join();
    }

    @Override
    public boolean isInParallelWork() {
      return false;
    }

    @Override
    public void runGang(int workers, GangTask task) {
      throw new UnsupportedOperationException("library kernels need no gangs");
    }

    @Override
    public void close() {}
  }
}
