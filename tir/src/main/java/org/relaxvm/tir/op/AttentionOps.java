package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Attention of queries to keys. Source: docs/spec/op-set.md, section 3.3. */
public final class AttentionOps {
  /** Which keys a query sees. */
  public enum CausalMask {
    /** All. */
    NONE("none"),
    /** Query {@code i} the keys up to {@code i}. */
    TOP_LEFT("TopLeft"),
    /** Query {@code i} the keys up to {@code i + |sq - sk|}. */
    BOTTOM_RIGHT("BottomRight");

    private final String text;

    CausalMask(String text) {
      this.text = text;
    }

    /** As the kernel library has it. */
    public String text() {
      return text;
    }
  }

  /**
   * What queries see.
   *
   * @param queries how many there are
   * @param count how many keys there are
   * @param window how many keys a query sees at most; null means any number
   */
  private record Visibility(
      PrimExpr queries, PrimExpr count, CausalMask mask, @Nullable Long window) {
    /** The last key that a query sees, if there are so many. */
    PrimExpr last(PrimExpr query) {
      PrimExpr apart =
          Dims.simplify(Exprs.max(Exprs.sub(queries, count), Exprs.sub(count, queries)));
      return mask == CausalMask.BOTTOM_RIGHT ? Exprs.add(query, apart) : query;
    }

    PrimExpr includes(PrimExpr query, PrimExpr key) {
      if (mask == CausalMask.NONE) {
        return IntImm.of(true);
      }
      PrimExpr notAfter = Exprs.le(key, last(query));
      return window == null
          ? notAfter
          : Exprs.and(notAfter, Exprs.lt(Exprs.sub(last(query), window), key));
    }

    PrimExpr isEmpty(PrimExpr query) {
      PrimExpr none = Exprs.eq(count, IntImm.of(0));
      return window == null
          ? none
          : Exprs.or(none, Exprs.le(Exprs.add(count, window), Exprs.add(last(query), 1)));
    }
  }

  private AttentionOps() {}

  /**
   * {@link #attention(KernelBuilder, String, TensorExpr, TensorExpr, TensorExpr, TensorExpr,
   * Double, CausalMask, Long)} without a window.
   */
  public static TensorExpr attention(
      KernelBuilder k,
      String name,
      TensorExpr q,
      TensorExpr keys,
      TensorExpr v,
      @Nullable TensorExpr bias,
      @Nullable Double scale,
      CausalMask mask) {
    return attention(k, name, q, keys, v, bias, scale, mask, null);
  }

  /**
   * {@code softmax(q @ k^T * scale + bias) @ v} for each batch and head. Keys that a query does not
   * see do not count. Where all scores are -inf the result is NaN; where a query sees no key it is
   * 0. float16 and bfloat16 are computed in float32.
   *
   * @param q {@code [b, sq, n, d]}
   * @param keys {@code [b, sk, nk, d]}, with {@code nk} a divisor of {@code n}: head {@code h} of q
   *     reads head {@code h / (n / nk)}
   * @param v {@code [b, sk, nk, dv]}
   * @param bias broadcast to {@code [b, n, sq, sk]}, or null
   * @param scale null means {@code 1 / sqrt(d)}
   * @param window how many keys a query sees at most, the last ones of those that the mask leaves
   *     it: positive, and with a causal mask only; null means all of them
   * @return {@code [b, sq, n, dv]}
   */
  public static TensorExpr attention(
      KernelBuilder k,
      String name,
      TensorExpr q,
      TensorExpr keys,
      TensorExpr v,
      @Nullable TensorExpr bias,
      @Nullable Double scale,
      CausalMask mask,
      @Nullable Long window) {
    check(q, keys, v, bias);
    Check.that(
        window == null || (window > 0 && mask != CausalMask.NONE),
        "attention",
        "a window needs a causal mask and at least one key, but it is of "
            + window
            + " keys with the mask "
            + mask.text());
    PrimExpr batch = q.shape().get(0);
    PrimExpr queries = q.shape().get(1);
    PrimExpr heads = q.shape().get(2);
    PrimExpr size = q.shape().get(3);
    PrimExpr count = keys.shape().get(1);
    Visibility visibility = new Visibility(queries, count, mask, window);
    PrimExpr share = Dims.simplify(Exprs.floorDiv(heads, keys.shape().get(2)));
    DType wide = Arith.wide(q.dtype());
    List<PrimExpr> lines = List.of(batch, heads, queries);
    List<PrimExpr> all = List.of(batch, heads, queries, count);
    TensorExpr dotProducts =
        k.reduce(
            name + "_products",
            all,
            List.of(size),
            Reducer.SUM,
            (i, r) -> {
              PrimExpr head = Exprs.floorDiv(i.get(1), share);
              return Exprs.mul(
                  Exprs.cast(wide, q.at(i.get(0), i.get(2), i.get(1), r.getFirst())),
                  Exprs.cast(wide, keys.at(i.get(0), i.get(3), head, r.getFirst())));
            });
    PrimExpr factor = factor(wide, size, scale);
    TensorExpr scores =
        k.inlined(
            name + "_scores",
            all,
            i -> {
              PrimExpr score = Exprs.mul(dotProducts.at(i), factor);
              return bias == null ? score : Exprs.add(score, Exprs.cast(wide, Dims.at(bias, i)));
            });
    TensorExpr max =
        k.reduce(
            name + "_max",
            lines,
            List.of(count),
            Reducer.MAX,
            (i, r) -> {
              List<PrimExpr> at = AxisLists.joined(i, r);
              return Exprs.ifThenElse(
                  visibility.includes(at.get(2), at.get(3)), scores.at(at), Reducer.lowest(wide));
            });
    TensorExpr exp =
        k.compute(
            name + "_exp",
            all,
            i ->
                Exprs.ifThenElse(
                    visibility.includes(i.get(2), i.get(3)),
                    Arith.exp(Exprs.sub(scores.at(i), max.at(i.subList(0, 3)))),
                    Arith.of(wide, 0)));
    TensorExpr sum =
        k.reduce(
            name + "_sum",
            lines,
            List.of(count),
            Reducer.SUM,
            (i, r) -> exp.at(AxisLists.<PrimExpr>joined(i, r)));
    List<PrimExpr> shape = List.of(batch, queries, heads, v.shape().get(3));
    TensorExpr weighted =
        k.reduce(
            name + "_weighted",
            shape,
            List.of(count),
            Reducer.SUM,
            (i, r) -> {
              PrimExpr head = Exprs.floorDiv(i.get(2), share);
              PrimExpr part =
                  Exprs.mul(
                      exp.at(i.get(0), i.get(2), i.get(1), r.getFirst()),
                      Exprs.cast(wide, v.at(i.get(0), r.getFirst(), head, i.get(3))));
              // A value that is not finite would count in spite of a weight of 0.
              return mask == CausalMask.NONE
                  ? part
                  : Exprs.ifThenElse(
                      visibility.includes(i.get(1), r.getFirst()), part, Arith.of(wide, 0));
            });
    TensorExpr out =
        k.compute(
            name,
            shape,
            i -> {
              PrimExpr mean = Arith.div(weighted.at(i), sum.at(i.get(0), i.get(2), i.get(1)));
              PrimExpr value = Exprs.select(visibility.isEmpty(i.get(1)), Arith.of(wide, 0), mean);
              return Exprs.cast(q.dtype(), value);
            });
    if (window == null) {
      hint(q, keys, v, bias, scale, mask, out)
          .ifPresent(hint -> hint.recordOn(k, inputs(q, keys, v, bias), out));
    }
    return out;
  }

  private static PrimExpr factor(DType wide, PrimExpr size, @Nullable Double scale) {
    if (scale != null) {
      return Arith.of(wide, scale);
    }
    return size instanceof IntImm known
        ? Arith.of(wide, 1 / Math.sqrt(known.value()))
        : Exprs.call(Intrinsic.RSQRT, Exprs.cast(wide, size));
  }

  private static void check(
      TensorExpr q, TensorExpr keys, TensorExpr v, @Nullable TensorExpr bias) {
    String op = "attention";
    Check.floats(op, q);
    for (TensorExpr other : inputs(q, keys, v, bias)) {
      Check.rank(op, other, 4);
      Check.sameDType(op, q, other);
    }
    Dims.requireSame(op, q.shape().get(0), keys.shape().get(0), "the batches of q and k");
    Dims.requireSame(op, q.shape().get(0), v.shape().get(0), "the batches of q and v");
    Dims.requireSame(op, q.shape().get(3), keys.shape().get(3), "the sizes of q and k");
    Dims.requireSame(op, keys.shape().get(1), v.shape().get(1), "the numbers of k and v");
    Dims.requireSame(op, keys.shape().get(2), v.shape().get(2), "the heads of k and v");
    boolean fits =
        !(q.shape().get(2) instanceof IntImm n && keys.shape().get(2) instanceof IntImm nk)
            || (nk.value() > 0 && n.value() % nk.value() == 0);
    Check.that(
        fits,
        op,
        "the heads of q, "
            + Dims.text(q.shape().get(2))
            + ", must be a multiple of those of k, "
            + Dims.text(keys.shape().get(2)));
    if (bias != null) {
      List<PrimExpr> all =
          List.of(q.shape().get(0), q.shape().get(2), q.shape().get(1), keys.shape().get(1));
      Dims.broadcast(op, all, bias.shape());
    }
  }

  private static List<TensorExpr> inputs(
      TensorExpr q, TensorExpr keys, TensorExpr v, @Nullable TensorExpr bias) {
    List<TensorExpr> inputs = new ArrayList<>(List.of(q, keys, v));
    if (bias != null) {
      inputs.add(bias);
    }
    return inputs;
  }

  private static Optional<LibraryHint> hint(
      TensorExpr q,
      TensorExpr keys,
      TensorExpr v,
      @Nullable TensorExpr bias,
      @Nullable Double scale,
      CausalMask mask,
      TensorExpr out) {
    List<TensorExpr> tensors = new ArrayList<>(inputs(q, keys, v, bias));
    tensors.add(out);
    if (!LibraryHint.canName(tensors)) {
      return Optional.empty();
    }
    return Optional.of(
        new LibraryHint(
            "relaxvm.attention",
            List.of(
                LibraryHint.param(q),
                LibraryHint.param(keys),
                LibraryHint.param(v),
                bias == null ? new LibraryArg.OfNull() : LibraryHint.param(bias),
                scale == null ? new LibraryArg.OfNull() : new LibraryArg.OfDouble(scale),
                new LibraryArg.OfText(mask.text()),
                LibraryHint.param(out))));
  }
}
