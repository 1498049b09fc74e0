package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Copies that happen at the same time: each reads what its source held before any of them.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 5.1. Confined to one thread.
 */
public final class ParallelCopy {
  private final Map<Integer, Operand> sources = new LinkedHashMap<>();

  /** Adds {@code dst = src}; a destination has one source. */
  public void add(int dst, Operand src) {
    if (!src.equals(Operand.register(dst))) {
      sources.put(dst, src);
    }
  }

  /**
   * The same as copies one after the other. A copy is made once nobody reads its destination any
   * more; a cycle is broken by saving one register.
   *
   * @param scratch gives a register that is not in use
   */
  public List<Call> sequence(IntSupplier scratch) {
    List<Call> calls = new ArrayList<>();
    Map<Operand, Integer> readers = new HashMap<>();
    sources.values().forEach(src -> readers.merge(src, 1, Integer::sum));
    Deque<Integer> ready = new ArrayDeque<>();
    sources.keySet().stream()
        .filter(dst -> !readers.containsKey(Operand.register(dst)))
        .forEach(ready::add);
    Map<Integer, Operand> waiting = new LinkedHashMap<>(sources);
    emit(waiting, ready, readers, calls);
    // Only cycles are left: each register has one reader.
    Map<Operand, Integer> readerOf = new HashMap<>();
    waiting.forEach((dst, src) -> readerOf.put(src, dst));
    while (!waiting.isEmpty()) {
      int saved = waiting.keySet().iterator().next();
      int copy = scratch.getAsInt();
      calls.add(Call.copy(copy, Operand.register(saved)));
      Integer reader = readerOf.get(Operand.register(saved));
      if (reader == null) {
        throw new IllegalStateException("register " + saved + " has no reader");
      }
      waiting.put(reader, Operand.register(copy));
      ready.add(saved);
      emit(waiting, ready, readers, calls);
    }
    return calls;
  }

  private static void emit(
      Map<Integer, Operand> waiting,
      Deque<Integer> ready,
      Map<Operand, Integer> readers,
      List<Call> calls) {
    while (!ready.isEmpty()) {
      int dst = ready.remove();
      Operand src = waiting.remove(dst);
      if (src == null) {
        throw new IllegalStateException("register " + dst + " is copied twice");
      }
      calls.add(Call.copy(dst, src));
      boolean read = readers.merge(src, -1, Integer::sum) > 0;
      if (!read && src instanceof Operand.Register(int number) && waiting.containsKey(number)) {
        ready.add(number);
      }
    }
  }
}
