package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.backendvulkan.kernels.SpirvModule.Instruction;
import org.relaxvm.backendvulkan.kernels.SpirvTarget.FloatControls;

/** Compiled shaders say how floats are computed. Numbers are those of SPIR-V. */
class ExactFloatsTest {
  private static final int EXECUTION_MODE = 16;
  private static final int DECORATE = 71;
  private static final int NO_CONTRACTION = 42;
  private static final Set<Integer> ARITHMETIC = Set.of(127, 129, 131, 133, 136, 140, 141);

  private static final String SHADER =
      """
      #version 460
      layout(local_size_x_id = 0) in;
      layout(set = 0, binding = 0, std430) buffer rv_buffer0 { TYPE A[]; };
      void main() {
        TYPE x = A[0];
        A[1] = -x + x * A[2] - A[3] / x;
        A[4] = mod(x, A[5]);
        A[6] = fma(x, x, x);
      }
      """;

  private static SpirvModule compile(String type, SpirvTarget target) {
    return SpirvModule.of(ShaderCompiler.compile("test", SHADER.replace("TYPE", type), target));
  }

  private static List<Instruction> find(SpirvModule module, Predicate<Instruction> wanted) {
    return module.instructions().stream().filter(wanted).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double"})
  void everyResultIsRoundedByItself(String type) {
    SpirvModule module = compile(type, Targets.PLAIN);
    List<Integer> results =
        find(module, i -> ARITHMETIC.contains(i.opcode())).stream().map(i -> i.operand(1)).toList();
    List<Integer> decorated =
        find(module, i -> i.opcode() == DECORATE && i.operand(1) == NO_CONTRACTION).stream()
            .map(i -> i.operand(0))
            .toList();
    assertThat(results).hasSizeGreaterThanOrEqualTo(6);
    assertThat(decorated).containsExactlyInAnyOrderElementsOf(results);
  }

  @Test
  void decorationsComeBeforeTypesAndAfterNames() {
    List<Integer> opcodes =
        compile("float", Targets.EXACT).instructions().stream().map(Instruction::opcode).toList();
    int firstType = opcodes.indexOf(19); // OpTypeVoid
    assertThat(opcodes.lastIndexOf(DECORATE)).isLessThan(firstType);
    assertThat(opcodes.lastIndexOf(5)).isLessThan(opcodes.indexOf(DECORATE)); // OpName
    assertThat(opcodes.lastIndexOf(17)).isLessThan(opcodes.indexOf(11)); // Capability, ExtInst
    assertThat(opcodes.lastIndexOf(EXECUTION_MODE)).isGreaterThan(opcodes.indexOf(15));
    assertThat(opcodes.indexOf(EXECUTION_MODE)).isGreaterThan(opcodes.lastIndexOf(15));
  }

  @Test
  void whatTheDevicePromisesIsAskedFor() {
    SpirvModule module = compile("float", Targets.EXACT);
    assertThat(modes(module)).contains("4459 32", "4461 32", "4462 32").noneMatch(is64());
    assertThat(List.of(4464, 4466, 4467)).allMatch(module::hasCapability);
  }

  @Test
  void doublesAreAskedForWhereThereAreSome() {
    SpirvTarget target =
        new SpirvTarget(
            true, new FloatControls(false, true, false), new FloatControls(true, false, false));
    SpirvModule module = compile("double", target);
    assertThat(modes(module)).contains("4462 32", "4461 64");
    assertThat(modes(module)).doesNotContain("4462 64", "4461 32", "4459 32", "4459 64");
    assertThat(module.hasCapability(4464)).isFalse();
  }

  @Test
  void nothingIsAskedForThatIsNotPromised() {
    SpirvModule module = compile("double", Targets.PLAIN);
    assertThat(modes(module)).noneMatch(mode -> mode.startsWith("44"));
    assertThat(List.of(4464, 4466, 4467)).noneMatch(module::hasCapability);
  }

  private static Predicate<String> is64() {
    return mode -> mode.endsWith(" 64");
  }

  private static List<String> modes(SpirvModule module) {
    return find(module, i -> i.opcode() == EXECUTION_MODE && i.operands() == 3).stream()
        .map(i -> i.operand(1) + " " + i.operand(2))
        .toList();
  }
}
