package org.relaxvm.backendcpu.vector.pool;

import java.util.Arrays;
import java.util.List;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Pooling;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.conv.AxisPhases;
import org.relaxvm.backendcpu.vector.conv.Pool;
import org.relaxvm.backendcpu.vector.plane.PhaseRows;
import org.relaxvm.backendcpu.vector.plane.PlanePlan;
import org.relaxvm.backendcpu.vector.plane.PlaneReader;
import org.relaxvm.backendcpu.vector.plane.PlaneWriter;

/**
 * A pooling. A unit of work is some channels, or a band of rows of one. For each row of windows the
 * rows of the image that it meets are folded into a line, with padding at both ends and cut into
 * phases by the stride; then the columns of all lines at once, whatever the channel; what lies
 * between two lines is computed and dropped. Immutable; each thread has scratch memory of its own.
 */
final class WindowPooling {
  /**
   * A step of a unit's work. In a loop over steps none of them is compiled into its caller: all of
   * them at once are more than the compiler takes, and vectors would become objects.
   */
  private interface Stage {
    void run(PoolScratch scratch, PlanePlan.Unit unit);
  }

  private final Pooling pooling;
  private final Fold fold;
  private final Pool<PoolScratch> pool;
  private final PlanePlan plan;
  private final PlaneReader reader;
  private final PlaneWriter writer;
  private final Window vertical;
  private final AxisPhases horizontal;
  private final int imageWidth;
  private final int columns;
  private final int lineWidth;
  // From one phase of the lines to the next one.
  private final int phaseStep;
  private final PhaseRows phaseRows;
  private final int[] offsets;
  private final float[] inside;
  private final List<Stage> stages =
      List.of(
          this::read,
          this::foldRows,
          this::cutIntoPhases,
          this::foldColumns,
          this::finish,
          this::write);

  WindowPooling(Pooling pooling, Fold fold, Pool<PoolScratch> pool) {
    this.pooling = pooling;
    this.fold = fold;
    this.pool = pool;
    Codec<float[]> codec = Codecs.narrowFloat(pooling.dtype(), pooling.floats());
    Operand in = pooling.in();
    vertical = pooling.windows().vertical();
    Window columnWindow = pooling.windows().horizontal();
    horizontal = AxisPhases.of(columnWindow);
    imageWidth = Math.toIntExact(in.dim(3));
    columns = Math.toIntExact(pooling.out().dim(3));
    plan =
        PlanePlan.of(
            vertical, in.dim(0), in.dim(1), imageWidth, pooling.out().dim(2), pooling.workers());
    reader = new PlaneReader(codec, in);
    writer = new PlaneWriter(codec, pooling.out());
    lineWidth = columns + horizontal.reach();
    phaseStep = plan.unitChannels() * plan.unitRows() * lineWidth;
    phaseRows = new PhaseRows(horizontal, lineWidth, phaseStep);
    offsets = new int[horizontal.phase().length];
    Arrays.setAll(offsets, i -> horizontal.phase()[i] * phaseStep + horizontal.shift()[i]);
    inside = new float[columns + fold.slack()];
    for (int x = 0; x < inside.length; x++) {
      inside[x] = x < columns ? inside(columnWindow, x) : 1;
    }
  }

  /** How many elements count; 1 where none does, since their sum is 0. */
  private float inside(Window window, long position) {
    if (pooling.countPadding()) {
      return window.size();
    }
    long last = lastInside(window, position);
    return Math.max(1, last - firstInside(window, position) + 1);
  }

  private static long firstInside(Window window, long position) {
    return Math.max(0, Math.ceilDiv(-window.place(position, 0), window.dilation()));
  }

  private static long lastInside(Window window, long position) {
    long room = window.input() - 1 - window.place(position, 0);
    return Math.min(window.size() - 1, Math.floorDiv(room, window.dilation()));
  }

  /** Computes the pooling, in the threads of its workers. */
  void run() {
    double cost = vertical.size() + horizontal.window().size();
    plan.run(pooling.workers(), cost / 2, columns, this::run);
  }

  private void run(long from, long to) {
    PoolScratch scratch = pool.take();
    int slack = fold.slack();
    scratch.image(plan.unitChannels() * plan.mostInputs() * imageWidth + slack);
    scratch.rows(plan.unitChannels() * plan.unitRows() * imageWidth + slack);
    int length = horizontal.count() * phaseStep + horizontal.reach() + slack;
    Arrays.fill(scratch.lines(length), 0, length, fold.neutral());
    scratch.folded(phaseStep + slack);
    scratch.results(plan.unitChannels() * plan.unitRows() * columns + slack);
    for (long unit = from; unit < to; unit++) {
      PlanePlan.Unit u = plan.unit(unit);
      for (Stage stage : stages) {
        stage.run(scratch, u);
      }
    }
    pool.give(scratch);
  }

  private void read(PoolScratch scratch, PlanePlan.Unit unit) {
    reader.read(
        unit.image(),
        unit.firstChannel(),
        unit.channels(),
        plan.firstInput(unit),
        plan.inputs(unit),
        scratch.image(0));
  }

  private void foldRows(PoolScratch scratch, PlanePlan.Unit unit) {
    Fold.Rows rows = rows(unit);
    int planeStep = plan.inputs(unit) * imageWidth;
    int channels = unit.channels();
    float[] image = scratch.image(0);
    if (horizontal.window().stride() == 1) {
      int at = (int) horizontal.window().before();
      fold.rows(image, channels, planeStep, rows, imageWidth, scratch.lines(0), at, lineWidth);
    } else {
      fold.rows(image, channels, planeStep, rows, imageWidth, scratch.rows(0), 0, imageWidth);
    }
  }

  private void cutIntoPhases(PoolScratch scratch, PlanePlan.Unit unit) {
    if (horizontal.window().stride() > 1) {
      phaseRows.copy(scratch.rows(0), 0, imageWidth, lines(unit), scratch.lines(0), 0);
    }
  }

  private void foldColumns(PoolScratch scratch, PlanePlan.Unit unit) {
    fold.columns(scratch.lines(0), offsets, scratch.folded(0), lines(unit) * lineWidth);
  }

  private void finish(PoolScratch scratch, PlanePlan.Unit unit) {
    fold.finish(
        scratch.folded(0), lines(unit), lineWidth, columns, rows(unit), inside, scratch.results(0));
  }

  private void write(PoolScratch scratch, PlanePlan.Unit unit) {
    writer.write(
        scratch.results(0),
        unit.image(),
        unit.firstChannel(),
        unit.channels(),
        unit.firstRow(),
        unit.rows());
  }

  private static int lines(PlanePlan.Unit unit) {
    return unit.channels() * unit.rows();
  }

  private Fold.Rows rows(PlanePlan.Unit unit) {
    long firstInput = plan.firstInput(unit);
    int[] at = new int[unit.rows()];
    int[] count = new int[unit.rows()];
    float[] rowsInside = new float[unit.rows()];
    for (int y = 0; y < unit.rows(); y++) {
      long position = unit.firstRow() + y;
      long first = firstInside(vertical, position);
      count[y] = (int) Math.max(0, lastInside(vertical, position) - first + 1);
      at[y] = (int) (vertical.place(position, first) - firstInput) * imageWidth;
      rowsInside[y] = inside(vertical, position);
    }
    return new Fold.Rows(at, count, (int) vertical.dilation() * imageWidth, rowsInside);
  }
}
