package org.relaxvm.api.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;

/** Finds a function across all function providers. Immutable. */
final class FunctionIndex {
  private final Map<String, List<FunctionSlot>> slotsByFunction = new HashMap<>();

  FunctionIndex(List<FunctionSlot> slots) {
    for (FunctionSlot slot : slots) {
      for (String name : slot.functionNames()) {
        slotsByFunction.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(slot);
      }
    }
  }

  /** The functions of a provider that others offer as well, with the labels of those others. */
  SortedMap<String, List<String>> clashes(FunctionSlot slot) {
    SortedMap<String, List<String>> clashes = new TreeMap<>();
    for (String name : slot.functionNames()) {
      List<String> others =
          slotsByFunction.getOrDefault(name, List.of()).stream()
              .filter(other -> !other.equals(slot))
              .map(FunctionSlot::label)
              .toList();
      if (!others.isEmpty()) {
        clashes.put(name, others);
      }
    }
    return clashes;
  }

  Optional<FunctionMatch> locate(String name) {
    List<FunctionSlot> slots = slotsByFunction.getOrDefault(name, List.of());
    if (slots.size() > 1) {
      throw new LinkException(
          ErrorKind.VALUE,
          "the function '"
              + name
              + "' is offered by more than one provider: "
              + slots.stream().map(FunctionSlot::label).collect(Collectors.joining(" and "))
              + "; remove one of them");
    }
    return slots.isEmpty() ? Optional.empty() : Optional.of(slots.getFirst().match(name));
  }
}
