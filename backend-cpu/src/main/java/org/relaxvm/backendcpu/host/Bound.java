package org.relaxvm.backendcpu.host;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.tir.stmt.CallPacked;

/**
 * A host function in one virtual machine: its calls with the functions that they call, its operands
 * with the constants of the program.
 *
 * @param functionList of the virtual machine
 * @param contextOperand the operand that is the context; -1 where there is none
 * @param functions the entry of the function table that each call calls
 */
@SuppressWarnings("ArrayRecordComponent") // read in generated code, never written
record Bound(
    AnyList functionList,
    @Nullable Object[] operandRefs,
    long[] operandBits,
    int contextOperand,
    int[] words,
    int[] firsts,
    int[] destinations,
    int[] functions) {

  static Bound of(HostCalls host, ProgramCalls calls, AnyList constants, AnyList functionList) {
    List<Operand> operands = host.operands();
    @Nullable Object[] refs = new Object[operands.size()];
    long[] bits = new long[refs.length];
    int context = -1;
    for (int i = 0; i < refs.length; i++) {
      switch (operands.get(i)) {
        case Operand.Context() -> context = i;
        case Operand.Null() -> {}
        case Operand.Scalar(ScalarTag tag, long value) -> {
          refs[i] = tag;
          bits[i] = value;
        }
        case Operand.Text(String text) -> refs[i] = text;
        case Operand.Constant(int index) -> put(refs, bits, i, constants.get(index));
        case Operand.Function(int index) -> refs[i] = functionList.get(index);
        case Operand.Variable variable -> refs[i] = ScalarTag.INT;
      }
    }
    Map<String, Integer> found = new HashMap<>();
    int[] functions = new int[host.calls().size()];
    for (int i = 0; i < functions.length; i++) {
      CallPacked call = host.calls().get(i);
      functions[i] = found.computeIfAbsent(call.name(), calls::find);
    }
    return new Bound(
        functionList,
        refs,
        bits,
        context,
        host.words(),
        host.firsts(),
        host.destinations(),
        functions);
  }

  private static void put(@Nullable Object[] refs, long[] bits, int index, @Nullable Object value) {
    ScalarTag tag = ScalarTag.of(value);
    refs[index] = tag != null ? tag : value;
    bits[index] = tag != null && value != null ? tag.bitsOf(value) : 0;
  }

  /** Whether it belongs to the virtual machine with a list of functions. */
  @SuppressWarnings("ReferenceEquality") // a virtual machine has one list
  boolean isOf(AnyList list) {
    return functionList == list;
  }
}
