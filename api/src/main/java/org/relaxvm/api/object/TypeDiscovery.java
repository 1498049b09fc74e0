package org.relaxvm.api.object;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.discovery.ProviderDiscovery;

/**
 * The types that the providers of a class loader declare. A provider that cannot be used, and a
 * type that two jars declare, is left out.
 */
final class TypeDiscovery {
  private final Map<String, Origin> origins = new LinkedHashMap<>();
  private final Map<String, Set<String>> names = new HashMap<>();
  private final Map<String, String> unusable = new LinkedHashMap<>();
  private final List<TypeSlot> slots;

  /**
   * A declaration and where it is from.
   *
   * @param slot null of a type that no provider declares
   */
  record Origin(ObjectDeclaration declaration, @Nullable TypeSlot slot) {
    String key() {
      return declaration.key();
    }
  }

  /**
   * Looks for providers.
   *
   * @param first types that come before those of the same key that providers declare
   */
  TypeDiscovery(Collection<ObjectDeclaration> first, ClassLoader loader) {
    slots =
        ProviderDiscovery.discover(ObjectTypeProvider.class, loader).stream()
            .map(TypeSlot::new)
            .toList();
    first.forEach(type -> origins.put(type.key(), new Origin(type, null)));
    // Types of RelaxVM first, so that no other jar replaces them.
    Stream.concat(slots.stream().filter(TypeSlot::isOwn), slots.stream().filter(s -> !s.isOwn()))
        .forEach(this::add);
    origins.keySet().removeAll(unusable.keySet());
  }

  private void add(TypeSlot slot) {
    slot.names()
        .forEach((key, some) -> names.computeIfAbsent(key, _ -> new HashSet<>()).addAll(some));
    for (ObjectDeclaration type : slot.types()) {
      Origin known = origins.putIfAbsent(type.key(), new Origin(type, slot));
      if (known != null && known.slot() != null) {
        clash(type.key(), known.slot(), slot);
      }
    }
  }

  private void clash(String key, TypeSlot known, TypeSlot slot) {
    if (known.isOwn()) {
      slot.fault("its type " + key + " is not used, as it is a type of RelaxVM");
      return;
    }
    unusable.put(key, known.label() + " and " + slot.label() + " declare it");
    known.fault("its type " + key + " cannot be used, as " + slot.label() + " declares it, too");
    slot.fault("its type " + key + " cannot be used, as " + known.label() + " declares it, too");
  }

  /** The types that can be used, by key. */
  Map<String, Origin> origins() {
    return origins;
  }

  /** The names of objects that are saved as a text, by type key. */
  Map<String, Set<String>> names() {
    return names;
  }

  /** Why types are not among {@link #origins}, by key. */
  Map<String, String> unusable() {
    return unusable;
  }

  /** The providers. */
  List<TypeSlot> slots() {
    return slots;
  }
}
