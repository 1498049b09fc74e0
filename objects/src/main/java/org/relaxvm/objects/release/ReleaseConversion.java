package org.relaxvm.objects.release;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/**
 * Converts objects between the newest release of Apache TVM and older ones.
 *
 * <p>Expressions, types, statements, functions and modules are converted; an object that is
 * referred to twice is one object again. Not kept are: that a variable is never negative ({@code
 * SizeVar}), the value of a scalar's type outside of parameters, features of targets, and how
 * sequences of statements are nested. Depth is no limit. Stateless; safe for concurrent use.
 *
 * <p>Source: docs/spec/object-system.md, section 5.2.
 */
public final class ReleaseConversion {
  private ReleaseConversion() {}

  /**
   * An object of a release as one of the newest release.
   *
   * @param root a value as {@link org.relaxvm.api.object.ObjectNode} lists them; its tensors are
   *     shared
   * @param from the release that its types are of
   * @param types those of the newest release
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} that lists all that
   *     the newest release has no counterpart of, each with its path
   */
  public static @Nullable Object upgrade(
      @Nullable Object root, TvmRelease from, ObjectTypes types) {
    if (from == TvmRelease.newest()) {
      return root;
    }
    Target target = new Target(TvmRelease.newest(), from, types);
    return new Upgrade(target, Memory.of(root)).convert(root);
  }

  /**
   * An object of the newest release as one of another release.
   *
   * @param root a value as {@link org.relaxvm.api.object.ObjectNode} lists them; its tensors are
   *     shared
   * @param types those of the other release, {@link TvmSchema#objectTypes()}
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} that lists all that
   *     the other release has no counterpart of, each with its path
   */
  public static @Nullable Object downgrade(
      @Nullable Object root, TvmRelease to, ObjectTypes types) {
    if (to == TvmRelease.newest()) {
      return root;
    }
    return new Downgrade(new Target(to, TvmRelease.newest(), types), Definitions.of(root))
        .convert(root);
  }
}
