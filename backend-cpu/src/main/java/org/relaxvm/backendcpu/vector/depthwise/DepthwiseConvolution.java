package org.relaxvm.backendcpu.vector.depthwise;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.Epilogue;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.conv.BandLayout;
import org.relaxvm.backendcpu.vector.conv.Pool;
import org.relaxvm.backendcpu.vector.plane.PhaseRows;
import org.relaxvm.backendcpu.vector.plane.PlanePlan;
import org.relaxvm.backendcpu.vector.plane.PlaneReader;
import org.relaxvm.backendcpu.vector.plane.PlaneWriter;

/**
 * A convolution of each channel alone. A unit of work is some channels, or a band of rows of one:
 * it is read at once, computed from array to array, and written at once. Immutable; each thread has
 * scratch memory of its own.
 */
final class DepthwiseConvolution {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int TILE = 8;
  private static final int HALF = TILE / 2;

  /** Multiplications and additions that take as long as a simple operation. */
  private static final double PER_OPERATION = 8;

  private final Convolution convolution;
  private final Pool<DepthwiseScratch> pool;
  private final Codec<float[]> codec;
  private final PlanePlan plan;
  private final BandLayout layout;
  private final BandFiller filler;
  private final PlaneReader reader;
  private final PlaneWriter writer;
  private final Epilogue<float[]> epilogue;
  private final boolean relu;
  private final int[] offsets;
  private final int depth;
  private final int multiplier;
  private final int imageWidth;
  private final int columns;
  // Whether vectors run from one row of positions into the next one.
  private final boolean through;
  private final @Nullable RowTile tile;
  private final int windowWidth;
  private final int[] windowColumns;

  DepthwiseConvolution(Convolution convolution, Pool<DepthwiseScratch> pool) {
    this.convolution = convolution;
    this.pool = pool;
    codec = Codecs.narrowFloat(convolution.dtype(), convolution.floats());
    Operand data = convolution.data();
    imageWidth = Math.toIntExact(data.dim(3));
    plan =
        PlanePlan.of(
            convolution.windows().vertical(),
            data.dim(0),
            convolution.groups(),
            imageWidth,
            convolution.out().dim(2),
            convolution.workers());
    columns = Math.toIntExact(convolution.out().dim(3));
    layout = BandLayout.of(convolution.windows(), columns, plan.unitRows());
    filler = new BandFiller(layout, plan.bands() == 1);
    reader = new PlaneReader(codec, data);
    writer = new PlaneWriter(codec, convolution.out());
    relu = convolution.activation() == Activation.RELU;
    epilogue = Epilogue.of(codec, null, null, relu ? Activation.NONE : convolution.activation());
    offsets = layout.offsets(1);
    depth = Math.toIntExact(convolution.depth());
    multiplier = Math.toIntExact(convolution.outputsPerGroup());
    tile = plan.unitRows() >= HALF ? RowTile.of(convolution.windows().vertical()) : null;
    windowWidth = Math.toIntExact(convolution.weight().dim(3));
    windowColumns = Arrays.copyOf(offsets, windowWidth);
    through = tile == null && runThrough(layout, depth);
  }

  /** Whether fewer vectors are needed so, the copy of each row included. */
  private static boolean runThrough(BandLayout layout, int depth) {
    long perRow = Math.ceilDiv(layout.columns(), LANES);
    long through = tiles(Math.ceilDiv(layout.numbers(layout.rows()), LANES)) * depth;
    return through + 2 * layout.rows() * perRow < tiles(layout.rows()) * perRow * depth;
  }

  /** Vectors that are computed for so many. */
  private static long tiles(int vectors) {
    return Math.ceilDiv(vectors, HALF) * (long) HALF;
  }

  /** Computes the convolution, in the threads of its workers. */
  void run() {
    double cost = depth * multiplier / PER_OPERATION;
    plan.run(convolution.workers(), cost, columns, this::run);
  }

  private void run(long from, long to) {
    DepthwiseScratch scratch = pool.take();
    int rows = Math.max(TILE, plan.unitRows());
    int length =
        plan.unitChannels() * layout.channel()
            + (TILE + layout.vertical().reach()) * layout.width()
            + (TILE + 1) * LANES;
    Arrays.fill(scratch.band(length), 0, length, 0);
    scratch.sums(layout.numbers(rows) + TILE * LANES);
    scratch.image(plan.unitChannels() * plan.mostInputs() * imageWidth + PhaseRows.SLACK);
    int outputs = plan.unitChannels() * multiplier;
    scratch.results(outputs * plan.unitRows() * columns + TILE * (columns + LANES));
    for (long unit = from; unit < to; unit++) {
      compute(scratch, plan.unit(unit));
    }
    pool.give(scratch);
  }

  private void compute(DepthwiseScratch scratch, PlanePlan.Unit unit) {
    long firstInput = plan.firstInput(unit);
    int inputs = plan.inputs(unit);
    float[] image = scratch.image(0);
    reader.read(unit.image(), unit.firstChannel(), unit.channels(), firstInput, inputs, image);
    long firstOutput = unit.firstChannel() * multiplier;
    int outputs = unit.channels() * multiplier;
    float[] weights = scratch.weights(outputs * depth);
    DepthwiseWeights.load(codec, convolution, firstOutput, outputs, weights);
    float[] bias = scratch.bias(outputs);
    loadBias(firstOutput, outputs, bias);
    float[] band = scratch.band(0);
    float[] results = scratch.results(0);
    int size = unit.rows() * columns;
    // All bands before all sums: what was just written is slow to read across its borders.
    filler.fill(image, unit.channels(), firstInput, inputs, unit.firstRow(), unit.rows(), band);
    for (int m = 0; m < outputs; m++) {
      int bandAt = m / multiplier * layout.channel();
      if (tile != null) {
        multiplyTiles(
            tile, weights, m * depth, band, bandAt, unit.rows(), bias[m], results, m * size);
      } else if (through) {
        multiplyThrough(weights, m * depth, band, bandAt, unit.rows(), bias[m], scratch, m * size);
      } else {
        multiplyRows(weights, m * depth, band, bandAt, unit.rows(), bias[m], results, m * size);
      }
    }
    if (!epilogue.isEmpty()) {
      epilogue.finish(results, outputs * size, 0, 0, bias);
    }
    writer.write(results, unit.image(), firstOutput, outputs, unit.firstRow(), unit.rows());
  }

  private void loadBias(long first, int count, float[] into) {
    @Nullable Operand bias = convolution.bias();
    if (bias == null) {
      Arrays.fill(into, 0, count, 0);
    } else {
      long at = bias.offset() + first * bias.stride(0);
      codec.load(bias.memory(), at, bias.stride(0), into, 0, count);
    }
  }

  /**
   * Vectors below each other. The last tile and the last vectors of rows move back over what is
   * computed already; what rows shorter than a vector write after their end, the next row writes
   * over.
   */
  private void multiplyRows(
      float[] w,
      int wAt,
      float[] band,
      int bandAt,
      int rows,
      float start,
      float[] results,
      int to) {
    int width = layout.width();
    int lastColumn = Math.max(0, columns - LANES);
    for (int y = 0; y < rows; ) {
      boolean eight = rows - y > HALF;
      int tile = eight ? TILE : HALF;
      int row = Math.max(0, Math.min(y, rows - tile));
      for (int i = 0; i < columns; i += LANES) {
        int x = Math.min(i, lastColumn);
        int at = bandAt + row * width + x;
        int cAt = to + row * columns + x;
        if (eight) {
          DepthwiseTile.eight(
              w, wAt, band, at, width, offsets, depth, start, relu, results, cAt, columns);
        } else {
          DepthwiseTile.four(
              w, wAt, band, at, width, offsets, depth, start, relu, results, cAt, columns);
        }
      }
      y += tile;
    }
  }

  /** The same with tiles that are made for the height of the window. */
  private void multiplyTiles(
      RowTile rowTile,
      float[] w,
      int wAt,
      float[] band,
      int bandAt,
      int rows,
      float start,
      float[] results,
      int to) {
    int width = layout.width();
    int odd = layout.horizontal().count() * layout.plane();
    int lastRow = Math.max(0, rows - RowTile.ROWS);
    int lastColumn = Math.max(0, columns - LANES);
    for (int y = 0; y < rows; y += RowTile.ROWS) {
      int row = Math.min(y, lastRow);
      for (int i = 0; i < columns; i += LANES) {
        int x = Math.min(i, lastColumn);
        rowTile.sum(
            w,
            wAt,
            windowWidth,
            band,
            bandAt + row * width + x,
            width,
            odd,
            windowColumns,
            start,
            relu,
            results,
            to + row * columns + x,
            columns);
      }
    }
  }

  /** Adjacent vectors, then the rows without what is between them. */
  private void multiplyThrough(
      float[] w,
      int wAt,
      float[] band,
      int bandAt,
      int rows,
      float start,
      DepthwiseScratch scratch,
      int to) {
    float[] results = scratch.results(0);
    float[] sums = rows == 1 ? results : scratch.sums(0);
    int sumsAt = rows == 1 ? to : 0;
    int numbers = layout.numbers(rows);
    for (int i = 0; i < numbers; ) {
      if (numbers - i > HALF * LANES) {
        DepthwiseTile.eight(
            w, wAt, band, bandAt + i, LANES, offsets, depth, start, relu, sums, sumsAt + i, LANES);
        i += TILE * LANES;
      } else {
        DepthwiseTile.four(
            w, wAt, band, bandAt + i, LANES, offsets, depth, start, relu, sums, sumsAt + i, LANES);
        i += HALF * LANES;
      }
    }
    if (rows > 1) {
      close(sums, layout.width(), rows, columns, results, to);
    }
  }

  private static void close(
      float[] sums, int width, int rows, int columns, float[] results, int to) {
    int target = to;
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x += LANES) {
        FloatVector.fromArray(SPECIES, sums, y * width + x).intoArray(results, target + x);
      }
      target += columns;
    }
  }
}
