package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.pass.memory.PlanTexts.KERNELS;
import static org.relaxvm.compiler.pass.memory.PlanTexts.alloc;
import static org.relaxvm.compiler.pass.memory.PlanTexts.allocations;
import static org.relaxvm.compiler.pass.memory.PlanTexts.storage;
import static org.relaxvm.compiler.pass.memory.PlanTexts.tensor;
import static org.relaxvm.compiler.pass.memory.PlanTexts.unplanned;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Stages;
import org.relaxvm.compiler.text.RelaxText;

/** Which storages become one, and where the tensors lie in it. */
class PackStorageTest {
  private static final String X = "x: R.Tensor((8,), \"float32\")";

  /** One large tensor, then four small ones that are needed together. */
  private static final String LARGE_THEN_SMALL =
      "large = "
          + alloc("1024")
          + "\n_ = cls.f(x, large)\nmid = "
          + alloc("64")
          + "\n_ = cls.f(large, mid)\n"
          + "a = "
          + alloc("256")
          + "\n_ = cls.f(mid, a)\nb = "
          + alloc("256")
          + "\n_ = cls.f(mid, b)\nc = "
          + alloc("256")
          + "\n_ = cls.f(mid, c)\n_ = cls.f(a, b)\n_ = cls.f(b, c)\n_ = cls.f(a, c)\n";

  private static IRModule module(String params, String body) {
    return Stages.parse(
        KERNELS + "@R.function(pure=False)\ndef main(" + params + "):\n" + body.indent(4));
  }

  private static List<String> packed(String params, String body) {
    return allocations(
        Stages.run(module(params, body), new StaticPlanBlockMemory(), new PackStorage()));
  }

  private static List<String> packedOnly(String params, String body) {
    return allocations(Stages.run(module(params, body), new PackStorage()));
  }

  private static String at(String name, String storage, long offset, String shape) {
    return tensor(name, storage, shape)
        .replace("R.prim_value(0), R.shape", "R.prim_value(" + offset + "), R.shape");
  }

  private static String joined(String name, long byteSize) {
    return storage(name, Long.toString(byteSize), "uint8", "global");
  }

  @Test
  void smallTensorsLieInTheMemoryOfALargeOne() {
    assertThat(packed(X, LARGE_THEN_SMALL + "return x\n"))
        .containsExactly(
            joined("storage", 4096 + 256),
            at("large", "storage", 0, "1024"),
            at("mid", "storage", 4096, "64"),
            at("a", "storage", 0, "256"),
            at("b", "storage", 1024, "256"),
            at("c", "storage", 2048, "256"));
  }

  @Test
  void resultsKeepStorageOfTheirOwn() {
    assertThat(packed(X, LARGE_THEN_SMALL + "r = " + alloc("8") + "\n_ = cls.f(c, r)\nreturn r\n"))
        .hasSize(7)
        .contains(joined("storage", 4096 + 256), unplanned("r", "8"));
  }

  @Test
  void viewsKeepTheirTensorAlive() {
    assertThat(
            packed(
                X,
                "large = "
                    + alloc("1024")
                    + "\n_ = cls.f(x, large)\nv = R.reshape(large, R.shape([1024]))\nt = (v, x)\n"
                    + "w = t[0]\na = "
                    + alloc("256")
                    + "\n_ = cls.f(x, a)\nb = "
                    + alloc("256")
                    + "\n_ = cls.f(w, b)\nc = "
                    + alloc("256")
                    + "\n_ = cls.f(b, c)\nd = "
                    + alloc("256")
                    + "\n_ = cls.f(c, d)\n_ = cls.f(a, d)\n_ = cls.f(b, d)\nreturn x\n"))
        .containsExactly(
            joined("storage", 4096 + 2048),
            at("large", "storage", 0, "1024"),
            at("a", "storage", 4096, "256"),
            at("b", "storage", 5120, "256"),
            at("c", "storage", 0, "256"),
            at("d", "storage", 1024, "256"));
  }

  @Test
  void nothingChangesWhereNothingIsSaved() {
    String chain =
        "a = "
            + alloc("8")
            + "\n_ = cls.f(x, a)\nb = "
            + alloc("8")
            + "\n_ = cls.f(a, b)\nc = "
            + alloc("8")
            + "\n_ = cls.f(b, c)\nreturn x\n";
    IRModule planned = Stages.run(module(X, chain), new StaticPlanBlockMemory());
    assertThat(Stages.run(planned, new PackStorage())).isEqualTo(planned);
  }

  @Test
  void symbolicSizesStayAndBoundedOnesAreAsLargeAsTheyCanBe() {
    String body = LARGE_THEN_SMALL.replace("256]", "n]") + "return x\n";
    assertThat(packed("x: R.Tensor((\"n\",), \"float32\")", body))
        .contains(storage("storage", "4096"), tensor("a", "storage2", "n"));

    IRModule bounded =
        Stages.parse(
            KERNELS
                + "@R.function(pure=False)\ndef main(x: R.Tensor((\"n\",), \"float32\")):\n"
                + ("R.func_attr({\"tir_var_upper_bound\": {\"n\": 256}})\n" + body).indent(4));
    assertThat(allocations(Stages.run(bounded, new StaticPlanBlockMemory(), new PackStorage())))
        .contains(joined("storage", 4096 + 256), at("c", "storage", 2048, "n"));
  }

  /** Three storages that one of a third of their size could replace, but for one thing. */
  private static List<String> three(String scope, String use, String result) {
    String text = "";
    for (String name : List.of("a", "b", "c")) {
      text +=
          storage("s" + name, "1024", "float32", scope)
              + "\n"
              + tensor(name, "s" + name, "256")
              + "\n_ = cls.f(x, "
              + name
              + ")\n";
    }
    return packedOnly(X, text + use + "return " + result + "\n");
  }

  @Test
  void storageThatIsUsedOtherwiseStays() {
    assertThat(three("global", "", "x"))
        .containsExactly(
            joined("sa", 1024),
            at("a", "sa", 0, "256"),
            at("b", "sa", 0, "256"),
            at("c", "sa", 0, "256"));
    assertThat(three("global", "", "a"))
        .as("a result")
        .containsExactly(
            storage("sa", "1024"),
            tensor("a", "sa", "256"),
            joined("sb", 1024),
            at("b", "sb", 0, "256"),
            at("c", "sb", 0, "256"));
    assertThat(three("global", "", "(x, sb)"))
        .as("a storage as the result")
        .contains(storage("sb", "1024"), tensor("b", "sb", "256"));
    assertThat(three("global", "_ = R.memory.kill_storage(sb)\n", "x"))
        .as("its end is said")
        .contains(storage("sb", "1024"), tensor("b", "sb", "256"));
    assertThat(three("global", "k = R.call_packed(\"keep\", c, ty_args=(R.Any,))\n", "x"))
        .as("a packed function may keep it")
        .contains(storage("sc", "1024"), tensor("c", "sc", "256"));
    assertThat(three("global.texture", "", "x"))
        .as("textures")
        .filteredOn(line -> line.contains("alloc_storage"))
        .hasSize(3);
  }

  @Test
  void tensorsThatBeginInsideOfStorageStay() {
    String body =
        joined("s", 4096)
            + "\n"
            + at("a", "s", 512, "256")
            + "\n_ = cls.f(x, a)\n"
            + joined("t", 4096)
            + "\n"
            + tensor("b", "t", "256")
            + "\n_ = cls.f(x, b)\nreturn x\n";
    assertThat(packedOnly(X, body))
        .containsExactly(
            joined("s", 4096), at("a", "s", 512, "256"), joined("t", 1024), at("b", "t", 0, "256"));
  }

  @Test
  void branchesHaveMemoryOfTheirOwn() {
    String branch = LARGE_THEN_SMALL.indent(4) + "    r = x\n";
    IRModule packed =
        Stages.run(
            module(
                X + ", p: R.Tensor((), \"bool\")",
                "if p:\n" + branch + "else:\n" + branch + "return r\n"),
            new StaticPlanBlockMemory(),
            new PackStorage());
    assertThat(RelaxText.print(packed).lines().filter(line -> line.contains("4352"))).hasSize(2);
  }

  @Test
  void theSecondRunChangesNothing() {
    IRModule once =
        Stages.run(
            module(X, LARGE_THEN_SMALL + "return x\n"),
            new StaticPlanBlockMemory(),
            new PackStorage());
    assertThat(Stages.run(once, new PackStorage())).isEqualTo(once);
  }
}
