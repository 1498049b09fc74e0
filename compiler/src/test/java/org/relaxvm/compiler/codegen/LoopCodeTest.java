package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.verify.Verifier;

/** The bytecode of functions that call themselves. */
class LoopCodeTest {
  private static final String LOOP =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(go: R.Tensor((), "bool"), x: R.Tensor((n,), "float32"), y: R.Tensor((n,), "float32")) -> RESULT:
              if go:
                  r = VALUE
              else:
                  r = x
              return r
      """;

  private static List<String> code(String result, String value) {
    return code(LOOP.replace("RESULT", result).replace("VALUE", value));
  }

  private static List<String> code(String text) {
    Executable executable =
        Compiler.compile(RelaxText.parse(text, "loop", StandardOps.registry())).executable();
    Verifier.verify(executable);
    List<String> lines = new ArrayList<>();
    for (String line : ExecutableText.asText(executable).lines().toList()) {
      if (line.startsWith("  ") && !line.contains("check_tensor_info")) {
        lines.add(line.strip().replaceAll(" +", " ").replace("vm.builtin.", ""));
      }
    }
    return lines;
  }

  private static final String ANY_LENGTH = "R.Tensor(dtype=\"float32\", ndim=1)";
  private static final String SAME_LENGTH = "R.Tensor((n,), \"float32\")";

  @Test
  void aCallOfItselfWhoseResultIsReturnedWritesTheParametersAndJumpsBack() {
    assertThat(code(SAME_LENGTH, "cls.main(go, y, x)"))
        .containsExactly(
            "call alloc_shape_heap in: %vm, i1 dst: %3",
            "call match_shape in: %1, %3, i1, i1, i0, c[3] dst: %void",
            "call match_shape in: %2, %3, i1, i3, i0, c[4] dst: %void",
            "call read_if_cond in: %0 dst: %4",
            "If %4, 6",
            "call copy in: %1 dst: %5",
            "call copy in: %2 dst: %1",
            "call copy in: %5 dst: %2",
            "call null_value in: dst: %5",
            "goto -11",
            "call copy in: %1 dst: %6",
            "ret %6");
  }

  @Test
  void theResultOfALoopIsCheckedWhereItIsMade() {
    assertThat(code(SAME_LENGTH, "cls.main(go, R.exp(x), x)"))
        .as("a call that is of the type is followed by no check")
        .contains("goto -17")
        .noneMatch(line -> line.startsWith("call main"));
    assertThat(code(SAME_LENGTH, "cls.main(go, R.concat((x, y)), R.concat((y, x)))"))
        .as("a call that gives another length is made, and its result refused")
        .containsSubsequence(
            "call main in: %0, %8, %12 dst: %13",
            "call match_shape in: %13, %3, i1, i3, i0, c[7] dst: %void", "ret %14");
  }

  @Test
  void aCallWhoseResultIsUsedIsACall() {
    assertThat(code(SAME_LENGTH, "R.exp(cls.main(go, y, x))"))
        .contains("call main in: %0, %2, %1 dst: %5")
        .noneMatch(line -> line.startsWith("goto -"));
  }

  @Test
  void aCallWithTheParametersThemselvesIsACall() {
    assertThat(code(SAME_LENGTH, "cls.main(go, x, y)"))
        .contains("call main in: %0, %1, %2 dst: %5")
        .noneMatch(line -> line.startsWith("goto -"));
  }

  @Test
  void valuesOfAnIterationAreReleasedBeforeTheNext() {
    assertThat(code(ANY_LENGTH, "cls.main(R.logical_not(go), R.concat((x, y)), x)"))
        .containsSubsequence(
            "call copy in: %6 dst: %0",
            "call copy in: %1 dst: %2",
            "call copy in: %10 dst: %1",
            "call null_value in: dst: %6",
            "call null_value in: dst: %10",
            "goto -23");
  }

  @Test
  void aFunctionThatNeverReturnsEndsWithAJumpBack() {
    String text = LOOP.replace("r = x", "r = cls.main(go, x, x)");
    assertThat(code(text.replace("RESULT", SAME_LENGTH).replace("VALUE", "cls.main(go, y, y)")))
        .containsSubsequence(
            "If %4, 3",
            "call copy in: %2 dst: %1", "goto -8", "call copy in: %1 dst: %2", "goto -10")
        .endsWith("goto -10");
  }
}
