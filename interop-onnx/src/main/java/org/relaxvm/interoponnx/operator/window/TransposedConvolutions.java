package org.relaxvm.interoponnx.operator.window;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Transposed convolutions with one to three spatial axes. */
public final class TransposedConvolutions {
  private TransposedConvolutions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("ConvTranspose", 1, TransposedConvolutions::convTranspose);
  }

  /** What is cut off before and after each spatial axis; negative for zeros that are added. */
  private record Cuts(List<PrimExpr> before, List<PrimExpr> after) {
    long[] numbers(NodeContext node) {
      return Stream.concat(before.stream(), after.stream())
          .mapToLong(
              cut -> {
                if (cut instanceof IntImm number) {
                  return number.value();
                }
                throw node.unsupported(
                    "its output_shape is given, but spatial extents of its input are symbolic",
                    "bind the extents (--bind)");
              })
          .toArray();
    }
  }

  private static List<Operand> convTranspose(NodeContext node) {
    Expr x = node.tensor(0);
    Expr weight = node.tensor(1);
    List<PrimExpr> dims = node.dims(x);
    int spatial = Windows.spatial(node, dims.size());
    Windows windows =
        Windows.of(node, dims, Convolutions.window(node, weight, spatial)).withoutPadding();
    Cuts cuts = cuts(node, dims, windows);
    ConvOptions options =
        ConvOptions.DEFAULT
            .withStrides(Windows.array(windows.strides()))
            .withDilation(Windows.array(windows.dilation()))
            .withGroups(Convolutions.groups(node));
    Expr result =
        org.relaxvm.compiler.op.nn.Convolutions.convTranspose(
            x, weight, spatial, options.withPadding(cuts.numbers(node)));
    return node.result(Convolutions.biased(node, result, node.optional(2), spatial));
  }

  // ---------------------------------------------------------------- extents

  private static Cuts cuts(NodeContext node, List<PrimExpr> dims, Windows windows) {
    int spatial = windows.window().size();
    List<Long> more =
        node.attributes().integers("output_padding").orElse(Collections.nCopies(spatial, 0L));
    if (more.size() != spatial) {
      throw node.unsupported(
          "output_padding is " + more + "; expected " + spatial + " numbers", "");
    }
    String autoPad = node.attributes().string("auto_pad", "NOTSET");
    Optional<List<Long>> shape = outputShape(node, spatial);
    if (shape.isEmpty() && !autoPad.startsWith("SAME")) {
      Windows padded = Windows.of(node, dims, windows.window());
      List<PrimExpr> after = new ArrayList<>();
      for (int axis = 0; axis < spatial; axis++) {
        after.add(Exprs.sub(padded.after().get(axis), more.get(axis)));
      }
      return new Cuts(padded.before(), simplified(node, after));
    }
    List<PrimExpr> before = new ArrayList<>();
    List<PrimExpr> after = new ArrayList<>();
    for (int axis = 0; axis < spatial; axis++) {
      PrimExpr in = dims.get(2 + axis);
      long stride = windows.strides().get(axis);
      PrimExpr out = shape.isPresent() ? IntImm.of(shape.get().get(axis)) : Exprs.mul(in, stride);
      PrimExpr total = Exprs.add(Exprs.sub(full(in, windows, axis), out), more.get(axis));
      PrimExpr less = Exprs.floorDiv(total, 2);
      PrimExpr rest = Exprs.sub(total, less);
      boolean isLess = autoPad.equals("SAME_UPPER");
      before.add(isLess ? less : rest);
      // What lies beyond the kernel is 0: it is not cut off but never computed.
      after.add(Exprs.sub(isLess ? rest : less, more.get(axis)));
    }
    return new Cuts(simplified(node, before), simplified(node, after));
  }

  private static List<PrimExpr> simplified(NodeContext node, List<PrimExpr> values) {
    return values.stream().map(node.analyzer()::simplify).toList();
  }

  /** The spatial extents of the result; older models name all. */
  private static Optional<List<Long>> outputShape(NodeContext node, int spatial) {
    Optional<List<Long>> given = node.attributes().integers("output_shape");
    if (given.isEmpty() || given.get().isEmpty()) {
      return Optional.empty();
    }
    int leading = given.get().size() - spatial;
    if (leading != 0 && leading != 2) {
      throw node.unsupported(
          "output_shape is " + given.get() + "; expected " + spatial + " numbers", "");
    }
    return Optional.of(given.get().subList(leading, leading + spatial));
  }

  /** The extent of everything that the kernel reaches. */
  private static PrimExpr full(PrimExpr in, Windows windows, int axis) {
    PrimExpr steps = Exprs.mul(Exprs.sub(in, 1), windows.strides().get(axis));
    return Exprs.add(steps, windows.span(axis));
  }
}
