package org.relaxvm.vmcore.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Small programs, right and wrong, that no builder would make. */
final class Programs {
  static final FunctionInfo F = FunctionInfo.packed("f");

  private Programs() {}

  /** {@code main} with one argument and two registers, then packed {@code f}; one constant. */
  static Executable of(long[]... instructions) {
    return of(main(1, 2, 0, instructions.length), instructions);
  }

  static Executable of(FunctionInfo main, long[]... instructions) {
    return of(List.of(main, F), instructions);
  }

  static Executable of(List<FunctionInfo> functions, long[]... instructions) {
    return of(functions, List.of(Shape.of(2, 3)), Map.of(), instructions);
  }

  static Executable of(
      List<FunctionInfo> functions,
      List<Object> constants,
      Map<Integer, String> scopes,
      long[]... instructions) {
    long[] offsets = new long[instructions.length];
    List<Long> words = new ArrayList<>();
    for (int i = 0; i < instructions.length; i++) {
      offsets[i] = words.size();
      Arrays.stream(instructions[i]).forEach(words::add);
    }
    long[] data = words.stream().mapToLong(Long::longValue).toArray();
    return new Executable(functions, constants, scopes, offsets, data);
  }

  static FunctionInfo main(long args, long registers, long start, long end) {
    return new FunctionInfo(FunctionKind.VM, "main", start, end, args, registers, List.of());
  }

  static long[] call(long dst, long function, long... args) {
    long[] words = new long[4 + args.length];
    words[0] = 1;
    words[1] = dst;
    words[2] = function;
    words[3] = args.length;
    System.arraycopy(args, 0, words, 4, args.length);
    return words;
  }

  static long[] ret(long register) {
    return new long[] {2, register};
  }

  static long[] jump(long offset) {
    return new long[] {3, offset};
  }

  static long[] branch(long register, long falseOffset) {
    return new long[] {4, register, falseOffset};
  }
}
