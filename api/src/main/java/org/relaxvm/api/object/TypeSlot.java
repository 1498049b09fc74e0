package org.relaxvm.api.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.Candidate;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Success;
import org.relaxvm.api.registry.Diagnosis;

/** One provider of object types and its verdict. Not thread-safe. */
final class TypeSlot {
  private static final String OWN_PACKAGE = "org.relaxvm.";

  private final String className;
  private final String origin;
  private final @Nullable Problem problem;
  private final Offer offer;
  private final List<String> faults = new ArrayList<>();

  /** What a provider declares. */
  private record Offer(List<ObjectDeclaration> types, Map<String, Set<String>> names) {
    static final Offer NOTHING = new Offer(List.of(), Map.of());

    static Offer of(ObjectTypeProvider provider) {
      Map<String, Set<String>> names = new HashMap<>();
      provider.names().forEach((key, some) -> names.put(key, Set.copyOf(some)));
      List<ObjectDeclaration> types =
          Objects.requireNonNull(provider.types(), "types() returned null");
      return new Offer(List.copyOf(types), names);
    }
  }

  TypeSlot(Candidate<ObjectTypeProvider> candidate) {
    this.className = candidate.className();
    this.origin = candidate.origin();
    Problem found = candidate.problem();
    Offer given = Offer.NOTHING;
    ObjectTypeProvider made = candidate.provider();
    if (made != null) {
      switch (ProviderBridge.attempt(() -> Offer.of(made))) {
        case Success<Offer>(Offer offered) -> given = offered;
        case Failure<Offer>(Throwable cause) ->
            found = Problem.ofFailure("asking it for its types failed", cause);
      }
    }
    this.problem = found;
    this.offer = given;
  }

  List<ObjectDeclaration> types() {
    return offer.types();
  }

  Map<String, Set<String>> names() {
    return offer.names();
  }

  /** Whether it is one of RelaxVM. */
  boolean isOwn() {
    return className.startsWith(OWN_PACKAGE);
  }

  /** The class and the jar, for messages. */
  String label() {
    return className + " (" + origin + ")";
  }

  /** Notes that a type cannot be used. */
  void fault(String text) {
    faults.add(text);
  }

  /** The verdict. */
  Diagnosis diagnose() {
    Problem found = problem;
    return new Diagnosis(
        Diagnosis.Role.OBJECT_TYPES,
        className.isEmpty() ? "unknown provider" : className,
        className,
        origin,
        found == null
            ? Diagnosis.State.USABLE
            : found.isOfJar() ? Diagnosis.State.BROKEN : Diagnosis.State.UNUSABLE,
        found == null ? usable() : found.detail(),
        found != null
            ? found.remedy()
            : faults.isEmpty() ? "" : "replace or remove one of the jars",
        List.of(),
        Map.of(),
        List.of());
  }

  private String usable() {
    int count = offer.types().size();
    StringBuilder text = new StringBuilder(count == 1 ? "1 type" : count + " types");
    faults.forEach(fault -> text.append("; ").append(fault));
    return text.toString();
  }
}
