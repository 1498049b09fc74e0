package org.relaxvm.backendcpu.vector.conv;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.Convolution;

/**
 * A convolution that multiplies rows of weights with pieces of the image where they are, in a copy
 * of a band of it that fits into the second cache. Each element of the output is one sum, from the
 * first channel to the last, wherever the work is cut.
 *
 * <p>A unit of work is a band of rows of one group of one image, and some of the output channels. A
 * thread that goes on to other channels of the same band keeps its copy.
 *
 * <p>Immutable; each thread has scratch memory of its own.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why is there no im2col?"
 */
final class DirectConvolution {
  /** Output channels of a unit below which copying the band costs too much. */
  private static final int LEAST_OUTPUTS = 48;

  private final WindowTile tile;
  private final Codec<float[]> codec;
  private final Convolution convolution;
  private final Pool<WindowScratch> pool;
  private final BandPacker packer;
  private final BandSink sink;
  private final BandPlan plan;
  private final BandLayout layout;
  private final int[] offsets;
  private final Object call = new Object();
  private final int channels;
  private final int depth;
  private final int weightStep;
  private final int sumStep;
  private final int blockOutputs;

  DirectConvolution(WindowTile tile, Convolution convolution, Pool<WindowScratch> pool) {
    this.tile = tile;
    this.convolution = convolution;
    this.pool = pool;
    codec = Codecs.narrowFloat(convolution.dtype(), convolution.floats());
    channels = Math.toIntExact(convolution.inputsPerGroup());
    depth = Math.toIntExact(convolution.depth());
    weightStep = WeightRows.step(convolution);
    blockOutputs = tile.rows(Integer.MAX_VALUE);
    int blocks = Math.toIntExact(Math.ceilDiv(convolution.outputsPerGroup(), blockOutputs));
    plan = BandPlan.of(convolution, blocks, LEAST_OUTPUTS / blockOutputs);
    layout = plan.layout();
    sumStep = tile.places(layout.numbers(layout.rows()));
    offsets = layout.offsets(channels);
    packer = new BandPacker(codec, convolution.data(), layout);
    sink = new BandSink(codec, convolution, convolution.bias());
  }

  /** Computes the convolution, in the threads of its workers. */
  void run() {
    plan.run(convolution.workers(), this::run);
  }

  private void run(long from, long to) {
    WindowScratch scratch = pool.take();
    float[] band = scratch.band(channels * layout.channel() + sumStep);
    for (long unit = from; unit < to; unit++) {
      BandPlan.Unit u = plan.unit(unit);
      if (!scratch.holds(call, u.band())) {
        packer.pack(u.image(), u.group() * channels, channels, u.firstRow(), band);
      }
      compute(scratch, band, u);
    }
    pool.give(scratch);
  }

  private void compute(WindowScratch scratch, float[] band, BandPlan.Unit unit) {
    int numbers = layout.numbers(unit.rows());
    scratch.line(numbers);
    long perGroup = convolution.outputsPerGroup();
    long end = Math.min(perGroup, (unit.firstBlock() + unit.blockCount()) * (long) blockOutputs);
    for (long i = (long) unit.firstBlock() * blockOutputs; i < end; ) {
      int height = tile.rows((int) Math.min(blockOutputs, end - i));
      int used = (int) Math.min(height, end - i);
      long output = unit.group() * perGroup + i;
      float[] weights = scratch.weights(height * weightStep);
      WeightRows.load(codec, convolution, output, used, weights);
      float[] sums = scratch.sums(height * sumStep);
      multiply(weights, band, height, numbers, sums);
      for (int row = 0; row < used; row++) {
        sink.store(
            sums,
            row * sumStep,
            layout.width(),
            unit.image(),
            output + row,
            unit.firstRow(),
            unit.rows(),
            scratch);
      }
      i += used;
    }
  }

  private void multiply(float[] weights, float[] band, int height, int numbers, float[] sums) {
    int step = tile.columns(height);
    for (int j = 0; j < numbers; j += step) {
      int columns = Math.min(step, numbers - j);
      tile.multiply(
          weights, 0, weightStep, band, j, offsets, depth, height, columns, sums, j, sumStep);
    }
  }
}
