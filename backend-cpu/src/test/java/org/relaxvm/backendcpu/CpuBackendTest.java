package org.relaxvm.backendcpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcpu.vector.VectorChoice;

class CpuBackendTest {
  @Test
  void theProviderIsFoundAndUsable() {
    BackendProvider provider =
        ServiceLoader.load(BackendProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(candidate -> candidate.name().equals("cpu"))
            .findFirst()
            .orElseThrow();
    assertThat(provider.spiVersion()).isEqualTo(SpiVersion.CURRENT);
    assertThat(provider.host()).isTrue();
    assertThat(provider.probe().usable()).isTrue();
    assertThat(provider.probe().detail()).matches(".+, (1 core|\\d+ cores)");
    try (Backend backend = provider.open()) {
      assertThat(backend.name()).isEqualTo("cpu");
      assertThat(backend.devices()).extracting(Device::toString).containsExactly("cpu:0");
      assertThat(backend.devices().getFirst().isHost()).isTrue();
    }
  }

  @Test
  void everyRowOfTheTableHasAKernelAndViceVersa() {
    List<String> rows =
        KernelLibrary.standard().signatures().stream().map(KernelSignature::name).toList();
    assertThat(new CpuDevice(CpuFacts.read(), VectorChoice.get()).library().functionNames())
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(
            CpuLibrary.kernels(VectorChoice.get(), BackendOptions.none()).keySet().stream()
                .map(name -> "relaxvm." + name)
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void factsAreReadFromTheSystemsFiles() {
    CpuFacts facts =
        CpuFacts.of(
            List.of("processor\t: 0", "model name\t: Some CPU", "flags\t\t: fpu avx2 avx sse4_2"),
            List.of("MemTotal:       16 kB"),
            "amd64",
            2);
    CpuDevice device = new CpuDevice(facts, new VectorChoice(256, ""));
    assertThat(device.properties().name()).isEqualTo("Some CPU, 2 cores");
    assertThat(device.properties().totalMemoryBytes()).isEqualTo(16_384);
    assertThat(device.properties().minAlignment()).isEqualTo(64);
    assertThat(device.properties().details())
        .containsEntry("vector extensions", "avx2, avx, sse4_2")
        .containsEntry("kernels", "vector code, 256 bits");
  }

  @Test
  void aSystemWithoutThoseFilesIsNamedByItsArchitecture() {
    CpuFacts facts = CpuFacts.of(List.of(), List.of("MemTotal: plenty"), "riscv64", 1);
    assertThat(facts.title()).isEqualTo("riscv64, 1 core");
    assertThat(facts.memoryBytes()).isZero();
    assertThat(facts.details()).containsEntry("vector extensions", "unknown");
  }

  @Test
  void settingsOfTheProcessHaveLegalValues() {
    CpuBackendProvider provider = new CpuBackendProvider();
    assertThat(provider.options())
        .filteredOn(BackendOption::processWide)
        .extracting(BackendOption::name, BackendOption::defaultValue, BackendOption::property)
        .contains(
            tuple("hugePages", "auto", "relaxvm.cpu.hugePages"),
            tuple("pin", "false", "relaxvm.cpu.pin"));
    for (String setting : List.of("relaxvm.cpu.hugePages", "relaxvm.cpu.pin")) {
      System.setProperty(setting, "perhaps");
      try {
        assertThatThrownBy(provider::open)
            .isInstanceOf(BackendException.class)
            .hasMessage(
                "-D"
                    + setting
                    + " must be "
                    + (setting.endsWith("pin") ? "false or true" : "auto or off")
                    + ", but is 'perhaps'");
      } finally {
        System.clearProperty(setting);
      }
    }
  }

  @Test
  void theDeviceSaysWhichPagesLargeBlocksHave() {
    CpuDevice device = new CpuDevice(CpuFacts.read(), VectorChoice.get());
    assertThat(device.properties().details().get("large blocks"))
        .matches("huge pages of [0-9]+ KiB for blocks of [0-9]+ MiB and more|ordinary pages: .+");
  }
}
