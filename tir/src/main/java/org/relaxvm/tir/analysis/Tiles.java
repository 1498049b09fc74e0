package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.tir.analysis.NestMatch.Mismatch;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.Range;

/** What of which buffer each parameter of an intrinsic stands for. */
final class Tiles {
  private final TensorIntrinsic intrinsic;
  private final Analyzer analyzer;
  private final Map<Buffer, Buffer> buffers = new LinkedHashMap<>();
  private final Map<Buffer, Map<Integer, PrimExpr>> starts = new HashMap<>();

  Tiles(TensorIntrinsic intrinsic, Analyzer analyzer) {
    this.intrinsic = intrinsic;
    this.analyzer = analyzer;
  }

  /** Lets a parameter stand for a buffer; gives how many axes the buffer has in front. */
  int bind(Buffer parameter, Buffer buffer) throws Mismatch {
    Buffer known = buffers.putIfAbsent(parameter, buffer);
    if (known != null && !known.equals(buffer)) {
      throw new Mismatch(
          parameter + " of the description would be " + known + " as well as " + buffer);
    }
    String pair = buffer + ", which would be " + parameter + " of the description, ";
    if (!buffer.dtype().equals(parameter.dtype())) {
      throw new Mismatch(pair + "holds " + buffer.dtype() + " instead of " + parameter.dtype());
    }
    if (buffer.scope() != parameter.scope()) {
      throw new Mismatch(
          pair + "lies in memory " + text(buffer) + " instead of " + text(parameter));
    }
    if (buffer.rank() < parameter.rank()) {
      throw new Mismatch(
          pair
              + "has "
              + Count.axes(buffer.rank())
              + " instead of "
              + parameter.rank()
              + " or more");
    }
    return buffer.rank() - parameter.rank();
  }

  private static String text(Buffer buffer) {
    return buffer.scope().text();
  }

  /** Where the tile of a parameter starts along an axis of its buffer. */
  void start(Buffer parameter, int axis, PrimExpr first) throws Mismatch {
    PrimExpr known =
        starts.computeIfAbsent(parameter, p -> new HashMap<>()).putIfAbsent(axis, first);
    if (known != null && !analyzer.canProveEqual(known, first)) {
      throw new Mismatch(
          parameter + " of the description would be two tiles of " + buffers.get(parameter));
    }
  }

  /**
   * The region of each parameter.
   *
   * @param values of extents that are variables; strides are added
   */
  Map<Buffer, BufferRegion> regions(Map<Var, PrimExpr> values) throws Mismatch {
    Map<Buffer, BufferRegion> regions = new LinkedHashMap<>();
    for (Buffer parameter : intrinsic.description().buffers()) {
      regions.put(parameter, region(parameter, values));
    }
    for (Buffer output : intrinsic.outputs()) {
      Buffer written = buffers.get(output);
      if (buffers.values().stream().filter(b -> b.equals(written)).count() > 1) {
        throw new Mismatch(written + ", which it writes, would be two parameters");
      }
    }
    return regions;
  }

  private BufferRegion region(Buffer parameter, Map<Var, PrimExpr> values) throws Mismatch {
    Buffer buffer = Objects.requireNonNull(buffers.get(parameter));
    Map<Integer, PrimExpr> first = starts.getOrDefault(parameter, Map.of());
    int front = buffer.rank() - parameter.rank();
    List<Range> ranges = new ArrayList<>();
    List<PrimExpr> minima = new ArrayList<>();
    for (int axis = 0; axis < buffer.rank(); axis++) {
      PrimExpr min = Objects.requireNonNull(first.get(axis));
      minima.add(min);
      if (axis >= front
          && parameter.shape().get(axis - front) instanceof Var symbol
          && !values.containsKey(symbol)) {
        throw new Mismatch("the extent " + symbol + " of the description is that of no loop");
      }
      PrimExpr extent =
          axis < front
              ? IntImm.of(1)
              : Substitution.in(parameter.shape().get(axis - front), values);
      ranges.add(new Range(min, extent));
    }
    requireSteps(parameter, buffer, front, values);
    PrimExpr offset = Exprs.add(buffer.elemOffset(), Exprs.dot(minima, steps(buffer)));
    if (!fits(parameter.elemOffset(), offset, values)) {
      throw new Mismatch(
          buffer + " does not begin where " + parameter + " of the description does");
    }
    return new BufferRegion(buffer, ranges);
  }

  private void requireSteps(Buffer parameter, Buffer buffer, int front, Map<Var, PrimExpr> values)
      throws Mismatch {
    List<PrimExpr> expected = steps(parameter);
    List<PrimExpr> got = steps(buffer);
    for (int axis = 0; axis < parameter.rank(); axis++) {
      boolean matters = !parameter.shape().get(axis).equals(IntImm.of(1));
      if (matters && !fits(expected.get(axis), got.get(axis + front), values)) {
        throw new Mismatch(
            "the stride of axis "
                + (axis + front)
                + " of "
                + buffer
                + " is not that of axis "
                + axis
                + " of "
                + parameter
                + " in the description");
      }
    }
  }

  /** Whether a value is what is expected; a variable without a value takes this one. */
  private boolean fits(PrimExpr expected, PrimExpr got, Map<Var, PrimExpr> values) {
    if (expected instanceof Var var && values.putIfAbsent(var, got) == null) {
      return true;
    }
    return analyzer.canProveEqual(Substitution.in(expected, values), got);
  }

  private static List<PrimExpr> steps(Buffer buffer) {
    return buffer.strides().isEmpty() ? Exprs.rowMajorStrides(buffer.shape()) : buffer.strides();
  }
}
