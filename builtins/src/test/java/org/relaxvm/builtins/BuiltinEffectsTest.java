package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallEffects.Trait;

/** What is known of the effects of builtins. */
class BuiltinEffectsTest {
  private final BuiltinFunctions builtins = new BuiltinFunctions();

  @Test
  void effectsAreThoseOfFunctionsThatExist() {
    assertThat(builtins.functionNames()).containsAll(BuiltinEffects.all().keySet());
  }

  @Test
  void nothingIsKnownOfBuiltinsThatKeepStateOrCallOtherFunctions() {
    assertThat(
            java.util.stream.Stream.of(
                    "vm.builtin.invoke_closure",
                    "vm.builtin.call_tir_dyn",
                    "vm.builtin.tuple_reset_item",
                    "vm.builtin.memory_manager.clear",
                    "relax.run.print",
                    "no.such.function")
                .map(builtins::effectsOf))
        .containsOnly(CallEffects.UNKNOWN);
  }

  @Test
  void shapesAreMatchedIntoTheHeap() {
    CallEffects match = builtins.effectsOf("vm.builtin.match_shape");
    assertThat(match.has(Trait.CHECK)).isTrue();
    assertThat(match.writes(0)).isFalse();
    assertThat(match.writes(1)).isTrue();
  }
}
