package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The path of a node, without a text of its own: paths of deep graphs are long. */
record NodePath(@Nullable NodePath parent, String step) {
  /** The path of a root. */
  static NodePath of(String text) {
    return new NodePath(null, text);
  }

  /** The path of a part. */
  NodePath then(String next) {
    return new NodePath(this, next);
  }

  /** Such as {@code <root>.body.seq[1]}. */
  @Override
  public String toString() {
    Deque<String> steps = new ArrayDeque<>();
    for (@Nullable NodePath at = this; at != null; at = at.parent) {
      steps.addFirst(at.step);
    }
    return String.join("", steps);
  }
}
