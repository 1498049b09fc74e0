package org.relaxvm.backendcpu.vector.conv;

import java.util.Arrays;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.Turn;

/**
 * A convolution of windows of 3 x 3 by {@link WinogradTransform}: a block of the image is
 * transposed, so that channels are neighbours, and transformed; 16 matrix products with a panel of
 * weights follow, whose sums are transformed back, turned and stored.
 *
 * <p>A unit of work is a block and a panel of output channels. A thread that goes on to the next
 * panel keeps its block. Sums that are not finite are computed again without transformation.
 * Immutable; each thread has scratch memory of its own.
 */
final class WinogradConvolution {
  private static final int LANES = Species.FLOAT.length();
  private static final int WIDTH = 2 * LANES;
  private static final int POINTS = WinogradTransform.POINTS;
  private static final int LINE = 16;

  /** Pieces of the work per thread, so that a slow one does not keep the others waiting. */
  private static final int PIECES_PER_THREAD = 2;

  private final WindowTile tile;
  private final Codec<float[]> codec;
  private final Convolution convolution;
  private final Pool<WindowScratch> pool;
  private final float[] panels;
  private final WinogradPlan plan;
  private final PixelPacker packer;
  private final DirectSums direct;
  private final BandSink sink;
  private final Object call = new Object();
  private final int[] offsets;
  private final int channels;
  private final int columns;
  private final int panelCount;
  // Distances in arrays: an odd number of lines, so that caches hold many rows.
  private final int pixelStep;
  private final int pointStep;
  private final int productStep;

  private WinogradConvolution(
      WindowTile tile, Convolution convolution, float[] panels, Pool<WindowScratch> pool) {
    this.tile = tile;
    this.convolution = convolution;
    this.panels = panels;
    this.pool = pool;
    codec = Codecs.narrowFloat(convolution.dtype(), convolution.floats());
    plan = WinogradPlan.of(convolution, tile);
    sink = new BandSink(codec, convolution, convolution.bias());
    channels = Math.toIntExact(convolution.inputsPerGroup());
    columns = Math.toIntExact(convolution.out().dim(3));
    panelCount = Math.toIntExact(Math.ceilDiv(convolution.outputsPerGroup(), (long) WIDTH));
    int most = plan.blockRows() * plan.pieces();
    pixelStep = oddLines(channels);
    packer =
        new PixelPacker(
            codec,
            convolution.data(),
            convolution.windows(),
            pixelStep,
            plan.height(),
            plan.width());
    direct = new DirectSums(codec, convolution, pixelStep, plan.width() * pixelStep);
    pointStep = oddLines(most * pixelStep);
    productStep = oddLines(most * WIDTH);
    offsets = new int[channels];
    Arrays.setAll(offsets, c -> c * WIDTH);
  }

  /** Computes a convolution; false, and nothing done, where another way is better. */
  static boolean run(WindowTile tile, Convolution convolution, Pool<WindowScratch> pool) {
    // Tiles for few registers have short vectors.
    if (tile.pairColumns() != WIDTH || !WinogradPlan.isFaster(convolution)) {
      return false;
    }
    float[] panels =
        WinogradPanels.of(
            Codecs.narrowFloat(convolution.dtype(), convolution.floats()), convolution, WIDTH);
    if (panels == null) {
      return false;
    }
    new WinogradConvolution(tile, convolution, panels, pool).run();
    return true;
  }

  private static int oddLines(int length) {
    return (Math.ceilDiv(length, LINE) | 1) * LINE;
  }

  private void run() {
    WorkerPool workers = convolution.workers();
    long units = plan.blocks() * panelCount;
    if (workers == null || workers.parallelism() == 1) {
      run(0, units);
    } else {
      long pieces = (long) PIECES_PER_THREAD * workers.parallelism();
      workers.parallelFor(0, units, Math.ceilDiv(units, pieces), this::run);
    }
  }

  private void run(long from, long to) {
    WindowScratch scratch = pool.take();
    scratch.line(columns);
    for (long unit = from; unit < to; unit++) {
      long block = unit / panelCount;
      if (!scratch.holds(call, block)) {
        transform(scratch, block);
      }
      multiply(scratch, block, (int) (unit % panelCount));
    }
    pool.give(scratch);
  }

  private long firstRow(long block) {
    return block * plan.blockRows();
  }

  private int rows(long block) {
    return (int) Math.min(plan.blockRows(), plan.rows() - firstRow(block));
  }

  /** Rows of pieces from one on that are of the same image. */
  private int rowsOfImage(long row, long end) {
    return (int) Math.min(end - row, plan.rowsPerImage() - row % plan.rowsPerImage());
  }

  private void transform(WindowScratch scratch, long block) {
    int most = plan.blockRows() * plan.pieces();
    float[] points =
        scratch.points(
            (POINTS - 1) * pointStep + (most + tile.pairRows(Integer.MAX_VALUE)) * pixelStep);
    float[] pixels = scratch.pixels(packer.length());
    int row = plan.width() * pixelStep;
    long first = firstRow(block);
    long end = first + rows(block);
    int to = 0;
    for (long y = first; y < end; ) {
      int count = rowsOfImage(y, end);
      pack(scratch, y);
      for (int i = 0; i < count; i++) {
        int at = WinogradPlan.SQUARE * i * row;
        WinogradTransform.image(
            pixels, at, pixelStep, row, channels, plan.pieces(), points, to, pixelStep, pointStep);
        to += plan.pieces() * pixelStep;
      }
      y += count;
    }
  }

  /** Brings the pixels for rows of pieces from one on, which are of one image. */
  private void pack(WindowScratch scratch, long row) {
    packer.pack(
        row / plan.rowsPerImage(),
        WinogradPlan.SQUARE * (row % plan.rowsPerImage()),
        scratch,
        scratch.pixels(packer.length()));
  }

  private void multiply(WindowScratch scratch, long block, int panel) {
    int count = rows(block) * plan.pieces();
    float[] points = scratch.points(0);
    float[] products =
        scratch.products(
            (POINTS - 1) * productStep + (count + tile.pairRows(Integer.MAX_VALUE)) * WIDTH);
    for (int point = 0; point < POINTS; point++) {
      int panelAt = (panel * POINTS + point) * channels * WIDTH;
      for (int i = 0; i < count; ) {
        int height = tile.pairRows(count - i);
        tile.multiply(
            points,
            point * pointStep + i * pixelStep,
            pixelStep,
            panels,
            panelAt,
            offsets,
            channels,
            height,
            WIDTH,
            products,
            point * productStep + i * WIDTH,
            WIDTH);
        i += height;
      }
    }
    finish(scratch, products, block, panel);
  }

  private void finish(WindowScratch scratch, float[] products, long block, int panel) {
    long first = firstRow(block);
    long end = first + rows(block);
    int from = 0;
    for (long y = first; y < end; ) {
      int count = rowsOfImage(y, end);
      store(scratch, products, from, y, count, panel);
      from += count * plan.pieces() * WIDTH;
      y += count;
    }
  }

  /** Brings rows of pieces of one image to the output. */
  private void store(
      WindowScratch scratch, float[] products, int from, long row, int count, int panel) {
    long image = row / plan.rowsPerImage();
    long firstRow = WinogradPlan.SQUARE * (row % plan.rowsPerImage());
    int rows = (int) Math.min(WinogradPlan.SQUARE * count, convolution.out().dim(2) - firstRow);
    int places = rows * columns;
    int waste = Math.ceilDiv(places, LANES) * LANES * WIDTH;
    float[] sums = scratch.sums(waste + WIDTH);
    for (int i = 0; i < count; i++) {
      WinogradTransform.results(
          products,
          from + i * plan.pieces() * WIDTH,
          productStep,
          WIDTH,
          columns,
          sums,
          WinogradPlan.SQUARE * i * columns * WIDTH,
          WinogradPlan.SQUARE * i + 1 < rows,
          waste);
    }
    int outputs = (int) Math.min(WIDTH, convolution.outputsPerGroup() - (long) panel * WIDTH);
    if (!DirectSums.areFinite(sums, places * WIDTH)) {
      pack(scratch, row);
      float[] pixels = scratch.pixels(packer.length());
      direct.replace(pixels, columns, rows, (long) panel * WIDTH, outputs, sums, WIDTH);
    }
    int step = Turn.step(places);
    float[] turned = scratch.turned(WIDTH * step);
    Turn.turn(sums, WIDTH, places, WIDTH, turned, step);
    scratch.line(places);
    for (int i = 0; i < outputs; i++) {
      long output = (long) panel * WIDTH + i;
      sink.store(turned, i * step, columns, image, output, firstRow, rows, scratch);
    }
  }
}
