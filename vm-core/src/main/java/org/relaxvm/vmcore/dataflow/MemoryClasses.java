package org.relaxvm.vmcore.dataflow;

import java.util.Arrays;

/**
 * Groups of values that may share memory. A group lies in a block of memory, from one byte of it to
 * another; groups may lie in the same block, such as the tensors of a planned storage. Where groups
 * of two blocks are joined, the blocks are taken for one.
 */
final class MemoryClasses {
  /** The memory that was there before the function, or that unknown functions have seen. */
  static final int OUTSIDE = 0;

  private int[] groupParents = new int[64];
  private int[] blockParents = new int[64];
  private int[] blocks = new int[64];
  private long[] begins = new long[64];
  private long[] ends = new long[64];
  private int count;

  MemoryClasses() {
    add();
  }

  /** A new group, which has a new block. */
  int add() {
    if (count == blocks.length) {
      groupParents = Arrays.copyOf(groupParents, 2 * count);
      blockParents = Arrays.copyOf(blockParents, 2 * count);
      blocks = Arrays.copyOf(blocks, 2 * count);
      begins = Arrays.copyOf(begins, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    groupParents[count] = count;
    blockParents[count] = count;
    blocks[count] = count;
    ends[count] = Long.MAX_VALUE;
    return count++;
  }

  /**
   * A new group in the block of another.
   *
   * @param begin the first byte, from the begin of the other group
   * @param end the byte after the last; {@link Long#MAX_VALUE} when it is not known
   */
  int addWithin(int other, long begin, long end) {
    int outer = find(groupParents, other);
    int made = add();
    blocks[made] = blocks[outer];
    // A group of unknown begin is one of unknown end as well.
    boolean isKnown = begins[outer] == 0 && ends[outer] == Long.MAX_VALUE;
    begins[made] = isKnown ? begin : begins[outer];
    ends[made] = isKnown ? end : ends[outer];
    return made;
  }

  /** The block that a group lies in. */
  int block(int group) {
    return find(blockParents, blocks[find(groupParents, group)]);
  }

  /** The first byte of a group in its block. */
  long begin(int group) {
    return begins[find(groupParents, group)];
  }

  /** The byte after the last of a group in its block. */
  long end(int group) {
    return ends[find(groupParents, group)];
  }

  /** Makes two groups one. */
  void join(int one, int other) {
    int a = find(groupParents, one);
    int b = find(groupParents, other);
    int root = Math.min(a, b);
    groupParents[Math.max(a, b)] = root;
    long begin = Math.min(begins[a], begins[b]);
    long end = Math.max(ends[a], ends[b]);
    int firstBlock = find(blockParents, blocks[a]);
    int otherBlock = find(blockParents, blocks[b]);
    blockParents[Math.max(firstBlock, otherBlock)] = Math.min(firstBlock, otherBlock);
    begins[root] = begin;
    ends[root] = end;
  }

  private static int find(int[] parents, int member) {
    int root = member;
    while (parents[root] != root) {
      root = parents[root];
    }
    int at = member;
    while (parents[at] != root) {
      int next = parents[at];
      parents[at] = root;
      at = next;
    }
    return root;
  }
}
