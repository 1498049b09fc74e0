package org.relaxvm.vmcore.dataflow;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/** The accesses of a block of memory so far that later ones have to wait for. */
final class BlockAccesses {
  private final List<Access> accesses = new ArrayList<>();

  private record Access(int instruction, long begin, long end, boolean isWrite) {}

  /**
   * Adds an access.
   *
   * @param predecessors gets the instructions that it has to wait for
   */
  void add(int instruction, long begin, long end, boolean isWrite, BitSet predecessors) {
    Iterator<Access> earlier = accesses.iterator();
    while (earlier.hasNext()) {
      Access access = earlier.next();
      boolean overlaps = access.begin() < end && begin < access.end();
      if (overlaps && (isWrite || access.isWrite()) && access.instruction() != instruction) {
        predecessors.set(access.instruction());
        boolean isCovered = begin <= access.begin() && access.end() <= end;
        if (isWrite && isCovered) {
          // Whoever waits for this write waits for that access.
          earlier.remove();
        }
      }
    }
    accesses.add(new Access(instruction, begin, end, isWrite));
  }
}
