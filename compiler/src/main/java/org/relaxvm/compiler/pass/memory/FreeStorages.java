package org.relaxvm.compiler.pass.memory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Storages of one pool that nobody needs, by size; of one size, those that were free first. */
final class FreeStorages {
  private final TreeMap<Long, Set<StorageToken>> fixed = new TreeMap<>();
  private final Map<PrimExpr, Set<StorageToken>> symbolic = new LinkedHashMap<>();

  void add(StorageToken storage) {
    if (storage.byteSize instanceof IntImm size) {
      fixed.computeIfAbsent(size.value(), _ -> new LinkedHashSet<>()).add(storage);
    } else {
      symbolic.computeIfAbsent(storage.byteSize, _ -> new LinkedHashSet<>()).add(storage);
    }
  }

  /** Takes the smallest storage from one size to another that a condition holds for. */
  Optional<StorageToken> takeSmallest(long from, long to, Predicate<StorageToken> condition) {
    return from > to ? Optional.empty() : take(fixed.subMap(from, true, to, true), condition);
  }

  /** Takes the largest storage from one size to below another that a condition holds for. */
  Optional<StorageToken> takeLargest(long from, long below, Predicate<StorageToken> condition) {
    return from >= below
        ? Optional.empty()
        : take(fixed.subMap(from, true, below, false).descendingMap(), condition);
  }

  /** Takes a storage of a symbolic size that a condition holds for. */
  Optional<StorageToken> takeEqual(
      PrimExpr size, BiPredicate<PrimExpr, PrimExpr> areEqual, Predicate<StorageToken> condition) {
    for (Map.Entry<PrimExpr, Set<StorageToken>> entry : symbolic.entrySet()) {
      if (entry.getKey().equals(size) || areEqual.test(entry.getKey(), size)) {
        Optional<StorageToken> found = take(entry.getValue(), condition);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<StorageToken> take(
      NavigableMap<Long, Set<StorageToken>> sizes, Predicate<StorageToken> condition) {
    for (Map.Entry<Long, Set<StorageToken>> size : sizes.entrySet()) {
      Optional<StorageToken> found = take(size.getValue(), condition);
      if (found.isPresent()) {
        if (size.getValue().isEmpty()) {
          sizes.remove(size.getKey());
        }
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<StorageToken> take(
      Set<StorageToken> storages, Predicate<StorageToken> condition) {
    Optional<StorageToken> found = storages.stream().filter(condition).findFirst();
    found.ifPresent(storages::remove);
    return found;
  }
}
