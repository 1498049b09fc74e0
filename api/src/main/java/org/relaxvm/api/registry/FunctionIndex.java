package org.relaxvm.api.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
