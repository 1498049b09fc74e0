package org.relaxvm.compiler.pass.memory;

import java.util.List;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Stages;

/** Texts of allocations, before and after their plan. */
final class PlanTexts {
  /** Kernels of any extents: of one input and one output, and of two inputs. */
  static final String KERNELS =
      """
      @T.prim_func(private=True)
      def f(A: T.Buffer((n,), "float32"), B: T.Buffer((m,), "float32")):
          for i in T.grid(m):
              with T.block("b"):
                  vi = T.axis.remap("S", [i])
                  T.reads(A[T.int64(0)])
                  T.writes(B[vi])
                  B[vi] = A[T.int64(0)]

      """;

  static String alloc(String shape) {
    return alloc(shape, "float32", "global");
  }

  static String alloc(String shape, String dtype, String scope) {
    return "R.builtin.alloc_tensor(R.shape(["
        + shape
        + "]), R.dtype(\""
        + dtype
        + "\"), 0, R.str(\""
        + scope
        + "\"))";
  }

  /** The allocations of a function as its plan has them. */
  static List<String> plan(String params, String body) {
    return allocations(planned(params, body));
  }

  static IRModule planned(String params, String body) {
    return planned("@R.function(pure=False)\ndef main(" + params + "):\n" + body.indent(4));
  }

  static IRModule planned(String functions) {
    return Stages.run(Stages.parse(KERNELS + functions), new StaticPlanBlockMemory());
  }

  static List<String> allocations(IRModule module) {
    return Stages.main(module).stream().filter(line -> line.contains("alloc")).toList();
  }

  static String storage(String name, String bytes) {
    return storage(name, bytes, "float32", "global");
  }

  static String storage(String name, String bytes, String dtype, String scope) {
    return name
        + " = R.memory.alloc_storage(R.shape(["
        + bytes
        + "]), R.prim_value(0), R.str(\""
        + scope
        + "\"), R.dtype(\""
        + dtype
        + "\"))";
  }

  static String tensor(String name, String storage, String shape) {
    return tensor(name, storage, shape, "float32");
  }

  static String tensor(String name, String storage, String shape, String dtype) {
    return name
        + " = R.memory.alloc_tensor("
        + storage
        + ", R.prim_value(0), R.shape(["
        + shape
        + "]), R.dtype(\""
        + dtype
        + "\"), R.prim_value(0))";
  }

  static String unplanned(String name, String shape) {
    return name
        + " = R.builtin.alloc_tensor(R.shape(["
        + shape
        + "]), R.dtype(\"float32\"), R.prim_value(0), R.str(\"global\"))";
  }

  private PlanTexts() {}
}
