package org.relaxvm.interoprelay.translate.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which functions call each other. */
class RecursiveGroupsTest {
  @Test
  void agreesWithASearchInBothDirections() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 300; round++) {
      int functions = 1 + random.nextInt(8);
      Map<String, Set<String>> callees = new HashMap<>();
      for (int i = 0; i < functions; i++) {
        Set<String> calls = new HashSet<>();
        for (int j = random.nextInt(3); j > 0; j--) {
          calls.add("f" + random.nextInt(functions + 1));
        }
        callees.put("f" + i, calls);
      }
      RecursiveGroups groups = RecursiveGroups.of(callees);
      for (String one : callees.keySet()) {
        for (String other : callees.keySet()) {
          assertThat(groups.areMutual(one, other))
              .as("%s and %s of %s", one, other, callees)
              .isEqualTo(
                  one.equals(other)
                      || (reaches(callees, one, other) && reaches(callees, other, one)));
        }
      }
    }
  }

  private static boolean reaches(Map<String, Set<String>> callees, String from, String to) {
    Set<String> reached = new HashSet<>(Set.of(from));
    boolean grows = true;
    while (grows) {
      Set<String> next = new HashSet<>(reached);
      reached.forEach(function -> next.addAll(callees.getOrDefault(function, Set.of())));
      grows = reached.addAll(next);
    }
    return reached.contains(to);
  }

  @Test
  @Timeout(60)
  void aLongRingOfCallsIsOneGroup() {
    int functions = 200_000;
    Map<String, Set<String>> callees = new HashMap<>();
    for (int i = 0; i < functions; i++) {
      callees.put("f" + i, Set.of("f" + (i + 1) % functions));
    }

    RecursiveGroups groups = RecursiveGroups.of(callees);

    assertThat(groups.areMutual("f0", "f" + functions / 2)).isTrue();
    assertThat(groups.areMutual("f0", "g")).isFalse();
  }
}
