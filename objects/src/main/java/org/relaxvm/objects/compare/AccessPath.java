package org.relaxvm.objects.compare;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a value is within another, such as {@code <root>.body.blocks[0]}.
 *
 * @param steps from the root, each as text: {@code .field}, {@code [index]}, {@code ["key"]}, or
 *     {@code [<missing:...>]} for what the other side has
 */
public record AccessPath(List<String> steps) {
  /** Copies the list. */
  public AccessPath {
    steps = List.copyOf(steps);
  }

  @Override
  public String toString() {
    return "<root>" + String.join("", steps);
  }

  /** A path that shares its beginning with others. */
  static final class Link {
    private final @Nullable Link before;
    private final Object step;

    private Link(@Nullable Link before, Object step) {
      this.before = before;
      this.step = step;
    }

    static @Nullable Link root() {
      return null;
    }

    /**
     * A path of one step more.
     *
     * @param step its text, which may be made when the path is shown only
     */
    static Link of(@Nullable Link before, Object step) {
      return new Link(before, step);
    }

    static AccessPath path(@Nullable Link last) {
      Deque<String> steps = new ArrayDeque<>();
      for (Link link = last; link != null; link = link.before) {
        steps.addFirst(link.step.toString());
      }
      return new AccessPath(List.copyOf(steps));
    }
  }
}
