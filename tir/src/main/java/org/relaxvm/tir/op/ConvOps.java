package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Layout;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Convolutions with one to three spatial axes. Source: docs/spec/op-set.md, section 3.5. */
public final class ConvOps {
  private ConvOps() {}

  /**
   * The cross-correlation of data {@code [n, c, ...]} and kernels {@code [o, c / groups, ...]}:
   * {@code [n, o, ...]} of {@code (in + pads - dilation * (k - 1) - 1) / stride + 1}, rounded down.
   * Computed in the dtype of the result, float16 and bfloat16 in float32. Padding is a stage of its
   * own.
   */
  public static TensorExpr conv(
      KernelBuilder k, String name, TensorExpr data, TensorExpr weight, ConvAttrs attrs) {
    String op = "conv" + attrs.spatial() + "d";
    check(op, data, weight, attrs);
    int spatial = attrs.spatial();
    Layout layout = Layout.of(op, attrs.dataLayout(), Layout.data(spatial));
    TensorExpr x = layout.plain(k, data);
    TensorExpr w = Layout.of(op, attrs.kernelLayout(), Layout.kernel(spatial)).plain(k, weight);
    PrimExpr inner = w.shape().get(1);
    PrimExpr outer = w.shape().get(0);
    Dims.requireSame(
        op, x.shape().get(1), Exprs.mul(inner, attrs.groups()), "the channels of data and weight");
    requireGroups(op, outer, attrs.groups());
    TensorExpr padded = padded(k, name + "_pad", x, attrs.padding());
    List<PrimExpr> plain = new ArrayList<>(List.of(x.shape().get(0), outer));
    List<PrimExpr> domain = new ArrayList<>(List.of(inner));
    for (int axis = 0; axis < spatial; axis++) {
      PrimExpr window = w.shape().get(2 + axis);
      domain.add(window);
      PrimExpr span = Exprs.add(Exprs.mul(Exprs.sub(window, 1), attrs.dilation().get(axis)), 1);
      plain.add(outputExtent(padded.shape().get(2 + axis), span, attrs.strides().get(axis)));
    }
    DType dtype = dtypeOf(data, attrs);
    DType wide = Arith.wide(dtype);
    PrimExpr perGroup = Dims.simplify(Exprs.floorDiv(outer, attrs.groups()));
    TensorExpr out =
        ReducedAxes.accumulate(
            k,
            name,
            dtype,
            layout.own(plain),
            domain,
            Reducer.SUM,
            (own, r) -> {
              List<PrimExpr> i = layout.plain(own);
              PrimExpr channel = r.getFirst();
              if (attrs.groups() > 1) {
                PrimExpr group = Exprs.floorDiv(i.get(1), perGroup);
                channel = Exprs.add(Exprs.mul(group, inner), channel);
              }
              List<PrimExpr> at = new ArrayList<>(List.of(i.get(0), channel));
              for (int axis = 0; axis < spatial; axis++) {
                PrimExpr start = Exprs.mul(i.get(2 + axis), attrs.strides().get(axis));
                PrimExpr step = Exprs.mul(r.get(1 + axis), attrs.dilation().get(axis));
                at.add(Exprs.add(start, step));
              }
              List<PrimExpr> tap = AxisLists.joined(List.of(i.get(1)), r);
              return Exprs.mul(Exprs.cast(wide, padded.at(at)), Exprs.cast(wide, w.at(tap)));
            });
    recordHint(k, data, weight, out, attrs);
    return out;
  }

  /** How many windows fit; none where the span is too long. */
  static PrimExpr outputExtent(PrimExpr extent, PrimExpr span, long stride) {
    PrimExpr last = Exprs.floorDiv(Exprs.sub(extent, span), stride);
    PrimExpr count = Dims.simplify(Exprs.add(last, 1));
    return Dims.known(count).isPresent() ? Exprs.max(count, IntImm.of(0)) : count;
  }

  private static void check(String op, TensorExpr data, TensorExpr weight, ConvAttrs attrs) {
    Check.numbers(op, data);
    Check.numbers(op, weight);
    if (attrs.outDType() == null) {
      Check.sameDType(op, data, weight);
    }
    Check.rank(op, data, 2 + attrs.spatial());
    Check.rank(op, weight, 2 + attrs.spatial());
  }

  private static void requireGroups(String op, PrimExpr channels, int groups) {
    Check.that(
        Dims.known(channels).stream().allMatch(known -> known % groups == 0),
        op,
        Dims.text(channels) + " channels cannot be divided into " + groups + " groups");
  }

  private static DType dtypeOf(TensorExpr data, ConvAttrs attrs) {
    DType dtype = attrs.outDType();
    return dtype == null ? data.dtype() : dtype;
  }

  /** The data with zeros around; itself where there is no padding. */
  private static TensorExpr padded(KernelBuilder k, String name, TensorExpr x, List<Long> padding) {
    if (padding.stream().allMatch(pad -> pad == 0)) {
      return x;
    }
    int spatial = padding.size() / 2;
    List<Long> widths = new ArrayList<>(List.of(0L, 0L, 0L, 0L));
    for (int axis = 0; axis < spatial; axis++) {
      widths.add(padding.get(axis));
      widths.add(padding.get(spatial + axis));
    }
    return PadOps.constant(k, name, x, widths, Arith.of(x.dtype(), 0));
  }

  private static void recordHint(
      KernelBuilder k, TensorExpr data, TensorExpr weight, TensorExpr out, ConvAttrs attrs) {
    boolean fits =
        attrs.spatial() == 2
            && attrs.dataLayout().equals("NCHW")
            && attrs.kernelLayout().equals("OIHW")
            && data.dtype().equals(weight.dtype())
            && data.dtype().equals(out.dtype())
            && attrs.padding().stream().allMatch(pad -> pad >= 0)
            && LibraryHint.canName(List.of(data, weight, out));
    if (fits) {
      new LibraryHint(
              "relaxvm.conv2d",
              List.of(
                  LibraryHint.param(data),
                  LibraryHint.param(weight),
                  new LibraryArg.OfNull(),
                  new LibraryArg.OfShape(attrs.strides()),
                  new LibraryArg.OfShape(attrs.padding()),
                  new LibraryArg.OfShape(attrs.dilation()),
                  new LibraryArg.OfLong(attrs.groups()),
                  new LibraryArg.OfText("none"),
                  LibraryHint.param(out)))
          .recordOn(k, List.of(data, weight), out);
    }
  }

  /**
   * The transposed convolution of data {@code [n, c, ...]} and kernels {@code [c, o / groups,
   * ...]}: {@code [n, o, ...]} of {@code (in - 1) * stride - pads + dilation * (k - 1) + more + 1}.
   *
   * @param attrs whose kernel layout names the axis of {@code c} with {@code I}; the plain one is
   *     {@code IOHW}
   */
  public static TensorExpr convTranspose(
      KernelBuilder k, String name, TensorExpr data, TensorExpr weight, ConvAttrs attrs) {
    int spatial = attrs.spatial();
    String op = "conv" + spatial + "d_transpose";
    check(op, data, weight, attrs);
    for (int axis = 0; axis < spatial; axis++) {
      Check.that(
          attrs.outputPadding().get(axis) < attrs.strides().get(axis),
          op,
          "the output padding "
              + attrs.outputPadding()
              + " must be less than the strides "
              + attrs.strides());
    }
    Layout layout = Layout.of(op, attrs.dataLayout(), Layout.data(spatial));
    TensorExpr x = layout.plain(k, data);
    String letters = "IO" + Layout.kernel(spatial).substring(2);
    TensorExpr w = Layout.of(op, attrs.kernelLayout(), letters).plain(k, weight);
    PrimExpr channels = x.shape().get(1);
    Dims.requireSame(op, channels, w.shape().get(0), "the channels of data and weight");
    requireGroups(op, channels, attrs.groups());
    PrimExpr perGroup = w.shape().get(1);
    PrimExpr inner = Dims.simplify(Exprs.floorDiv(channels, attrs.groups()));
    List<PrimExpr> plain =
        new ArrayList<>(List.of(x.shape().get(0), Exprs.mul(perGroup, attrs.groups())));
    List<PrimExpr> domain = new ArrayList<>(List.of(inner));
    for (int axis = 0; axis < spatial; axis++) {
      PrimExpr window = w.shape().get(2 + axis);
      domain.add(window);
      PrimExpr steps = Exprs.mul(Exprs.sub(x.shape().get(2 + axis), 1), attrs.strides().get(axis));
      PrimExpr span = Exprs.mul(Exprs.sub(window, 1), attrs.dilation().get(axis));
      long more =
          attrs.outputPadding().get(axis)
              - LongStream.of(attrs.padding().get(axis), attrs.padding().get(spatial + axis)).sum()
              + 1;
      PrimExpr extent = Dims.simplify(Exprs.add(Exprs.add(steps, span), more));
      plain.add(Exprs.max(extent, IntImm.of(0)));
    }
    DType dtype = dtypeOf(data, attrs);
    DType wide = Arith.wide(dtype);
    return ReducedAxes.accumulate(
        k,
        name,
        dtype,
        layout.own(plain),
        domain,
        Reducer.SUM,
        (own, r) -> {
          List<PrimExpr> i = layout.plain(own);
          PrimExpr group = Exprs.floorDiv(i.get(1), perGroup);
          PrimExpr channel = Exprs.add(Exprs.mul(group, inner), r.getFirst());
          List<PrimExpr> at = new ArrayList<>(List.of(i.get(0), channel));
          List<PrimExpr> tap = new ArrayList<>(List.of(channel));
          tap.add(Exprs.floorMod(i.get(1), perGroup));
          PrimExpr there = IntImm.of(true);
          for (int axis = 0; axis < spatial; axis++) {
            PrimExpr step = Exprs.mul(r.get(1 + axis), attrs.dilation().get(axis));
            PrimExpr position =
                Exprs.sub(Exprs.add(i.get(2 + axis), attrs.padding().get(axis)), step);
            long stride = attrs.strides().get(axis);
            PrimExpr from = Exprs.floorDiv(position, stride);
            PrimExpr even = Exprs.eq(Exprs.floorMod(position, stride), IntImm.of(0));
            PrimExpr inside = Arith.within(from, IntImm.of(0), x.shape().get(2 + axis));
            there = Exprs.and(there, Exprs.and(even, inside));
            at.add(from);
            tap.add(r.get(1 + axis));
          }
          PrimExpr product = Exprs.mul(Exprs.cast(wide, x.at(at)), Exprs.cast(wide, w.at(tap)));
          return Exprs.ifThenElse(there, product, Arith.of(wide, 0));
        });
  }
}
