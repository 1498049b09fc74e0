package org.relaxvm.api.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.discovery.Origins;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.fakes.FakeFunctionProvider;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

class FunctionLookupTest {
  private static final String HERE = Origins.of(FakeFunctionProvider.class);
  private static final PackedFunc ONE = (args, result) -> result.setLong(1);

  @Test
  void findFunctionLooksThroughAllProviders() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(new FakeFunctionProvider("first", Map.of("a", ONE)))
            .add(new FakeFunctionProvider("second", Map.of("b", ONE)))
            .build();
    assertThat(registry.findFunction("b"))
        .contains(new FunctionMatch("b", ONE, "second", HERE, CallEffects.UNKNOWN));
    assertThat(registry.findFunction("c")).isEmpty();
    assertThat(registry.functionProviders())
        .extracting(FunctionProvider::name)
        .containsExactly("first", "second");
  }

  @Test
  void twoProvidersOfOneFunctionAreRefusedByName() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(new FakeFunctionProvider("first", Map.of("a", ONE)))
            .add(new FakeFunctionProvider("second", Map.of("a", ONE, "b", ONE)))
            .build();
    assertThatThrownBy(() -> registry.findFunction("a"))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "the function 'a' is offered by more than one provider: first ("
                + HERE
                + ") and second ("
                + HERE
                + "); remove one of them");
    assertThat(registry.findFunction("b")).isPresent();
  }

  /** Breaks one rule of the SPI at a time. */
  private record BadProvider(int spiVersion, boolean throwsOnNames) implements FunctionProvider {
    @Override
    public String name() {
      return "bad";
    }

    @Override
    public Set<String> functionNames() {
      if (throwsOnNames) {
        throw new IllegalStateException("no names");
      }
      return Set.of("listed", "thrown");
    }

    @Override
    public Optional<PackedFunc> find(String functionName) {
      if (functionName.equals("thrown")) {
        throw new IllegalStateException("cannot");
      }
      return Optional.empty();
    }
  }

  @Test
  void brokenFunctionProvidersAreDiagnosedAndLeftOut() {
    BackendRegistry registry =
        BackendRegistry.builder()
            .add(new BadProvider(3, false))
            .add(new BadProvider(SpiVersion.CURRENT, true))
            .add(new FakeFunctionProvider("good", Map.of("a", ONE)))
            .build();
    assertThat(registry.diagnose())
        .extracting(Diagnosis::detail)
        .containsExactly(
            "it was built for SPI version 3, but this RelaxVM has SPI version 2",
            "functionNames() failed: java.lang.IllegalStateException: no names",
            "1 function");
    assertThat(registry.functionProviders()).hasSize(1);
  }

  @Test
  void providerThatDoesNotGiveWhatItListsIsAnError() {
    BackendRegistry registry =
        BackendRegistry.builder().add(new BadProvider(SpiVersion.CURRENT, false)).build();
    assertThatThrownBy(() -> registry.findFunction("listed"))
        .hasMessage("bad (" + HERE + ") lists the function 'listed' but does not give it");
    assertThatThrownBy(() -> registry.findFunction("thrown"))
        .hasMessage(
            "bad ("
                + HERE
                + ") failed to give the function 'thrown': java.lang.IllegalStateException:"
                + " cannot");
  }
}
