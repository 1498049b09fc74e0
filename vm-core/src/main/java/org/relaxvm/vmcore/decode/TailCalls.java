package org.relaxvm.vmcore.decode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks the calls whose frame the callee can reuse: those whose result is returned as it is, within
 * a recursion. A call that begins no recursion keeps its frame, and so its line in the locations of
 * errors.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Which calls are tail calls?"
 */
public final class TailCalls {
  /** Instructions between a call and the return of its result. */
  private static final int LONGEST_WAY = 64;

  private final int[] code;
  private final @Nullable DecodedFunction[] functions;
  private final int firstFunctionConstant;
  private final List<List<Integer>> callees = new ArrayList<>();
  private final List<List<Integer>> tailCalls = new ArrayList<>();
  private final BitSet callsClosures = new BitSet();
  private final BitSet values = new BitSet();

  private TailCalls(int[] code, @Nullable DecodedFunction[] functions, int firstFunctionConstant) {
    this.code = code;
    this.functions = functions;
    this.firstFunctionConstant = firstFunctionConstant;
  }

  /** Marks the tail calls of a program in its code. */
  static void mark(int[] code, @Nullable DecodedFunction[] functions, int firstFunctionConstant) {
    new TailCalls(code, functions, firstFunctionConstant).mark();
  }

  /**
   * The instructions after a tail call, up to and with the return of its result: none of them is
   * executed.
   */
  public static int instructionsToReturn(int[] code, int call) {
    int count = 1;
    int at = call + InstructionCodes.length(code, call);
    while (code[at] != InstructionCodes.RETURN) {
      at =
          code[at] == InstructionCodes.JUMP ? code[at + 1] : at + InstructionCodes.length(code, at);
      count++;
    }
    return count;
  }

  private void mark() {
    for (DecodedFunction function : functions) {
      callees.add(new ArrayList<>());
      tailCalls.add(new ArrayList<>());
      if (function != null) {
        scan(function);
      }
    }
    int[] groups = groups();
    for (int index = 0; index < functions.length; index++) {
      for (int at : tailCalls.get(index)) {
        boolean callsClosure = code[at] == InstructionCodes.CALL_CLOSURE;
        int callee = callsClosure ? functions.length : code[at + 2];
        if (groups[callee] == groups[index]) {
          code[at] =
              callsClosure
                  ? InstructionCodes.TAIL_CALL_CLOSURE
                  : InstructionCodes.TAIL_CALL_BYTECODE;
        }
      }
    }
  }

  private void scan(DecodedFunction function) {
    int index = function.index();
    for (int at = function.entry(); at < function.end(); at += length(at)) {
      if (!InstructionCodes.isCall(code[at])) {
        continue;
      }
      for (int i = 0; i < code[at + 3]; i++) {
        int constant = ~code[at + InstructionCodes.CALL_WORDS + i];
        if (constant >= firstFunctionConstant
            && constant < firstFunctionConstant + functions.length) {
          values.set(constant - firstFunctionConstant);
        }
      }
      boolean callsClosure = code[at] == InstructionCodes.CALL_CLOSURE;
      if (callsClosure) {
        callsClosures.set(index);
      } else if (code[at] == InstructionCodes.CALL_BYTECODE) {
        callees.get(index).add(code[at + 2]);
      } else {
        continue;
      }
      if (isReturned(at)) {
        tailCalls.get(index).add(at);
      }
    }
  }

  private int length(int at) {
    return InstructionCodes.length(code, at);
  }

  /** Whether all that follows a call is that its result is moved about and returned. */
  private boolean isReturned(int call) {
    int register = code[call + 1];
    int at = call + length(call);
    for (int steps = 0; register >= 0 && steps < LONGEST_WAY; steps++) {
      switch (code[at]) {
        case InstructionCodes.MOVE -> {
          if (code[at + InstructionCodes.CALL_WORDS] == register) {
            register = code[at + 1] >= 0 ? code[at + 1] : register;
          } else if (code[at + 1] == register) {
            return false;
          }
          at += length(at);
        }
        case InstructionCodes.CLEAR -> {
          if (code[at + 1] == register) {
            return false;
          }
          at += length(at);
        }
        case InstructionCodes.JUMP -> at = code[at + 1];
        case InstructionCodes.RETURN -> {
          return code[at + 1] == register;
        }
        default -> {
          return false;
        }
      }
    }
    return false;
  }

  /**
   * The strongly connected component of each function, by Tarjan's algorithm without recursion. A
   * call of a closure may be one of each function that is used as a value: all those calls go
   * through one node, the last.
   */
  private int[] groups() {
    int anyClosure = functions.length;
    List<Integer> all = values.stream().boxed().toList();
    callees.add(all);
    callsClosures.stream().forEach(index -> callees.get(index).add(anyClosure));
    int count = callees.size();
    int[] numbers = new int[count];
    int[] lowest = new int[count];
    int[] groups = new int[count];
    int[] next = new int[count];
    Arrays.fill(groups, -1);
    int number = 0;
    Deque<Integer> open = new ArrayDeque<>();
    Deque<Integer> path = new ArrayDeque<>();
    for (int root = 0; root < count; root++) {
      if (numbers[root] != 0) {
        continue;
      }
      path.addLast(root);
      while (!path.isEmpty()) {
        int at = path.getLast();
        if (numbers[at] == 0) {
          number++;
          numbers[at] = number;
          lowest[at] = number;
          open.addLast(at);
        }
        if (next[at] < callees.get(at).size()) {
          int callee = callees.get(at).get(next[at]++);
          if (numbers[callee] == 0) {
            path.addLast(callee);
          } else if (groups[callee] < 0) {
            lowest[at] = Math.min(lowest[at], numbers[callee]);
          }
          continue;
        }
        path.removeLast();
        if (lowest[at] == numbers[at]) {
          int member;
          do {
            member = open.removeLast();
            groups[member] = at;
          } while (member != at);
        }
        if (!path.isEmpty()) {
          int caller = path.getLast();
          lowest[caller] = Math.min(lowest[caller], lowest[at]);
        }
      }
    }
    return groups;
  }
}
