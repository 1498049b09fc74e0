package org.relaxvm.api.discovery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.ProviderBridge.Outcome;

/** Finds the providers that a class loader sees, the broken ones included. */
public final class ProviderDiscovery {
  private ProviderDiscovery() {}

  /** The providers of a service, in order of discovery; those that cannot be loaded last. */
  public static <S> List<Candidate<S>> discover(Class<S> service, ClassLoader loader) {
    return discover(ServiceLoader.load(service, loader), service, loader);
  }

  /**
   * As {@link #discover(Class, ClassLoader)}, for services of other modules.
   *
   * @param services made by the module that uses the service
   */
  public static <S> List<Candidate<S>> discover(
      ServiceLoader<S> services, Class<S> service, ClassLoader loader) {
    ServiceLookup<S> lookup = ServiceLookup.of(services);
    List<Candidate<S>> candidates = new ArrayList<>();
    for (ServiceLoader.Provider<S> provider : lookup.providers()) {
      candidates.add(make(provider));
    }
    if (!lookup.failures().isEmpty()) {
      candidates.addAll(
          attribute(lookup.failures(), unloaded(service, loader, lookup.providers())));
    }
    return candidates;
  }

  private static <S> Candidate<S> make(ServiceLoader.Provider<S> provider) {
    String className = provider.type().getName();
    String origin = Origins.of(provider.type());
    Outcome<Candidate<S>> made =
        ProviderBridge.attempt(() -> new Candidate<>(provider.get(), className, origin, null));
    return made.orElse(
        failure ->
            Candidate.failed(
                className, origin, Problem.ofFailure("its constructor failed", failure)));
  }

  /** The classes that are listed but were not loaded, in order of lookup, each with its jar. */
  private static <S> Map<String, String> unloaded(
      Class<S> service, ClassLoader loader, List<ServiceLoader.Provider<S>> found) {
    Map<String, String> listed = new LinkedHashMap<>();
    ServiceFiles.listed(service, loader)
        .forEach((name, origins) -> listed.put(name, origins.getFirst()));
    for (ServiceLoader.Provider<S> provider : found) {
      listed.remove(provider.type().getName());
    }
    return listed;
  }

  /** Tells which class each failure belongs to: by the name in its text, else by order. */
  private static <S> List<Candidate<S>> attribute(
      List<Throwable> failures, Map<String, String> unloaded) {
    List<Candidate<S>> candidates = new ArrayList<>();
    List<Throwable> unnamed = new ArrayList<>();
    for (Throwable failure : failures) {
      Optional<String> named =
          unloaded.keySet().stream().filter(name -> mentions(failure, name)).findFirst();
      if (named.isPresent()) {
        candidates.add(broken(named.get(), unloaded.remove(named.get()), failure));
      } else {
        unnamed.add(failure);
      }
    }
    List<String> remaining = List.copyOf(unloaded.keySet());
    boolean matched = remaining.size() == unnamed.size();
    for (int i = 0; i < unnamed.size(); i++) {
      String name = matched ? remaining.get(i) : "";
      candidates.add(broken(name, matched ? unloaded.get(name) : "unknown jar", unnamed.get(i)));
    }
    return candidates;
  }

  private static <S> Candidate<S> broken(
      String className, @Nullable String origin, Throwable failure) {
    return Candidate.failed(
        className,
        origin == null ? "unknown jar" : origin,
        Problem.ofFailure("it cannot be loaded", failure));
  }

  private static boolean mentions(Throwable failure, String className) {
    String text = String.valueOf(failure.getMessage()).replace('/', '.');
    // The name as a whole: acme.Npu is no part of acme.Npu2.
    return Pattern.compile("(?<![\\w.$])" + Pattern.quote(className) + "(?![\\w$]|\\.\\w)")
        .matcher(text)
        .find();
  }
}
