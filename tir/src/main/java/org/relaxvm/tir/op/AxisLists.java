package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;

/** New lists from lists with an element for each axis, such as shapes and indices. */
public final class AxisLists {
  private AxisLists() {}

  /** A list with one element replaced. */
  public static <T> List<T> with(List<? extends T> list, int index, T value) {
    List<T> changed = new ArrayList<>(list);
    changed.set(index, value);
    return changed;
  }

  /** A list with one more element. */
  public static <T> List<T> inserted(List<? extends T> list, int index, T value) {
    List<T> changed = new ArrayList<>(list);
    changed.add(index, value);
    return changed;
  }

  /** A list with one element less. */
  public static <T> List<T> without(List<? extends T> list, int index) {
    List<T> changed = new ArrayList<>(list);
    changed.remove(index);
    return changed;
  }

  /** Lists one after the other. */
  @SafeVarargs
  public static <T> List<T> joined(List<? extends T>... lists) {
    List<T> all = new ArrayList<>();
    for (List<? extends T> list : lists) {
      all.addAll(list);
    }
    return all;
  }
}
