package org.relaxvm.compiler.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.Candidate;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Success;
import org.relaxvm.api.discovery.ProviderDiscovery;
import org.relaxvm.api.registry.Diagnosis;

/**
 * The pass providers at hand. One that cannot be loaded or asked for its passes is left out, and
 * shows in {@link #diagnoses()}. Immutable; as thread-safe as the passes.
 *
 * @param providers those in order, in order of discovery
 * @param diagnoses every provider, good or bad
 */
public record PassProviders(List<Found> providers, List<Diagnosis> diagnoses) {
  /** Copies the lists. */
  public PassProviders {
    providers = List.copyOf(providers);
    diagnoses = List.copyOf(diagnoses);
  }

  /**
   * A provider, asked for its passes.
   *
   * @param name for messages
   * @param passes with their positions
   */
  public record Found(String name, List<PassProvider.Placement> passes) implements PassProvider {
    /** Copies the list. */
    public Found {
      passes = List.copyOf(passes);
    }

    private static Found of(PassProvider provider) {
      return new Found(provider.name(), provider.passes());
    }
  }

  /**
   * All providers that the context class loader of this thread finds, or that of RelaxVM where the
   * thread has none.
   */
  public static PassProviders discover() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : PassProviders.class.getClassLoader();
    List<Found> providers = new ArrayList<>();
    List<Diagnosis> diagnoses = new ArrayList<>();
    for (Candidate<PassProvider> candidate :
        ProviderDiscovery.discover(
            ServiceLoader.load(PassProvider.class, loader), PassProvider.class, loader)) {
      PassProvider made = candidate.provider();
      Problem problem = candidate.problem();
      Found found = null;
      if (made != null) {
        switch (ProviderBridge.attempt(() -> Found.of(made))) {
          case Success<Found>(Found asked) -> {
            found = asked;
            providers.add(asked);
          }
          case Failure<Found>(Throwable cause) ->
              problem = Problem.ofFailure("asking it for its passes failed", cause);
        }
      }
      diagnoses.add(diagnosis(candidate, found, problem));
    }
    return new PassProviders(providers, diagnoses);
  }

  private static Diagnosis diagnosis(
      Candidate<PassProvider> candidate, @Nullable Found found, @Nullable Problem problem) {
    String className = candidate.className().isEmpty() ? "unknown provider" : candidate.className();
    return new Diagnosis(
        Diagnosis.Role.PASSES,
        found == null ? className : found.name(),
        candidate.className(),
        candidate.origin(),
        problem == null
            ? Diagnosis.State.USABLE
            : problem.isOfJar() ? Diagnosis.State.BROKEN : Diagnosis.State.UNUSABLE,
        problem == null ? counted(found) : problem.detail(),
        problem == null ? "" : problem.remedy(),
        List.of(),
        Map.of(),
        List.of());
  }

  private static String counted(@Nullable Found found) {
    int count = found == null ? 0 : found.passes().size();
    return count == 1 ? "1 pass" : count + " passes";
  }

  /** What to tell of the providers that are left out, a line each. */
  public List<String> problems() {
    return diagnoses.stream()
        .filter(diagnosis -> diagnosis.state() != Diagnosis.State.USABLE)
        .map(diagnosis -> "the pass provider " + diagnosis)
        .toList();
  }
}
