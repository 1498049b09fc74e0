package org.relaxvm.integrationtests.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A difference that there is on purpose.
 *
 * @param golden the number of the case
 * @param ways the ways of comparing that show it
 * @param first the number of the first stage with it
 * @param last the number of the last stage with it
 * @param row what the row of {@code docs/compatibility.md} with the reason begins with
 */
record ExpectedDifference(
    String golden, Set<Way> ways, int first, int last, StageDifference difference, String row) {
  /** How a stage of ours is made. */
  enum Way {
    /** By our pass from the stage before of the original compiler. */
    STEP,
    /** By all of our passes up to it from the source. */
    CHAIN
  }

  private static final Set<Way> STEP = Set.of(Way.STEP);
  private static final Set<Way> CHAIN = Set.of(Way.CHAIN);
  private static final Set<Way> BOTH = Set.of(Way.STEP, Way.CHAIN);

  private static final String SCALARS = "scalars of kernels";
  private static final String COPIES = "FuseTIR, a variable bound to another";
  private static final String CHOICES = "RemovePurityChecking, results of conditionals";
  private static final String KILLS = "KillAfterLastUse";
  private static final String NOTES = "kernels, attributes";
  private static final String BODIES = "kernels, statements";
  private static final String SIZES = "VMShapeLower, computations";

  private static final String NO_ALIAS = "- note tirx.noalias";
  private static final String LIBRARY = "+ note library\n+ note library.args\n- note tirx.noalias";

  /** All of them. */
  static final List<ExpectedDifference> ALL = all();

  /** Whether a stage must show it. */
  boolean isIn(String name, Way way, int stage) {
    return name.startsWith(golden) && ways.contains(way) && first <= stage && stage <= last;
  }

  private static List<ExpectedDifference> all() {
    List<ExpectedDifference> all = new ArrayList<>();
    all.addAll(scalars());
    all.addAll(copies());
    all.addAll(choices());
    all.addAll(notes());
    all.addAll(bodies());
    return List.copyOf(all);
  }

  private static List<ExpectedDifference> scalars() {
    return List.of(
        lines(
            "02",
            BOTH,
            4,
            4,
            SCALARS,
            "main",
            """
            - v3: R.Tensor((v1, v2), dtype="int64") = cls.fused_ones_cast#1(R.shape([v2, v1]))
            + v3: R.Tensor((v1, v2), dtype="int64") = cls.fused_ones_cast#1(R.shape([v1, v2]))
            """),
        lines(
            "02",
            BOTH,
            4,
            4,
            SCALARS,
            "fused_ones_cast#1",
            """
            - def fused_ones_cast#1(v0: R.Shape([v1, v2])) -> R.Tensor((v2, v1), dtype="int64"):
            + def fused_ones_cast#1(v0: R.Shape([v1, v2])) -> R.Tensor((v1, v2), dtype="int64"):
            - v3: R.Tensor((v2, v1), dtype="int32") = R.call_tir(cls.ones#2, R.tuple(), \
            out_ty=R.Tensor((v2, v1), dtype="int32"))
            - v4: R.Tensor((v2, v1), dtype="int64") = R.call_tir(cls.cast#3, (v3,), \
            out_ty=R.Tensor((v2, v1), dtype="int64"))
            + v3: R.Tensor((v1, v2), dtype="int32") = R.call_tir(cls.ones#2, R.tuple(), \
            out_ty=R.Tensor((v1, v2), dtype="int32"))
            + v4: R.Tensor((v1, v2), dtype="int64") = R.call_tir(cls.cast#3, (v3,), \
            out_ty=R.Tensor((v1, v2), dtype="int64"))
            """),
        lines(
            "02",
            CHAIN,
            5,
            8,
            SCALARS,
            "main",
            """
            - v3: R.Tensor((v1, v2), dtype="int64") = R.call_tir(cls.fused_ones_cast#1, \
            (R.prim_value(v2), R.prim_value(v1)), out_ty=R.Tensor((v1, v2), dtype="int64"))
            + v3: R.Tensor((v1, v2), dtype="int64") = R.call_tir(cls.fused_ones_cast#1, \
            (R.prim_value(v1), R.prim_value(v2)), out_ty=R.Tensor((v1, v2), dtype="int64"))
            """),
        lines(
            "02",
            CHAIN,
            9,
            10,
            SCALARS,
            "main",
            """
            - _: R.Tuple = cls.fused_ones_cast#1(R.prim_value(v2), R.prim_value(v1), v3)
            + _: R.Tuple = cls.fused_ones_cast#1(R.prim_value(v1), R.prim_value(v2), v3)
            """),
        lines(
            "02",
            CHAIN,
            11,
            14,
            SCALARS,
            "main",
            """
            - _: R.Tuple = cls.fused_ones_cast#1(R.prim_value(v2), R.prim_value(v1), v4)
            + _: R.Tuple = cls.fused_ones_cast#1(R.prim_value(v1), R.prim_value(v2), v4)
            """),
        lines(
            "02",
            CHAIN,
            15,
            16,
            SCALARS,
            "main",
            """
            - v8: R.Prim("int64") = R.call_packed("vm.builtin.make_prim_value", v3, 1, 1, \
            ty_args=(R.Prim("int64"),))
            - v9: R.Prim("int64") = R.call_packed("vm.builtin.make_prim_value", v3, 1, 0, \
            ty_args=(R.Prim("int64"),))
            + v8: R.Prim("int64") = R.call_packed("vm.builtin.make_prim_value", v3, 1, 0, \
            ty_args=(R.Prim("int64"),))
            + v9: R.Prim("int64") = R.call_packed("vm.builtin.make_prim_value", v3, 1, 1, \
            ty_args=(R.Prim("int64"),))
            """),
        lines(
            "02",
            CHAIN,
            5,
            16,
            SCALARS,
            "fused_ones_cast",
            """
            - def kernel(v0: T.int64, v1: T.int64, v2: T.Buffer((v1, v0), "int64")):
            + def kernel(v0: T.int64, v1: T.int64, v2: T.Buffer((v0, v1), "int64")):
            """));
  }

  private static List<ExpectedDifference> copies() {
    String inBlock =
        """
        - R.output(v6)
        - return v6
        + v7: R.Tensor((v1, 10), dtype="float32") = v6
        + R.output(v7)
        + return v7
        """;
    return List.of(
        lines("03", STEP, 5, 5, COPIES, "main", inBlock),
        lines("03", CHAIN, 5, 6, COPIES, "main", inBlock),
        lines("03", CHAIN, 7, 8, COPIES, "main", copy(6)),
        lines("03", CHAIN, 9, 9, COPIES, "main", copy(10)),
        lines("03", CHAIN, 10, 10, COPIES, "main", copy(13)),
        lines("03", CHAIN, 11, 11, COPIES, "main", copy(14)));
  }

  private static String copy(int result) {
    return """
    - return v%d
    + v%d: R.Tensor((v1, 10), dtype="float32") = v%d
    + return v%d
    """
        .formatted(result, result + 1, result, result + 1);
  }

  private static List<ExpectedDifference> choices() {
    return List.of(
        lines(
            "06",
            BOTH,
            8,
            8,
            CHOICES,
            "pick",
            """
            - v4: R.Tensor(dtype="float32", ndim=1) = v3
            + v4: R.Tensor((v2,), dtype="float32") = v3
            - v4: R.Tensor(dtype="float32", ndim=1) = v5
            + v4: R.Tensor((v2,), dtype="float32") = v5
            """),
        lines("06", BOTH, 12, 12, KILLS, "power", "+ _: R.Tuple = R.memory.kill_tensor(v3)"),
        lines("06", CHAIN, 13, 14, KILLS, "power", "+ _: R.Tuple = R.vm.kill_object(v3)"),
        lines("06", CHAIN, 15, 16, KILLS, "power", "+ _: R.Tuple = R.vm.kill_object(v4)"));
  }

  private static List<ExpectedDifference> notes() {
    List<ExpectedDifference> all = new ArrayList<>();
    add(all, "02", STEP, 1, 1, NOTES, NO_ALIAS, "ones", "cast");
    add(all, "02", STEP, 5, 5, NOTES, NO_ALIAS, "fused_ones_cast");
    add(all, "02", CHAIN, 1, 4, NOTES, NO_ALIAS, "ones", "cast");
    add(all, "02", CHAIN, 5, 16, NOTES, NO_ALIAS, "fused_ones_cast");

    add(all, "03", STEP, 1, 1, NOTES, LIBRARY, "matmul");
    add(all, "03", STEP, 1, 1, NOTES, NO_ALIAS, "add", "relu", "softmax");
    add(all, "03", STEP, 5, 5, NOTES, NO_ALIAS, "fused_matmul_add_relu", "fused_matmul_add");
    add(all, "03", CHAIN, 1, 4, NOTES, LIBRARY, "matmul");
    add(all, "03", CHAIN, 1, 4, NOTES, NO_ALIAS, "add", "relu");
    add(all, "03", CHAIN, 1, 16, NOTES, NO_ALIAS, "softmax");
    add(all, "03", CHAIN, 5, 16, NOTES, LIBRARY, "fused_matmul_add_relu", "fused_matmul_add");

    add(all, "05", STEP, 1, 1, NOTES, LIBRARY, "conv2d", "max_pool2d", "matmul");
    add(all, "05", STEP, 1, 1, NOTES, NO_ALIAS, "add", "relu", "mean");
    add(all, "05", STEP, 1, 1, NOTES, NO_ALIAS, "log_softmax");
    add(all, "05", STEP, 5, 5, NOTES, NO_ALIAS, "fused_conv2d_add_relu", "fused_conv2d_relu");
    add(all, "05", CHAIN, 1, 4, NOTES, LIBRARY, "conv2d");
    add(all, "05", CHAIN, 1, 16, NOTES, LIBRARY, "max_pool2d", "matmul");
    add(all, "05", CHAIN, 1, 4, NOTES, NO_ALIAS, "add", "relu");
    add(all, "05", CHAIN, 1, 16, NOTES, NO_ALIAS, "mean", "log_softmax");
    add(all, "05", CHAIN, 5, 16, NOTES, LIBRARY, "fused_conv2d_add_relu", "fused_conv2d_relu");

    add(all, "06", STEP, 1, 1, NOTES, NO_ALIAS, "ones");
    add(all, "06", STEP, 1, 1, NOTES, NO_ALIAS, "add", "subtract", "multiply", "less_equal");
    add(all, "06", CHAIN, 1, 4, NOTES, NO_ALIAS, "ones");
    add(all, "06", CHAIN, 1, 16, NOTES, NO_ALIAS, "add", "subtract", "multiply", "less_equal");
    return all;
  }

  private static List<ExpectedDifference> bodies() {
    String body = StageDifference.BODY;
    List<ExpectedDifference> all = new ArrayList<>();
    add(all, "02", CHAIN, 5, 16, SCALARS, body, "fused_ones_cast");

    add(all, "03", STEP, 1, 1, BODIES, body, "softmax");
    add(all, "03", CHAIN, 1, 16, BODIES, body, "softmax");
    add(all, "03", STEP, 15, 15, SIZES, body, "shape_func");
    add(all, "03", CHAIN, 15, 16, SIZES, body, "shape_func");

    add(all, "05", STEP, 1, 1, BODIES, body, "conv2d", "add", "max_pool2d", "log_softmax");
    add(all, "05", CHAIN, 1, 4, BODIES, body, "conv2d", "add");
    add(all, "05", CHAIN, 1, 16, BODIES, body, "max_pool2d", "log_softmax");
    add(all, "05", CHAIN, 5, 16, BODIES, body, "fused_conv2d_add_relu", "fused_conv2d_relu");

    add(all, "06", STEP, 1, 1, BODIES, body, "less_equal", "subtract");
    add(all, "06", CHAIN, 1, 16, BODIES, body, "less_equal", "subtract");
    return all;
  }

  private static void add(
      List<ExpectedDifference> all,
      String golden,
      Set<Way> ways,
      int first,
      int last,
      String row,
      String what,
      String... functions) {
    for (String function : functions) {
      all.add(lines(golden, ways, first, last, row, function, what));
    }
  }

  private static ExpectedDifference lines(
      String golden, Set<Way> ways, int first, int last, String row, String function, String what) {
    return new ExpectedDifference(
        golden, ways, first, last, new StageDifference(function, what.strip()), row);
  }
}
