package org.relaxvm.backendcpu.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.KernelCall;

/**
 * A checked call of attention.
 *
 * @param q queries {@code [b, sq, n, d]}
 * @param k keys {@code [b, sk, nk, d]}
 * @param v values {@code [b, sk, nk, dv]}
 * @param bias stretched to {@code [b, n, sq, sk]}; null for none
 * @param out {@code [b, sq, n, dv]}
 * @param scale factor of the products
 * @param lastKey the last key that query 0 may read; query {@code i} may read {@code i} more
 */
record AttentionCall(
    Operand q,
    Operand k,
    Operand v,
    @Nullable Operand bias,
    Operand out,
    double scale,
    long lastKey) {

  static AttentionCall of(KernelCall call) {
    for (int i = 0; i < 3; i++) {
      call.requireRank(i, 4);
    }
    Operand q = Operand.of(call.tensor(0));
    Operand k = Operand.of(call.tensor(1));
    Operand v = Operand.of(call.tensor(2));
    long batch = q.dim(0);
    long heads = q.dim(2);
    long keyHeads = k.dim(2);
    if (k.dim(0) != batch || k.dim(3) != q.dim(3)) {
      throw call.wrongShape(1, "shape [" + batch + ", sk, nk, " + q.dim(3) + "]");
    }
    if (keyHeads == 0 ? heads > 0 : heads % keyHeads != 0) {
      throw call.wrongShape(1, "a tensor whose number of heads divides " + heads);
    }
    if (v.dim(0) != batch || v.dim(1) != k.dim(1) || v.dim(2) != keyHeads) {
      throw call.wrongShape(2, "shape [" + batch + ", " + k.dim(1) + ", " + keyHeads + ", dv]");
    }
    Tensor bias = call.optionalTensor(3);
    Operand stretched = null;
    if (bias != null) {
      Shape scores = Shape.of(batch, heads, q.dim(1), k.dim(1));
      call.requireBroadcast(3, scores);
      stretched = Operand.of(bias).broadcastTo(scores);
    }
    double scale = call.args().isNull(4) ? 1 / Math.sqrt(q.dim(3)) : call.args().doubleAt(4);
    long lastKey = lastKey(call, q.dim(1), k.dim(1));
    call.requireShape(6, Shape.of(batch, q.dim(1), heads, v.dim(3)));
    return new AttentionCall(q, k, v, stretched, Operand.of(call.output()), scale, lastKey);
  }

  private static long lastKey(KernelCall call, long queries, long keys) {
    String mask = call.args().stringAt(5);
    return switch (mask) {
      case "none" -> keys - 1;
      case "TopLeft" -> 0;
      case "BottomRight" -> Math.abs(queries - keys);
      default -> throw call.wrong(5, "'none', 'TopLeft' or 'BottomRight'", "'" + mask + "'");
    };
  }

  long batch() {
    return q.dim(0);
  }

  long queries() {
    return q.dim(1);
  }

  long heads() {
    return q.dim(2);
  }

  long keys() {
    return k.dim(1);
  }

  int depth() {
    return Math.toIntExact(q.dim(3));
  }

  int width() {
    return Math.toIntExact(v.dim(3));
  }

  /** How many keys a query may read. */
  long readable(long query) {
    return Math.min(keys(), query + lastKey + 1);
  }

  /** The head of the keys and values that a head of the queries reads. */
  long keyHead(long head) {
    return head / (heads() / k.dim(2));
  }
}
