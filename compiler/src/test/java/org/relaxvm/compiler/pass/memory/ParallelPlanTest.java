package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.pass.memory.PlanTexts.KERNELS;
import static org.relaxvm.compiler.pass.memory.PlanTexts.alloc;
import static org.relaxvm.compiler.pass.memory.PlanTexts.allocations;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.Stages;

/** Memory that is shared only where that keeps no calls from running at the same time. */
class ParallelPlanTest {
  private static final PassContext PARALLEL = PassContext.DEFAULT.withParallelism(true);

  /** Two chains of three tensors each, which do not depend on each other. */
  private static IRModule chains() {
    String body = "";
    for (String chain : List.of("a", "b")) {
      String before = "x";
      for (int i = 1; i <= 3; i++) {
        String name = chain + i;
        body += name + " = " + alloc("256") + "\n_ = cls.f(" + before + ", " + name + ")\n";
        before = name;
      }
      body += "_ = cls.f(" + before + ", x)\n";
    }
    return Stages.parse(
        KERNELS
            + "@R.function(pure=False)\ndef main(x: R.Tensor((256,), \"float32\")):\n"
            + (body + "return x\n").indent(4));
  }

  private static List<String> storages(IRModule module, PassContext context) {
    IRModule planned = new StaticPlanBlockMemory().run(module, context);
    return allocations(new PackStorage().run(planned, context)).stream()
        .filter(line -> line.contains("alloc_storage"))
        .toList();
  }

  @Test
  void chainsThatAreIndependentShareNoMemory() {
    assertThat(storages(chains(), PassContext.DEFAULT)).hasSize(2);
    assertThat(storages(chains(), PARALLEL)).hasSize(4);
  }

  @Test
  void oneChainSharesItsOwnMemory() {
    List<String> tensors =
        allocations(new StaticPlanBlockMemory().run(chains(), PARALLEL)).stream()
            .filter(line -> line.contains("alloc_tensor"))
            .toList();
    assertThat(tensors).hasSize(6);
    String first = tensors.get(0).replace("a1", "a3");
    assertThat(tensors.get(2)).as("a3 lies where a1 was").isEqualTo(first);
  }

  @Test
  void tensorsOfIndependentCallsDoNotOverlapInAPackedStorage() {
    String body = "";
    for (String name : List.of("a", "b", "c")) {
      body += name + " = " + alloc("256") + "\n_ = cls.f(x, " + name + ")\n";
    }
    // One large tensor after all of them, in which they lie.
    body += "_ = cls.f(a, b)\n_ = cls.f(b, c)\nd = " + alloc("1024") + "\n_ = cls.f(c, d)\n";
    IRModule module =
        Stages.parse(
            KERNELS
                + "@R.function(pure=False)\ndef main(x: R.Tensor((256,), \"float32\")):\n"
                + (body + "return x\n").indent(4));
    assertThat(bytes(storages(module, PARALLEL)))
        .isGreaterThan(bytes(storages(module, PassContext.DEFAULT)));
  }

  private static long bytes(List<String> storages) {
    long bytes = 0;
    for (String line : storages) {
      bytes += Long.parseLong(line.replaceAll(".*R\\.shape\\(\\[(\\d+)\\]\\).*", "$1"));
    }
    return bytes;
  }
}
