package org.relaxvm.objects.compare;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.Representation;

/**
 * The first difference of two values.
 *
 * @param leftPath where it is in the first
 * @param rightPath where it is in the second, the same unless one side lacks something
 * @param left what is there in the first; null also for what is missing
 * @param right what is there in the second; null also for what is missing
 */
public record Mismatch(
    AccessPath leftPath, AccessPath rightPath, @Nullable Object left, @Nullable Object right) {
  private static final int MAX_LENGTH = 200;

  /**
   * The difference in words, in several lines.
   *
   * @param types which print their objects
   */
  public String describe(ObjectTypes types) {
    return "the values differ"
        + "\n  left: "
        + leftPath
        + " is "
        + text(left, leftPath, types)
        + "\n  right: "
        + rightPath
        + " is "
        + text(right, rightPath, types);
  }

  private static String text(@Nullable Object value, AccessPath path, ObjectTypes types) {
    if (!path.steps().isEmpty() && path.steps().getLast().startsWith("[<missing:")) {
      return "missing";
    }
    String text = Representation.of(value, types);
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
  }
}
