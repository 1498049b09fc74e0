package org.relaxvm.api.discovery;

import org.jspecify.annotations.Nullable;

/**
 * A provider that was found, whether it could be made or not.
 *
 * @param provider null when it could not be made
 * @param className empty when it could not be found out
 * @param origin the jar, folder or module that it comes from
 * @param problem why it could not be made; null when it was
 */
public record Candidate<S>(
    @Nullable S provider, String className, String origin, @Nullable Problem problem) {

  /** A provider that was made. */
  public static <S> Candidate<S> of(S provider) {
    Class<?> type = provider.getClass();
    return new Candidate<>(provider, type.getName(), Origins.of(type), null);
  }

  /** A provider that could not be made. */
  public static <S> Candidate<S> failed(String className, String origin, Problem problem) {
    return new Candidate<>(null, className, origin, problem);
  }
}
