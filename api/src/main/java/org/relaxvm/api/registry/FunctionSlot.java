package org.relaxvm.api.registry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.discovery.Candidate;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Success;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.FunctionProvider;

/** One function provider of a registry and its verdict. Immutable. */
final class FunctionSlot {
  private static final int SHOWN_CLASHES = 5;

  private final @Nullable FunctionProvider provider;
  private final String name;
  private final String className;
  private final String origin;
  private final @Nullable Problem problem;
  private final Set<String> functionNames;

  FunctionSlot(Candidate<FunctionProvider> candidate) {
    this.className = candidate.className();
    this.origin = candidate.origin();
    Identity identity =
        Identity.of(candidate, FunctionProvider::spiVersion, FunctionProvider::name);
    this.name = identity.name();
    FunctionProvider made = candidate.provider();
    Problem found = identity.problem();
    Set<String> names = Set.of();
    if (found == null && made != null) {
      switch (ProviderBridge.attempt(() -> Set.copyOf(made.functionNames()))) {
        case Success<Set<String>>(Set<String> listed) -> names = listed;
        case Failure<Set<String>>(Throwable cause) ->
            found = Problem.ofFailure("functionNames() failed", cause);
      }
    }
    this.problem = found;
    this.functionNames = names;
    this.provider = found == null ? made : null;
  }

  Optional<FunctionProvider> provider() {
    return Optional.ofNullable(provider);
  }

  String origin() {
    return origin;
  }

  Set<String> functionNames() {
    return functionNames;
  }

  /** The provider's name and jar, for messages. */
  String label() {
    return name + " (" + origin + ")";
  }

  FunctionMatch match(String functionName) {
    return new FunctionMatch(
        functionName, find(functionName), name, origin, effectsOf(functionName));
  }

  /** Nothing is known of a function whose provider fails to say it. */
  private CallEffects effectsOf(String functionName) {
    FunctionProvider asked = provider;
    return asked != null
            && ProviderBridge.attempt(() -> asked.effectsOf(functionName))
                instanceof Success<CallEffects>(CallEffects effects)
        ? effects
        : CallEffects.UNKNOWN;
  }

  private PackedFunc find(String functionName) {
    FunctionProvider asked = provider;
    if (asked == null) {
      throw new IllegalStateException(label() + " has no functions");
    }
    return switch (ProviderBridge.attempt(() -> asked.find(functionName))) {
      case Success<Optional<PackedFunc>>(Optional<PackedFunc> found) when found.isPresent() ->
          found.get();
      case Success<Optional<PackedFunc>> _ ->
          throw new LinkException(
              ErrorKind.RUNTIME,
              label() + " lists the function '" + functionName + "' but does not give it");
      case Failure<Optional<PackedFunc>>(Throwable cause) ->
          throw new LinkException(
              ErrorKind.RUNTIME,
              label()
                  + " failed to give the function '"
                  + functionName
                  + "': "
                  + Problem.ofFailure("", cause).detail(),
              cause);
    };
  }

  /**
   * The verdict.
   *
   * @param clashes functions that other providers offer as well, with the labels of those
   */
  Diagnosis diagnose(SortedMap<String, List<String>> clashes) {
    Problem found = problem;
    String clash = clashText(clashes);
    return new Diagnosis(
        Diagnosis.Role.FUNCTIONS,
        name,
        className,
        origin,
        found == null ? Diagnosis.State.USABLE : Diagnosis.State.of(found),
        found == null ? countOf(functionNames.size()) + clash : found.detail(),
        found != null ? found.remedy() : clash.isEmpty() ? "" : "remove one of the jars",
        List.of(),
        Map.of(),
        List.of());
  }

  private static String clashText(SortedMap<String, List<String>> clashes) {
    if (clashes.isEmpty()) {
      return "";
    }
    String names =
        clashes.keySet().stream()
            .limit(SHOWN_CLASHES)
            .map(name -> "'" + name + "'")
            .collect(Collectors.joining(", "));
    int more = clashes.size() - SHOWN_CLASHES;
    return "; programs that need "
        + names
        + (more > 0 ? " or one of " + more + " more" : "")
        + " do not link, because of "
        + clashes.values().stream()
            .flatMap(List::stream)
            .distinct()
            .collect(Collectors.joining(" and "));
  }

  private static String countOf(int functions) {
    return functions == 1 ? "1 function" : functions + " functions";
  }
}
