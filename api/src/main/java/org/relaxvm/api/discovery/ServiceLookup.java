package org.relaxvm.api.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Spliterator;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.discovery.ProviderBridge.Outcome;

/**
 * The providers of a service that a loader finds, and why others cannot be loaded.
 *
 * @param providers in order of lookup, not constructed yet
 * @param failures one for each provider that cannot be loaded, in order of lookup
 */
public record ServiceLookup<S>(
    List<ServiceLoader.Provider<S>> providers, List<Throwable> failures) {
  // A class loader that fails for ever must not keep the lookup going for ever.
  private static final int MAX_FAILURES = 1000;

  /** Copies the lists. */
  public ServiceLookup {
    providers = List.copyOf(providers);
    failures = List.copyOf(failures);
  }

  /** Looks up all providers; continues after one that cannot be loaded. */
  public static <S> ServiceLookup<S> of(ServiceLoader<S> loader) {
    List<ServiceLoader.Provider<S>> found = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    Spliterator<ServiceLoader.Provider<S>> lookup = loader.stream().spliterator();
    boolean more = true;
    while (more && failures.size() < MAX_FAILURES) {
      Outcome<Boolean> step = ProviderBridge.attempt(() -> lookup.tryAdvance(found::add));
      if (step instanceof Failure<Boolean> failure) {
        failures.add(failure.cause());
      }
      more = step.orElse(_ -> true);
    }
    return new ServiceLookup<>(found, failures);
  }
}
