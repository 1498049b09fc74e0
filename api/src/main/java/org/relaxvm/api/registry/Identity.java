package org.relaxvm.api.registry;

import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.Candidate;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Outcome;
import org.relaxvm.api.discovery.ProviderBridge.Success;
import org.relaxvm.api.spi.SpiVersion;

/** The name of a provider and whether it speaks this version of the SPI. */
record Identity(String name, @Nullable Problem problem) {

  static <S> Identity of(
      Candidate<S> candidate, ToIntFunction<S> version, Function<S, String> naming) {
    S provider = candidate.provider();
    if (provider == null) {
      return new Identity(shownName(candidate), candidate.problem());
    }
    Outcome<Integer> spiVersion = ProviderBridge.attempt(() -> version.applyAsInt(provider));
    Outcome<String> name = ProviderBridge.attempt(() -> naming.apply(provider));
    String shown = name.orElse(_ -> shownName(candidate));
    // The version comes first: where it differs, other failures are its consequence.
    return switch (spiVersion) {
      case Failure<Integer>(Throwable cause) ->
          new Identity(shown, Problem.ofFailure("spiVersion() failed", cause));
      case Success<Integer>(Integer spoken) when spoken != SpiVersion.CURRENT ->
          new Identity(shown, mismatch(spoken));
      case Success<Integer> _ ->
          new Identity(
              shown,
              name instanceof Failure<String>(Throwable cause)
                  ? Problem.ofFailure("name() failed", cause)
                  : null);
    };
  }

  private static String shownName(Candidate<?> candidate) {
    return candidate.className().isEmpty() ? "unknown provider" : candidate.className();
  }

  private static Problem mismatch(int spoken) {
    return Problem.broken(
        "it was built for SPI version "
            + spoken
            + ", but this RelaxVM has SPI version "
            + SpiVersion.CURRENT,
        "use a version of the jar that was built for this RelaxVM");
  }
}
