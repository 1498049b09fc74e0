package org.relaxvm.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;

/**
 * The calls of a straight-line program as a Java programmer would write them down: an array of
 * functions, called one after the other, results moved into an array of registers with the same
 * rules of ownership. A packed function itself, so that it runs within a VM call and has its
 * context.
 */
final class PlainLoop implements PackedFunc {
  private final Executable executable;
  private final FunctionInfo main;

  /** The calls of {@code main}. */
  PlainLoop(Executable executable) {
    this.executable = executable;
    this.main = executable.function("main").orElseThrow();
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    Calls calls = calls(args.context());
    int registers = (int) main.registerFileSize();
    @Nullable Object[] refs = new Object[registers];
    long[] bits = new long[registers];
    refs[0] = args.tensorAt(0);
    RegisterArgs view = new RegisterArgs(args.context());
    CallResult one = new CallResult();
    for (int i = 0; i < calls.functions.length; i++) {
      int first = calls.first[i];
      view.bind(
          refs,
          bits,
          0,
          calls.constantRefs,
          calls.constantBits,
          calls.operands,
          first,
          calls.first[i + 1] - first);
      calls.functions[i].call(view, one);
      long scalar = one.bits();
      Object value = one.takeRef();
      int destination = calls.destinations[i];
      if (destination >= 0) {
        Object old = refs[destination];
        refs[destination] = value;
        bits[destination] = scalar;
        value = old;
      }
      if (value instanceof Managed managed) {
        managed.release();
      }
    }
    for (int i = 1; i < registers; i++) {
      Managed.release(refs[i]);
    }
  }

  // Made once: the context is that of the one benchmark thread's call.
  private @Nullable Calls made;

  private Calls calls(VmContext context) {
    Calls calls = made;
    if (calls == null) {
      calls = new Calls(context);
      made = calls;
    }
    calls.constantRefs[0] = context;
    return calls;
  }

  private final class Calls {
    final PackedFunc[] functions;
    final int[] destinations;
    final int[] first;
    final int[] operands;
    final @Nullable Object[] constantRefs;
    final long[] constantBits;

    Calls(VmContext context) {
      List<PackedFunc> called = new ArrayList<>();
      List<Integer> targets = new ArrayList<>();
      List<Integer> starts = new ArrayList<>(List.of(0));
      List<Integer> all = new ArrayList<>();
      List<@Nullable Object> constants = new ArrayList<>();
      constants.add(context);
      for (int pc = (int) main.startInstr(); pc < main.endInstr() - 1; pc++) {
        int word = (int) executable.offset(pc);
        long destination = executable.word(word + 1);
        String name = executable.functions().get((int) executable.word(word + 2)).name();
        called.add(context.findFunction(name).orElseThrow());
        targets.add(destination >= Arg.FIRST_SPECIAL_REGISTER ? -1 : (int) destination);
        for (int i = 0; i < executable.word(word + 3); i++) {
          all.add(operand(Arg.ofWord(executable.word(word + 4 + i)), constants));
        }
        starts.add(all.size());
      }
      functions = called.toArray(new PackedFunc[0]);
      destinations = targets.stream().mapToInt(Integer::intValue).toArray();
      first = starts.stream().mapToInt(Integer::intValue).toArray();
      operands = all.stream().mapToInt(Integer::intValue).toArray();
      constantRefs = new Object[constants.size()];
      constantBits = new long[constants.size()];
      for (int i = 0; i < constants.size(); i++) {
        Object constant = constants.get(i);
        ScalarTag tag = ScalarTag.of(constant);
        constantRefs[i] = tag != null ? tag : constant;
        constantBits[i] = tag != null && constant != null ? tag.bitsOf(constant) : 0;
      }
    }

    private int operand(Arg arg, List<@Nullable Object> constants) {
      return switch (arg.kind()) {
        case REGISTER -> arg.value() == Arg.VM_REGISTER ? ~0 : (int) arg.value();
        case IMMEDIATE -> {
          constants.add(arg.value());
          yield ~(constants.size() - 1);
        }
        case CONSTANT -> {
          constants.add(executable.constants().get((int) arg.value()));
          yield ~(constants.size() - 1);
        }
        case FUNCTION -> throw new IllegalArgumentException("no function arguments here");
      };
    }
  }
}
