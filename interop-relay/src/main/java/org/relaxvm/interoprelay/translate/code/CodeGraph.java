package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * A function as basic blocks. Registers below {@code params} are its parameters; a register may
 * have several definitions. Confined to one thread.
 */
public final class CodeGraph {
  /** The block at which the function begins. */
  public static final int ENTRY = 0;

  private String name;
  private final int params;
  private final List<String> paramNames;
  private final List<CodeBlock> blocks = new ArrayList<>();
  private int registers;

  /**
   * A function with an entry block that has no exit yet.
   *
   * @param name in the translated program
   * @param params the number of parameters
   * @param paramNames one per parameter, or empty
   * @param registers how many registers are in use; parameters included
   */
  public CodeGraph(String name, int params, List<String> paramNames, int registers) {
    this.name = name;
    this.params = params;
    this.paramNames = List.copyOf(paramNames);
    this.registers = Math.max(registers, params);
    newBlock();
  }

  /** The name in the translated program. */
  public String name() {
    return name;
  }

  /** Changes the name. */
  public void rename(String newName) {
    name = newName;
  }

  /** One name per parameter, or none. */
  public List<String> paramNames() {
    return paramNames;
  }

  /** The number of parameters. */
  public int params() {
    return params;
  }

  /** The number of registers in use. */
  public int registers() {
    return registers;
  }

  /** The number of a register that is not in use yet. */
  public int newRegister() {
    return registers++;
  }

  /** Adds an empty block and returns its index. */
  public int newBlock() {
    blocks.add(new CodeBlock());
    return blocks.size() - 1;
  }

  /** The number of blocks. */
  public int size() {
    return blocks.size();
  }

  /** A block by its index. */
  public CodeBlock block(int index) {
    return blocks.get(index);
  }

  /** The entry block. */
  public CodeBlock entry() {
    return blocks.getFirst();
  }

  /**
   * The blocks that control can reach, each after all blocks that dominate it. Of two successors
   * the first precedes the second where nothing else decides.
   */
  public List<Integer> reversePostOrder() {
    record Visit(int block, ArrayDeque<Integer> left) {}
    List<Integer> postOrder = new ArrayList<>();
    BitSet seen = new BitSet();
    ArrayDeque<Visit> path = new ArrayDeque<>();
    seen.set(ENTRY);
    path.push(new Visit(ENTRY, new ArrayDeque<>(entry().successors())));
    while (!path.isEmpty()) {
      Visit visit = path.element();
      Integer next = visit.left().pollLast();
      if (next == null) {
        postOrder.add(visit.block());
        path.pop();
      } else if (!seen.get(next)) {
        seen.set(next);
        path.push(new Visit(next, new ArrayDeque<>(block(next).successors())));
      }
    }
    Collections.reverse(postOrder);
    return postOrder;
  }
}
