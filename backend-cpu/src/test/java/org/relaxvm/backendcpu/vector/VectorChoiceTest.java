package org.relaxvm.backendcpu.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;

/** When kernels run in vector code. */
class VectorChoiceTest {
  private final Map<String, String> properties =
      new HashMap<>(
          Map.of(
              "java.vm.name", "OpenJDK 64-Bit Server VM", "java.vm.info", "mixed mode, sharing"));

  private VectorChoice choose(boolean module) {
    return VectorChoice.choose(properties::get, module);
  }

  @Test
  void theJvmOfTheTestsHasVectorsAsWideAsTheMachine() {
    VectorChoice choice = VectorChoice.get();
    assertThat(choice.bits()).isEqualTo(WidestVector.bits());
    assertThat(choice).hasToString("vector code, " + WidestVector.bits() + " bits");
  }

  @Test
  void withoutTheModuleTheFlagToAddIsNamed() {
    assertThat(choose(false))
        .hasToString(
            "portable Java (module jdk.incubator.vector is missing; start Java with --add-modules"
                + " jdk.incubator.vector)");
  }

  @Test
  void anInterpreterIsNotGivenVectorCode() {
    properties.put("java.vm.info", "interpreted mode, sharing");
    assertThat(choose(true))
        .hasToString(
            "portable Java (OpenJDK 64-Bit Server VM in interpreted mode, sharing does not compile"
                + " vector code; set -Drelaxvm.cpu.vectors=256 if yours does)");
  }

  @Test
  void aJvmWithOnlyItsFirstCompilerIsNotGivenVectorCode() {
    properties.put("java.vm.info", "mixed mode, emulated-client, sharing");
    assertThat(choose(true).vectors()).isFalse();
  }

  @Test
  void anUnknownJvmIsGivenVectorCodeOnlyWhenToldSo() {
    properties.put("java.vm.name", "Eclipse OpenJ9 VM");
    properties.put(
        "java.vm.info", "JRE 25 Linux amd64-64-Bit 20260101_1 (JIT enabled, AOT enabled)");
    assertThat(choose(true).vectors()).isFalse();
    properties.put("relaxvm.cpu.vectors", "128");
    assertThat(choose(true)).isEqualTo(new VectorChoice(128, ""));
  }

  @Test
  void vectorsCanBeSwitchedOff() {
    properties.put("relaxvm.cpu.vectors", "off");
    assertThat(choose(true)).hasToString("portable Java (-Drelaxvm.cpu.vectors=off)");
  }

  @Test
  void anUnknownSettingIsRefused() {
    properties.put("relaxvm.cpu.vectors", "fast");
    assertThatThrownBy(() -> choose(true))
        .isInstanceOf(BackendException.class)
        .hasMessage("-Drelaxvm.cpu.vectors must be auto, off, 128, 256 or 512, but is 'fast'");
  }

  @Test
  void vectorsWiderThanTheMachineHasAreRefused() {
    properties.put("relaxvm.cpu.vectors", "512");
    if (WidestVector.bits() >= 512) {
      assertThat(choose(true).bits()).isEqualTo(512);
      return;
    }
    assertThatThrownBy(() -> choose(true))
        .hasMessage(
            "-Drelaxvm.cpu.vectors=512 is too wide: vectors of this machine have "
                + WidestVector.bits()
                + " bits at most");
  }
}
