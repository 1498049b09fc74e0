package org.relaxvm.backendcuda.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.source.Dialect;
import org.relaxvm.tir.expr.BinaryOp;

/**
 * A reduction by the threads of a block: each warp puts its values together in registers, then the
 * first one those of all warps.
 *
 * @param op what puts two values together
 * @param dtype of the values
 */
record WarpReduction(Dialect dialect, BinaryOp op, DType dtype) {
  private static final int WARP = 32;

  private static final Set<BinaryOp> OPS =
      Set.of(BinaryOp.ADD, BinaryOp.MUL, BinaryOp.MIN, BinaryOp.MAX, BinaryOp.AND, BinaryOp.OR);

  /** Whether it is known how two values are put together. */
  boolean isKnown() {
    return OPS.contains(op);
  }

  /**
   * The statements that leave the result in the first element of an array that a block shares.
   *
   * @param items threads of the block, a power of two
   */
  List<String> of(String array, int items) {
    List<String> lines = new ArrayList<>();
    int warps = Math.max(1, items / WARP);
    lines.add("{");
    lines.add("  %s rv_v = %s[threadIdx.x];".formatted(dialect.type(dtype), array));
    lines.addAll(inWarp(Math.min(items, WARP), "  "));
    if (warps == 1) {
      lines.add("  if (threadIdx.x == 0) %s[0] = rv_v;".formatted(array));
    } else {
      // Each warp writes where none but its own threads have read.
      lines.add("  if (threadIdx.x %% %d == 0) %s[threadIdx.x] = rv_v;".formatted(WARP, array));
      lines.add("  __syncthreads();");
      lines.add("  if (threadIdx.x < %d) {".formatted(warps));
      lines.add("    rv_v = %s[threadIdx.x * %d];".formatted(array, WARP));
      lines.addAll(inWarp(warps, "    "));
      lines.add("    if (threadIdx.x == 0) %s[0] = rv_v;".formatted(array));
      lines.add("  }");
    }
    lines.add("}");
    return lines;
  }

  /** Puts the values of the first threads of a warp together. */
  private List<String> inWarp(int threads, String indent) {
    String all = "0x%08xu".formatted(threads == WARP ? -1 : (1 << threads) - 1);
    return threads == 1
        ? List.of()
        : List.of(
            indent + "#pragma unroll",
            indent + "for (int rv_d = %d; rv_d > 0; rv_d /= 2) {".formatted(threads / 2),
            indent
                + "  const %s rv_w = __shfl_xor_sync(%s, rv_v, rv_d);"
                    .formatted(dialect.type(dtype), all),
            indent + "  rv_v = %s;".formatted(together()),
            indent + "}");
  }

  private String together() {
    return switch (op) {
      case ADD, MUL ->
          dtype.isFloat()
              ? "rv_v " + op.text() + " rv_w"
              : dialect.wrapping(op, dtype, "rv_v", "rv_w");
      // NaN stays, whichever of the two it is.
      case MIN -> "rv_v != rv_v || rv_v < rv_w ? rv_v : rv_w";
      case MAX -> "rv_v != rv_v || rv_v > rv_w ? rv_v : rv_w";
      case AND -> "rv_v && rv_w";
      case OR -> "rv_v || rv_w";
      default -> throw new IllegalStateException("no reduction: " + op);
    };
  }
}
