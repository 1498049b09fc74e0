package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.PadOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.SliceOps;
import org.relaxvm.tir.te.TensorExpr;

/** Functions that slice, repeat, reverse and pad elements. */
final class LayoutFormulas {
  private static final List<String> MODES = List.of("constant", "reflect", "replicate", "circular");

  private LayoutFormulas() {}

  static void addTo(Map<String, Formula> all) {
    all.put("strided_slice", Formula.ofKnown(LayoutFormulas::slice));
    all.put(
        "tile",
        Formula.of(
            o ->
                ShapeOps.tile(
                    o.kernel(),
                    Operands.OUT,
                    o.tensor("x"),
                    o.numbers("repeats", o.numbers("repeats").size(), 0))));
    all.put("repeat", Formula.of(LayoutFormulas::repeat));
    all.put("flip", Formula.of(LayoutFormulas::flip));
    all.put("pad", Formula.ofKnown(LayoutFormulas::pad));
    all.put("tril", Formula.of(o -> triangle(o, true)));
    all.put("triu", Formula.of(o -> triangle(o, false)));
  }

  private static TensorExpr slice(Operands o) {
    Shape shape = o.shapeOf("x");
    List<Integer> axes = Objects.requireNonNull(o.axes("axes", shape.rank()));
    List<Long> begin = each(o, "begin", axes.size());
    List<Long> end = each(o, "end", axes.size());
    List<Long> strides =
        o.isNull("strides")
            ? Collections.nCopies(axes.size(), 1L)
            : each(o, "strides", axes.size());
    o.require(!strides.contains(0L), "strides", "steps other than 0", "" + strides);
    List<PrimExpr> first = new ArrayList<>();
    List<PrimExpr> last = new ArrayList<>();
    for (int i = 0; i < axes.size(); i++) {
      long extent = shape.dim(axes.get(i));
      first.add(IntImm.of(position(begin.get(i), extent, strides.get(i))));
      last.add(IntImm.of(position(end.get(i), extent, strides.get(i))));
    }
    return SliceOps.stridedSlice(
        o.kernel(), Operands.OUT, o.tensor("x"), axes, first, last, strides, true);
  }

  private static long position(long given, long extent, long step) {
    long position = given < 0 ? given + extent : given;
    return step > 0 ? Math.clamp(position, 0, extent) : Math.clamp(position, -1, extent - 1);
  }

  private static List<Long> each(Operands o, String name, int count) {
    List<Long> numbers = o.numbers(name);
    o.require(numbers.size() == count, name, count + " numbers", "" + numbers);
    return numbers;
  }

  private static TensorExpr repeat(Operands o) {
    int repeats = o.count("repeats", 0);
    Integer axis = o.isNull("axis") ? null : o.axis("axis", o.shapeOf("x").rank());
    return ShapeOps.repeat(o.kernel(), Operands.OUT, o.tensor("x"), repeats, axis);
  }

  private static TensorExpr flip(Operands o) {
    o.requireRank("x", 1);
    int axis = o.axis("axis", o.shapeOf("x").rank());
    return ShapeOps.flip(o.kernel(), Operands.OUT, o.tensor("x"), axis);
  }

  private static TensorExpr pad(Operands o) {
    Shape shape = o.shapeOf("x");
    List<Long> widths = o.numbers("pad_width", 2 * shape.rank(), 0);
    String mode = o.text("pad_mode");
    o.require(MODES.contains(mode), "pad_mode", "one of " + MODES, "'" + mode + "'");
    for (int axis = 0; axis < shape.rank(); axis++) {
      long extent = shape.dim(axis);
      long most =
          switch (mode) {
            case "reflect" -> Math.max(0, extent - 1);
            case "circular" -> extent;
            case "replicate" -> extent == 0 ? 0 : Long.MAX_VALUE;
            default -> Long.MAX_VALUE;
          };
      o.require(
          widths.get(2 * axis) <= most && widths.get(2 * axis + 1) <= most,
          "pad_width",
          "at most " + most + " beside axis " + axis,
          "" + widths);
    }
    if (mode.equals("constant")) {
      PrimExpr value = o.constant("pad_value", o.outDType());
      return PadOps.constant(o.kernel(), Operands.OUT, o.tensor("x"), widths, value);
    }
    PadOps.Mode how = PadOps.Mode.valueOf(mode.toUpperCase(Locale.ROOT));
    return PadOps.pad(o.kernel(), Operands.OUT, o.tensor("x"), widths, how);
  }

  private static TensorExpr triangle(Operands o, boolean lower) {
    o.requireRank("x", 2);
    PrimExpr diagonal = IntImm.of(o.integer("k"));
    return lower
        ? CreationOps.tril(o.kernel(), Operands.OUT, o.tensor("x"), diagonal)
        : CreationOps.triu(o.kernel(), Operands.OUT, o.tensor("x"), diagonal);
  }
}
