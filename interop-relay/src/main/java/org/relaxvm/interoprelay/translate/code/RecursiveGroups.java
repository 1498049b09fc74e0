package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The strongly connected components of a call graph: groups of functions each of which calls all
 * others, if only through others. Immutable.
 *
 * <p>Found by Tarjan's algorithm, without recursion, in time proportional to the calls.
 */
final class RecursiveGroups {
  private final Map<String, Integer> groups = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Map<String, Set<String>> callees;

  private RecursiveGroups(Map<String, Set<String>> callees) {
    this.callees = callees;
  }

  /** The groups of functions, by their callees. */
  static RecursiveGroups of(Map<String, Set<String>> callees) {
    RecursiveGroups found = new RecursiveGroups(callees);
    callees.keySet().forEach(found::visit);
    return found;
  }

  /** Whether two functions are in one group. */
  boolean areMutual(String one, String other) {
    return groups.containsKey(one) && Objects.equals(groups.get(one), groups.get(other));
  }

  private record Step(String function, Iterator<String> calls) {}

  private void visit(String root) {
    Deque<Step> steps = new ArrayDeque<>();
    enter(root, steps);
    while (!steps.isEmpty()) {
      Step step = steps.getLast();
      if (step.calls().hasNext()) {
        String callee = step.calls().next();
        if (!numbers.containsKey(callee)) {
          enter(callee, steps);
        } else if (!groups.containsKey(callee)) {
          lower(step.function(), number(numbers, callee));
        }
      } else {
        steps.removeLast();
        leave(step.function());
        if (!steps.isEmpty()) {
          lower(steps.getLast().function(), number(lowest, step.function()));
        }
      }
    }
  }

  private void enter(String function, Deque<Step> steps) {
    if (numbers.containsKey(function)) {
      return;
    }
    int number = numbers.size();
    numbers.put(function, number);
    lowest.put(function, number);
    open.addLast(function);
    Set<String> calls = callees.getOrDefault(function, Set.of());
    steps.addLast(new Step(function, List.copyOf(calls).iterator()));
  }

  private void leave(String function) {
    int number = number(numbers, function);
    if (number(lowest, function) == number) {
      String member;
      do {
        member = open.removeLast();
        groups.put(member, number);
      } while (!member.equals(function));
    }
  }

  private void lower(String function, int number) {
    lowest.merge(function, number, Math::min);
  }

  private static int number(Map<String, Integer> numbers, String function) {
    return Objects.requireNonNull(numbers.get(function));
  }
}
