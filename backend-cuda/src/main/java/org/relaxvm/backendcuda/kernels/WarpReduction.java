package org.relaxvm.backendcuda.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
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
   * The statements that leave the result of each run in its first element.
   *
   * @param array that a block shares
   * @param runs in the array
   * @param items of a run, and threads of the block; a power of two
   */
  List<String> of(String array, int runs, int items) {
    String start = runs == 1 ? "" : "rv_r * %d + ".formatted(items);
    String first = array + (runs == 1 ? "[0]" : "[rv_r * %d]".formatted(items));
    String own = array + "[" + start + "threadIdx.x]";
    int warps = Math.max(1, items / WARP);
    List<String> inWarps = new ArrayList<>();
    inWarps.add("%s rv_v = %s;".formatted(dialect.type(dtype), own));
    inWarps.addAll(inWarp(Math.min(items, WARP)));
    if (warps == 1) {
      inWarps.add("if (threadIdx.x == 0) %s = rv_v;".formatted(first));
      return block(each(runs, inWarps));
    }
    // Each warp writes where none but its own threads have read.
    inWarps.add("if (threadIdx.x %% %d == 0) %s = rv_v;".formatted(WARP, own));
    List<String> ofWarps = new ArrayList<>();
    String type = runs == 1 ? "" : dialect.type(dtype) + " ";
    ofWarps.add("%srv_v = %s[%sthreadIdx.x * %d];".formatted(type, array, start, WARP));
    ofWarps.addAll(inWarp(warps));
    ofWarps.add("if (threadIdx.x == 0) %s = rv_v;".formatted(first));
    List<String> lines = new ArrayList<>(each(runs, inWarps));
    lines.add("__syncthreads();");
    lines.add("if (threadIdx.x < %d) {".formatted(warps));
    lines.addAll(indented(each(runs, ofWarps)));
    lines.add("}");
    return block(lines);
  }

  /** Statements for each run; those of one run do not wait for those of another. */
  private static List<String> each(int runs, List<String> statements) {
    if (runs == 1) {
      return statements;
    }
    List<String> lines = new ArrayList<>();
    lines.add("#pragma unroll");
    lines.add("for (int rv_r = 0; rv_r < %d; rv_r++)".formatted(runs));
    lines.addAll(block(statements));
    return lines;
  }

  private static List<String> block(List<String> statements) {
    List<String> lines = new ArrayList<>(List.of("{"));
    lines.addAll(indented(statements));
    lines.add("}");
    return lines;
  }

  private static List<String> indented(List<String> lines) {
    return lines.stream().map(line -> "  " + line).toList();
  }

  /** Puts the values of the first threads of a warp together. */
  private List<String> inWarp(int threads) {
    String all = "0x%08xu".formatted(threads == WARP ? -1 : (1 << threads) - 1);
    return threads == 1
        ? List.of()
        : List.of(
            "#pragma unroll",
            "for (int rv_d = %d; rv_d > 0; rv_d /= 2) {".formatted(threads / 2),
            "  const %s rv_w = __shfl_xor_sync(%s, rv_v, rv_d);"
                .formatted(dialect.type(dtype), all),
            "  rv_v = %s;".formatted(together()),
            "}");
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
