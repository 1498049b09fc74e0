package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
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
    Map<Integer, Operand> waiting = new LinkedHashMap<>(sources);
    while (!waiting.isEmpty()) {
      int before = waiting.size();
      for (Map.Entry<Integer, Operand> copy : List.copyOf(waiting.entrySet())) {
        if (!isReadByOthers(copy.getKey(), waiting)) {
          calls.add(Call.copy(copy.getKey(), copy.getValue()));
          waiting.remove(copy.getKey());
        }
      }
      if (waiting.size() == before) {
        int saved = waiting.keySet().iterator().next();
        int copy = scratch.getAsInt();
        calls.add(Call.copy(copy, Operand.register(saved)));
        waiting.replaceAll(
            (_, src) -> src.equals(Operand.register(saved)) ? Operand.register(copy) : src);
      }
    }
    return calls;
  }

  private static boolean isReadByOthers(int register, Map<Integer, Operand> waiting) {
    Operand operand = Operand.register(register);
    return waiting.entrySet().stream()
        .anyMatch(copy -> copy.getKey() != register && copy.getValue().equals(operand));
  }
}
