package org.relaxvm.api.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.fakes.FakeBackendProvider;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;

/** Options of backends, as a registry takes them and a backend sees them. */
class BackendOptionsTest {
  private static final String SPEED = "relaxvm.test.speed";
  private static final String POOL = "relaxvm.test.pool";

  private static final class Configurable extends FakeBackendProvider {
    private final List<BackendOptions> seen = new ArrayList<>();

    Configurable() {
      super("npu", 1);
    }

    @Override
    public List<BackendOption> options() {
      return List.of(
          BackendOption.choice("speed", List.of("fast", "exact"), SPEED, "Chooses how exact."),
          BackendOption.of("pool", "MiB", "64", POOL, "Bounds the pool.").forProcess());
    }

    @Override
    public Backend open(BackendOptions options) {
      seen.add(options);
      return super.open(options);
    }
  }

  private final Configurable provider = new Configurable();
  private final BackendRegistry registry = BackendRegistry.builder().add(provider).build();

  @Test
  void aBackendIsOpenedWithTheOptionsThatAreSet() {
    registry.option("npu.speed", "exact");
    registry.require("npu:0");
    assertThat(provider.seen).hasSize(1);
    BackendOptions options = provider.seen.getFirst();
    assertThat(options.property(SPEED)).isEqualTo("exact");
    assertThat(options.origin(SPEED)).isEqualTo("option npu.speed");
    assertThat(options.property(POOL)).isNull();
    assertThat(options.origin(POOL)).isEqualTo("-D" + POOL);
  }

  @Test
  void aPropertyCountsWhereTheOptionIsNotSet() {
    System.setProperty(SPEED, "fast");
    try {
      registry.require("npu:0");
      assertThat(provider.seen.getFirst().property(SPEED)).isEqualTo("fast");
    } finally {
      System.clearProperty(SPEED);
    }
  }

  @Test
  void anUnknownOptionIsRefusedWithThoseThatExist() {
    assertThatThrownBy(() -> registry.option("npu.sped", "exact"))
        .isInstanceOf(BackendException.class)
        .hasMessage("the backend npu has no option 'sped'\n  options: npu.speed, npu.pool");
  }

  @Test
  void aValueThatIsNotAChoiceIsRefused() {
    assertThatThrownBy(() -> registry.option("npu.speed", "slow"))
        .isInstanceOf(BackendException.class)
        .hasMessage("option npu.speed must be one of fast, exact, but is 'slow'");
  }

  @Test
  void anOptionOfTheProcessCannotDifferForOneMachine() {
    registry.option("npu.pool", "64");
    assertThatThrownBy(() -> registry.option("npu.pool", "8"))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "option npu.pool is '64' for this process and cannot be '8' for one virtual machine\n"
                + "  what to do: start Java with -Drelaxvm.test.pool=8");
  }

  @Test
  void anOptionOfABackendThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> registry.option("gpu.speed", "fast"))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith(
            "option gpu.speed is of a backend that is not there\n  backends: npu")
        .hasMessageEndingWith(
            "what to do: correct the option's name, or put the backend's jar on the class path or"
                + " in the folder plugins/");
    assertThatThrownBy(() -> registry.option("speed", "fast"))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "an option of a backend is named like cuda.cublas, the backend before the point, but"
                + " got 'speed'");
  }

  @Test
  void anOpenBackendKeepsItsOptions() {
    registry.option("npu.speed", "exact");
    registry.require("npu:0");
    registry.option("npu.speed", "exact");
    assertThatThrownBy(() -> registry.option("npu.speed", "fast"))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "option npu.speed=fast comes too late: the backend npu is open already with another"
                + " value\n  what to do: set options before the first device of the backend is"
                + " required, or use another registry");
  }

  @Test
  void anOpenBackendAcceptsTheValueInEffect() {
    registry.require("npu:0");
    registry.option("npu.speed", "fast");
    assertThatThrownBy(() -> registry.option("npu.speed", "exact"))
        .hasMessageStartingWith("option npu.speed=exact comes too late");
  }

  @Test
  void optionsThatAreTakenBackLeaveThoseFromBeforeAndFromMeanwhile() {
    registry.option("npu.pool", "64");
    Runnable undo = registry.options(Map.of("npu.speed", "exact"));
    registry.option("npu.pool", "64");
    undo.run();
    registry.require("npu:0");
    assertThat(provider.seen.getFirst()).hasToString("{pool=64}");
  }

  @Test
  void anOptionThatIsTakenBackUncoversTheEarlierValue() {
    registry.option("npu.speed", "fast");
    registry.options(Map.of("npu.speed", "exact")).run();
    registry.require("npu:0");
    assertThat(provider.seen.getFirst()).hasToString("{speed=fast}");
  }

  @Test
  void noneOfSeveralOptionsIsSetWhenOneIsRefused() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("npu.speed", "exact");
    options.put("npu.pool", "8");
    assertThatThrownBy(() -> registry.options(options))
        .hasMessageStartingWith("option npu.pool is '64' for this process");
    registry.require("npu:0");
    assertThat(provider.seen.getFirst()).hasToString("{}");
  }

  @Test
  void takingBackHasNoEffectOnAnOpenBackend() {
    Runnable undo = registry.options(Map.of("npu.speed", "exact"));
    registry.require("npu:0");
    undo.run();
    registry.option("npu.speed", "exact");
    assertThat(provider.seen).hasSize(1);
  }

  @Test
  void aDiagnosisListsTheOptions() {
    assertThat(registry.diagnose().getFirst().options()).isEqualTo(provider.options());
  }
}
