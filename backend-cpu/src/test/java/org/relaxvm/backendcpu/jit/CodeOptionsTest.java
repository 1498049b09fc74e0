package org.relaxvm.backendcpu.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.machine.x64.Feature;

/** What options of the backend say about machine code. */
@ResourceLock(value = Resources.SYSTEM_PROPERTIES, mode = ResourceAccessMode.READ)
class CodeOptionsTest {
  private static BackendOptions none() {
    return BackendOptions.of("cpu", new CpuBackendProvider().options());
  }

  private static void needsMachineCode() {
    assumeTrue(MachineCode.current().isAvailable(), MachineCode.current().reason());
  }

  private static CodeOptions with(String features) {
    return CodeOptions.of(none().with("code", "machine").with("features", features));
  }

  @Test
  void portableHasNoMachineCode() {
    CodeOptions portable = CodeOptions.of(none().with("code", "portable"));
    assertThat(portable.chosen()).isEmpty();
    assertThat(portable.isStrict()).isFalse();
  }

  @Test
  void machineHasAllFeaturesOfTheProcessor() {
    needsMachineCode();
    CodeOptions machine = CodeOptions.of(none().with("code", "machine"));
    assertThat(machine.chosen()).contains(MachineCode.current());
    assertThat(machine.isStrict()).isTrue();
    assertThat(machine.describe()).startsWith("used: ").contains("avx2", "fma");
  }

  @Test
  void featuresAreALevelOrLeaveOutNames() {
    needsMachineCode();
    assertThat(with("x86-64-v3").machine().features()).isEqualTo(Feature.x86V3());
    Set<Feature> v4 = EnumSet.copyOf(MachineCode.current().features());
    v4.retainAll(Feature.x86V4());
    assertThat(with("x86-64-v4").machine().features()).isEqualTo(v4);
    assertThat(with("AVX512_VNNI avx_vnni").machine().features())
        .doesNotContain(Feature.AVX512_VNNI, Feature.AVX_VNNI)
        .hasSizeGreaterThanOrEqualTo(MachineCode.current().features().size() - 2);
    assertThat(with("avx512f").machine().features())
        .noneMatch(feature -> feature.name().startsWith("AVX512"));
  }

  @Test
  void featuresThatCodeNeedsCannotBeLeftOut() {
    needsMachineCode();
    assertThatThrownBy(() -> with("fma"))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "option cpu.code is 'machine', but machine code cannot run: the option cpu.features"
                + " leaves out fma, which it needs\n  what to do: allow that, or set it to auto");
    CodeOptions auto = CodeOptions.of(none().with("code", "auto").with("features", "fma"));
    assertThat(auto.chosen()).isEmpty();
    assertThat(auto.describe())
        .isEqualTo("not available: the option cpu.features leaves out fma, which it needs");
  }

  @Test
  void namesOfFeaturesAreChecked() {
    assertThatThrownBy(() -> with("sse9"))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith(
            "option cpu.features must be x86-64-v3, x86-64-v4, or names of features to leave out,"
                + " but has 'sse9'\n  features: popcnt, lzcnt, bmi1, ");
  }
}
