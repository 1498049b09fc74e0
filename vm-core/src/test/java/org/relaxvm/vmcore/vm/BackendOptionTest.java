package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.vmcore.program.Program;

/** Options of backends that a builder passes on. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class BackendOptionTest {
  private static final String TILES = "relaxvm.test.tiles";

  private final List<String> seen = new ArrayList<>();

  private final class Host implements BackendProvider, Backend {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public boolean host() {
      return true;
    }

    @Override
    public Probe probe() {
      return Probe.usable("test");
    }

    @Override
    public List<BackendOption> options() {
      return List.of(BackendOption.of("tiles", "a number", "4", TILES, "Counts tiles."));
    }

    @Override
    public Backend open(BackendOptions options) {
      if ("0".equals(options.property(TILES))) {
        throw new IllegalArgumentException("no tiles");
      }
      seen.add(options.property(TILES) + " by " + options.origin(TILES));
      return this;
    }

    @Override
    public List<Device> devices() {
      return List.of(HostDevice.INSTANCE);
    }

    @Override
    public void close() {}
  }

  private static Program program() {
    return new TestProgram().function("main", 1, 1, "x").ret(0).build();
  }

  @Test
  void anOptionReachesTheBackend() {
    try (BackendRegistry registry = BackendRegistry.builder().add(new Host()).build();
        VirtualMachine vm =
            VirtualMachine.builder(program()).registry(registry).option("cpu.tiles", "8").build()) {
      assertThat(vm.devices()).hasSize(1);
      assertThat(seen).containsExactly("8 by option cpu.tiles");
    }
  }

  @Test
  void anUnknownOptionFailsTheBuildAndOpensNothing() {
    try (BackendRegistry registry = BackendRegistry.builder().add(new Host()).build()) {
      VmBuilder builder =
          VirtualMachine.builder(program()).registry(registry).option("cpu.tile", "8");
      assertThatThrownBy(builder::build)
          .isInstanceOf(BackendException.class)
          .hasMessage("the backend cpu has no option 'tile'\n  options: cpu.tiles");
      assertThat(seen).isEmpty();
    }
  }

  @Test
  void anOptionOfABuildThatFailsIsTakenBack() {
    try (BackendRegistry registry = BackendRegistry.builder().add(new Host()).build()) {
      VmBuilder unknown =
          VirtualMachine.builder(program())
              .registry(registry)
              .option("cpu.tiles", "8")
              .option("cpu.tile", "8");
      assertThatThrownBy(unknown::build)
          .hasMessage("the backend cpu has no option 'tile'\n  options: cpu.tiles");
      try (VirtualMachine vm = VirtualMachine.builder(program()).registry(registry).build()) {
        assertThat(vm.devices()).hasSize(1);
        assertThat(seen).containsExactly("null by -D" + TILES);
      }
    }
  }

  @Test
  void anOptionWithWhichABackendCannotBeOpenedDoesNotSpoilIt() {
    try (BackendRegistry registry = BackendRegistry.builder().add(new Host()).build()) {
      VmBuilder none =
          VirtualMachine.builder(program()).registry(registry).option("cpu.tiles", "0");
      assertThatThrownBy(none::build).hasMessageContaining("no tiles");
      try (VirtualMachine vm =
          VirtualMachine.builder(program()).registry(registry).option("cpu.tiles", "2").build()) {
        assertThat(vm.devices()).hasSize(1);
        assertThat(seen).containsExactly("2 by option cpu.tiles");
      }
    }
  }

  @Test
  void takingAnOptionBackLeavesWhatAnotherBuildSetMeanwhile() {
    try (BackendRegistry registry = BackendRegistry.builder().add(new Host()).build()) {
      Runnable first = registry.options(Map.of("cpu.tiles", "2"));
      Runnable second = registry.options(Map.of("cpu.tiles", "8"));
      first.run();
      try (VirtualMachine vm = VirtualMachine.builder(program()).registry(registry).build()) {
        assertThat(vm.devices()).hasSize(1);
        assertThat(seen).containsExactly("8 by option cpu.tiles");
      }
      second.run();
    }
  }

  @Test
  void anOpenBackendAcceptsTheValueItWasOpenedWithWhateverItsPropertyIsNow() {
    try (BackendRegistry registry = BackendRegistry.builder().add(new Host()).build()) {
      VirtualMachine.builder(program()).registry(registry).build().close();
      System.setProperty(TILES, "16");
      try {
        registry.option("cpu.tiles", "4");
        assertThatThrownBy(() -> registry.option("cpu.tiles", "16"))
            .isInstanceOf(BackendException.class)
            .hasMessageContaining("cpu.tiles");
      } finally {
        System.clearProperty(TILES);
      }
    }
  }
}
