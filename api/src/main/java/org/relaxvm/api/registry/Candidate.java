package org.relaxvm.api.registry;

import org.jspecify.annotations.Nullable;

/**
 * A provider that was found, whether it could be made or not.
 *
 * @param provider null when it could not be made
 * @param problem why it could not be made; null when it was
 */
record Candidate<S>(
    @Nullable S provider, String className, String origin, @Nullable Problem problem) {

  static <S> Candidate<S> of(S provider) {
    Class<?> type = provider.getClass();
    return new Candidate<>(provider, type.getName(), Origins.of(type), null);
  }

  static <S> Candidate<S> failed(String className, String origin, Problem problem) {
    return new Candidate<>(null, className, origin, problem);
  }
}
