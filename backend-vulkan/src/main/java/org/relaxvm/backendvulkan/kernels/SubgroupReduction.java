package org.relaxvm.backendvulkan.kernels;

import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;

/**
 * A reduction by the work-items of a work-group: each subgroup reduces its values at once, and one
 * of them what the others found. NaN, of which subgroups promise nothing, is looked for beside it.
 *
 * <p>Rationale: docs/rationale/backend-vulkan.md, "Why is NaN tracked separately in subgroup
 * reductions?"
 *
 * @param op what puts two values together
 * @param type of the values in GLSL
 * @param nan the value that is no number, in GLSL
 */
record SubgroupReduction(BinaryOp op, String type, String nan) {
  private static final Set<BinaryOp> OPS = Set.of(BinaryOp.ADD, BinaryOp.MIN, BinaryOp.MAX);

  /** Whether subgroups have the operation for values of a dtype. */
  static boolean reduces(BinaryOp op, DType dtype) {
    return OPS.contains(op) && (dtype.equals(DType.FLOAT32) || dtype.equals(DType.INT32));
  }

  /**
   * The statements that leave the result in the first element of an array that a work-group shares.
   */
  List<String> of(String array) {
    return List.of(
        "{",
        "  %s rv_v = %s[gl_LocalInvocationID.x];".formatted(type, array),
        "  rv_v = %s;".formatted(atOnce()),
        "  barrier();",
        "  if (subgroupElect()) %s[gl_SubgroupID] = rv_v;".formatted(array),
        "  barrier();",
        "  if (gl_SubgroupID == 0u) {",
        // The first value again does no harm to the least and the greatest.
        "    rv_v = %s;".formatted(op == BinaryOp.ADD ? type + "(0)" : array + "[0]"),
        // A subgroup may have fewer work-items than its size says: those that are there are
        // counted.
        "    const uint rv_n = subgroupAdd(1u);",
        "    for (uint rv_i = subgroupExclusiveAdd(1u); rv_i < gl_NumSubgroups; rv_i += rv_n) {",
        "      const %s rv_w = %s[rv_i];".formatted(type, array),
        "      rv_v = %s;".formatted(together()),
        "    }",
        "    rv_v = %s;".formatted(atOnce()),
        "    if (subgroupElect()) %s[0] = rv_v;".formatted(array),
        "  }",
        "}");
  }

  private String atOnce() {
    return switch (op) {
      case ADD -> "subgroupAdd(rv_v)";
      case MIN -> numberOr("subgroupMin(rv_v)");
      default -> numberOr("subgroupMax(rv_v)");
    };
  }

  private String numberOr(String reduced) {
    return type.equals("float")
        ? "subgroupAny(rv_isnan32(rv_v)) ? " + nan + " : " + reduced
        : reduced;
  }

  private String together() {
    return switch (op) {
      case ADD -> "rv_v + rv_w";
      case MIN -> lesserOr("rv_v < rv_w");
      default -> lesserOr("rv_v > rv_w");
    };
  }

  private String lesserOr(String isBetter) {
    return "%s%s ? rv_v : rv_w"
        .formatted(type.equals("float") ? "rv_isnan32(rv_v) || " : "", isBetter);
  }
}
