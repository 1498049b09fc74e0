package org.relaxvm.backendcpu.vector.conv;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.vector.Turn;

/**
 * A convolution whose vectors run along output channels, with weights in panels. Sums of a band are
 * collected for one panel after the other, position by position, and turned when they are whole.
 *
 * <p>A unit of work is a band of rows of one group of one image, and some of the panels. A thread
 * that goes on to other panels of the same band keeps its copy of the image. Immutable; each thread
 * has scratch memory of its own.
 */
final class ChannelConvolution {
  private final ChannelTile tile;
  private final Codec<float[]> codec;
  private final Convolution convolution;
  private final Pool<WindowScratch> pool;
  private final float[] panels;
  private final BandPacker packer;
  private final BandSink sink;
  private final BandLayout layout;
  private final BandPlan plan;
  private final int[] offsets;
  private final Object call = new Object();
  private final int channels;
  private final int depth;
  private final int width;
  private final int perGroup;
  // Whether two rows are computed at once, each of them a run.
  private final boolean rowsArePaired;
  // Positions of a row in pairs of runs, and how many tiles the others take.
  private final int paired;
  private final int pieces;

  ChannelConvolution(
      ChannelTile tile, Convolution convolution, float[] panels, Pool<WindowScratch> pool) {
    this.tile = tile;
    this.convolution = convolution;
    this.panels = panels;
    this.pool = pool;
    codec = Codecs.narrowFloat(convolution.dtype(), convolution.floats());
    channels = Math.toIntExact(convolution.inputsPerGroup());
    depth = Math.toIntExact(convolution.depth());
    width = tile.width();
    perGroup = Math.toIntExact(ChannelPanels.perGroup(convolution, width));
    plan = BandPlan.of(convolution, perGroup, 1);
    layout = plan.layout();
    offsets = layout.offsets(channels);
    packer = new BandPacker(codec, convolution.data(), layout);
    sink = new BandSink(codec, convolution, null);
    int columns = layout.columns();
    rowsArePaired = columns <= tile.run() && columns > tile.run() - 2;
    paired = tile.run() == 0 ? 0 : columns - columns % (2 * tile.run());
    pieces = Math.ceilDiv(columns - paired, tile.positions());
  }

  /** Computes the convolution, in the threads of its workers. */
  void run() {
    plan.run(convolution.workers(), this::run);
  }

  private void run(long from, long to) {
    WindowScratch scratch = pool.take();
    float[] band = scratch.band(channels * layout.channel() + tile.positions());
    for (long unit = from; unit < to; unit++) {
      BandPlan.Unit u = plan.unit(unit);
      if (!scratch.holds(call, u.band())) {
        packer.pack(u.image(), u.group() * channels, channels, u.firstRow(), band);
      }
      for (int i = 0; i < u.blockCount(); i++) {
        compute(scratch, band, u, u.firstBlock() + i);
      }
    }
    pool.give(scratch);
  }

  private void compute(WindowScratch scratch, float[] band, BandPlan.Unit unit, int panel) {
    long group = unit.group();
    int panelAt = Math.toIntExact((group * perGroup + panel) * depth * width);
    long firstOutput = group * convolution.outputsPerGroup() + (long) panel * width;
    int outputs = (int) Math.min(width, (group + 1) * convolution.outputsPerGroup() - firstOutput);
    float[] sums =
        scratch.sums(Turn.step(unit.rows() * layout.columns() + tile.positions()) * width);
    multiply(panelAt, band, unit.rows(), start(firstOutput, outputs, scratch), sums);
    finish(scratch, sums, unit, firstOutput, outputs);
  }

  /** Sums start at the bias. */
  private float[] start(long firstOutput, int outputs, WindowScratch scratch) {
    scratch.line(width);
    float[] first = scratch.extra();
    codec.lanes().fill(first, 0, width, 0);
    @Nullable Operand bias = convolution.bias();
    if (bias != null) {
      long at = bias.offset() + firstOutput * bias.stride(0);
      codec.load(bias.memory(), at, bias.stride(0), first, 0, outputs);
    }
    return first;
  }

  /** A tile that computes more positions than matter writes where the next one does. */
  private void multiply(int panelAt, float[] band, int rows, float[] start, float[] sums) {
    int y = 0;
    if (rowsArePaired) {
      for (; y + 1 < rows; y += 2) {
        multiplyRuns(panelAt, band, y, 0, y + 1, 0, start, sums);
      }
    }
    for (; y < rows; y++) {
      for (int x = 0; x < paired; x += 2 * tile.run()) {
        multiplyRuns(panelAt, band, y, x, y, x + tile.run(), start, sums);
      }
      for (int i = 0; i < pieces; i++) {
        int x = pieceStart(i);
        int positions = pieceStart(i + 1) - x;
        int at = y * layout.width() + x;
        int sumsAt = (y * layout.columns() + x) * width;
        tile.multiply(panels, panelAt, band, at, offsets, depth, positions, start, sums, sumsAt);
      }
    }
  }

  private void multiplyRuns(
      int panelAt, float[] band, int y, int x, int nextY, int nextX, float[] start, float[] sums) {
    int at = y * layout.width() + x;
    int next = nextY * layout.width() + nextX;
    int sumsAt = (y * layout.columns() + x) * width;
    int nextSums = (nextY * layout.columns() + nextX) * width;
    tile.multiplyRuns(
        panels, panelAt, band, at, next - at, offsets, depth, start, sums, sumsAt, nextSums);
  }

  private int pieceStart(int piece) {
    return paired + (int) ((long) piece * (layout.columns() - paired) / pieces);
  }

  /** Turns the sums, so that channels are rows, and stores them. */
  private void finish(
      WindowScratch scratch, float[] sums, BandPlan.Unit unit, long firstOutput, int outputs) {
    int columns = layout.columns();
    int count = unit.rows() * columns;
    int step = Turn.step(count);
    float[] turned = scratch.turned(width * step);
    Turn.turn(sums, width, count, width, turned, step);
    scratch.line(count);
    for (int i = 0; i < outputs; i++) {
      sink.store(
          turned,
          i * step,
          columns,
          unit.image(),
          firstOutput + i,
          unit.firstRow(),
          unit.rows(),
          scratch);
    }
  }
}
