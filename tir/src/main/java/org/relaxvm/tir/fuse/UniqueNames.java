package org.relaxvm.tir.fuse;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Names of which none is given twice. */
final class UniqueNames {
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Integer> suffixes = new HashMap<>();

  /** The name itself when it is free, else with a number appended. */
  String of(String wanted) {
    String name = wanted;
    while (!taken.add(name)) {
      name = wanted + "_" + suffixes.merge(wanted, 1, Integer::sum);
    }
    return name;
  }
}
