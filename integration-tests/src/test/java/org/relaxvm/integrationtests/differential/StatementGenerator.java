package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.integrationtests.differential.Registers.Kind;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.Label;

/** Emits random statements into the function that is open. */
final class StatementGenerator {
  private static final int HEAP_SLOTS = 4;
  private static final String CONTEXT = "ErrorContext(fn=f) ";

  private final RandomGenerator random;
  private final ExecBuilder builder;
  private final Registers registers;
  private final List<Integer> arities;
  private final int self;

  StatementGenerator(
      RandomGenerator random,
      ExecBuilder builder,
      Registers registers,
      List<Integer> arities,
      int self) {
    this.random = random;
    this.builder = builder;
    this.registers = registers;
    this.arities = arities;
    this.self = self;
  }

  /** Gives every register a value of its kind. */
  void initialise() {
    for (int which = 0; which < 2; which++) {
      call("vm.builtin.copy", registers.exactly(Kind.INT, which), Arg.immediate(number()));
      call("vm.builtin.read_if_cond", registers.exactly(Kind.BOOL, which), Arg.immediate(which));
      call("vm.builtin.copy", registers.exactly(Kind.SHAPE, which), shape());
      call("vm.builtin.make_tuple", registers.exactly(Kind.TUPLE, which), scalar(), scalar());
      call("vm.builtin.copy", registers.exactly(Kind.CLOSURE, which), function());
      Arg heap = registers.exactly(Kind.HEAP, which);
      call("vm.builtin.alloc_shape_heap", heap, Arg.VM, Arg.immediate(HEAP_SLOTS));
      call("vm.builtin.copy", registers.exactly(Kind.ANYTHING, which), scalar());
    }
  }

  /** Emits a number of statements; {@code depth} bounds how deep loops and branches nest. */
  void statements(int count, int depth) {
    for (int i = 0; i < count; i++) {
      statement(depth);
    }
  }

  private void statement(int depth) {
    switch (random.nextInt(depth > 0 ? 20 : 18)) {
      case 0 -> call("vm.builtin.copy", destination(Kind.ANYTHING), scalar());
      case 1 -> call("vm.builtin.make_tuple", destination(Kind.TUPLE), some(3));
      case 2 -> {
        Arg index = Arg.immediate(random.nextInt(40) == 0 ? 7 : 0);
        call(
            "vm.builtin.tuple_getitem",
            destination(Kind.ANYTHING),
            registers.of(Kind.TUPLE),
            index);
      }
      case 3 -> makeShape();
      case 4 -> matchShape();
      case 5 -> {
        Arg condition = registers.of(random.nextBoolean() ? Kind.INT : Kind.BOOL);
        call("vm.builtin.read_if_cond", destination(Kind.BOOL), condition);
      }
      case 6 -> call("vm.builtin.null_value", destination(Kind.ANYTHING));
      case 7, 8 -> call("host.record", Arg.VOID, some(4));
      case 9 -> call("host.add", destination(Kind.INT), integer(), integer());
      case 10 -> call("host.less", destination(Kind.BOOL), integer(), integer());
      case 11 -> call("host.divide", destination(Kind.INT), integer(), Arg.immediate(divisor()));
      case 12 -> makeClosure();
      case 13, 14 -> {
        if (mayCall()) {
          invokeClosure();
        }
      }
      case 15, 16 -> {
        if (mayCall()) {
          callFunction();
        }
      }
      case 17 -> primValue();
      case 18 -> branch(depth);
      default -> loop(depth);
    }
  }

  private void makeShape() {
    int rank = random.nextInt(4);
    List<Arg> args = new ArrayList<>(List.of(registers.of(Kind.HEAP), Arg.immediate(rank)));
    for (int i = 0; i < rank; i++) {
      boolean load = random.nextBoolean();
      args.add(Arg.immediate(load ? 1 : 0));
      args.add(Arg.immediate(load ? slot() : number()));
    }
    call("vm.builtin.make_shape", destination(Kind.SHAPE), args.toArray(Arg[]::new));
  }

  private void matchShape() {
    int rank = random.nextInt(30) == 0 ? 1 : 2;
    List<Arg> args =
        new ArrayList<>(
            List.of(registers.of(Kind.SHAPE), registers.of(Kind.HEAP), Arg.immediate(rank)));
    for (int i = 0; i < rank; i++) {
      int code = random.nextInt(20) == 0 ? random.nextInt(5) : 1;
      args.add(Arg.immediate(code));
      args.add(Arg.immediate(code == 0 ? number() : slot()));
    }
    args.add(random.nextBoolean() ? Arg.VOID : builder.convertConstant(CONTEXT));
    call("vm.builtin.match_shape", Arg.VOID, args.toArray(Arg[]::new));
  }

  private void primValue() {
    Arg heap = registers.of(Kind.HEAP);
    if (random.nextBoolean()) {
      Arg code = Arg.immediate(random.nextInt(20) == 0 ? random.nextInt(5) : 1);
      Arg slot = Arg.immediate(slot());
      call("vm.builtin.match_prim_value", Arg.VOID, integer(), heap, code, slot, Arg.VOID);
    } else {
      Arg code = Arg.immediate(random.nextInt(50) == 0 ? 2 : random.nextInt(2));
      call("vm.builtin.make_prim_value", destination(Kind.INT), heap, code, Arg.immediate(slot()));
    }
  }

  private void makeClosure() {
    List<Arg> args = new ArrayList<>();
    args.add(random.nextBoolean() ? registers.of(Kind.CLOSURE) : builder.f("f" + target()));
    for (int i = random.nextInt(3); i > 0; i--) {
      args.add(value());
    }
    call("vm.builtin.make_closure", destination(Kind.CLOSURE), args.toArray(Arg[]::new));
  }

  private void invokeClosure() {
    List<Arg> args = new ArrayList<>(List.of(Arg.VM));
    int target = target();
    int given = arities.get(target);
    switch (random.nextInt(3)) {
      case 0 -> args.add(registers.of(Kind.CLOSURE));
      case 1 -> args.add(builder.f("f" + target));
      default -> {
        // A closure whose bound values and arguments together are what the function expects.
        int bound = random.nextInt(given + 1);
        given -= bound;
        List<Arg> made = new ArrayList<>(List.of(builder.f("f" + target)));
        for (int i = 0; i < bound; i++) {
          made.add(value());
        }
        Arg closure = registers.exactly(Kind.CLOSURE, 0);
        call("vm.builtin.make_closure", closure, made.toArray(Arg[]::new));
        args.add(closure);
      }
    }
    for (int i = 0; i < given; i++) {
      args.add(value());
    }
    call("vm.builtin.invoke_closure", destination(Kind.ANYTHING), args.toArray(Arg[]::new));
  }

  private void callFunction() {
    int target = target();
    int count = arities.get(target) + (random.nextInt(40) == 0 ? 1 : 0);
    Arg[] args = new Arg[count];
    for (int i = 0; i < count; i++) {
      args[i] = value();
    }
    Arg dst = random.nextInt(5) == 0 ? Arg.VOID : destination(Kind.ANYTHING);
    call("f" + target, dst, args);
  }

  private void branch(int depth) {
    Label otherwise = builder.newLabel();
    Label end = builder.newLabel();
    builder.emitIf(registers.of(random.nextBoolean() ? Kind.BOOL : Kind.INT), otherwise);
    statements(1 + random.nextInt(3), depth - 1);
    builder.emitGoto(end);
    builder.place(otherwise);
    statements(1 + random.nextInt(3), depth - 1);
    builder.place(end);
    call("host.record", Arg.VOID, registers.any());
  }

  private void loop(int depth) {
    Label again = builder.newLabel();
    Label end = builder.newLabel();
    Arg counter = registers.counter();
    call("vm.builtin.copy", counter, Arg.immediate(1 + random.nextInt(4)));
    builder.place(again);
    builder.emitIf(counter, end);
    statements(1 + random.nextInt(3), depth - 1);
    call("host.add", counter, counter, Arg.immediate(-1));
    builder.emitGoto(again);
    builder.place(end);
    call("host.record", Arg.VOID, counter);
  }

  private void call(String name, Arg dst, Arg... args) {
    builder.emitCall(name, List.of(args), dst);
  }

  private Arg destination(Kind kind) {
    return random.nextInt(80) == 0 ? registers.any() : registers.exactly(kind, random.nextInt(2));
  }

  private Arg[] some(int most) {
    Arg[] args = new Arg[random.nextInt(most + 1)];
    for (int i = 0; i < args.length; i++) {
      args[i] = value();
    }
    return args;
  }

  private Arg value() {
    return switch (random.nextInt(5)) {
      case 0 -> scalar();
      case 1 -> registers.of(Kind.INT);
      default -> random.nextInt(30) == 0 ? Arg.VOID : registers.any();
    };
  }

  private Arg integer() {
    return random.nextInt(3) == 0 ? Arg.immediate(number()) : registers.of(Kind.INT);
  }

  private Arg scalar() {
    return switch (random.nextInt(6)) {
      case 0 -> builder.convertConstant(0.5 + random.nextInt(3));
      case 1 -> builder.convertConstant("text " + random.nextInt(3));
      case 2 -> builder.convertConstant(DType.FLOAT32);
      case 3 -> builder.convertConstant(Long.MAX_VALUE - random.nextInt(2));
      case 4 -> shape();
      default -> Arg.immediate(number());
    };
  }

  private Arg shape() {
    return builder.convertConstant(Shape.of(random.nextInt(4), random.nextInt(4)));
  }

  private Arg function() {
    return builder.f(random.nextInt(20) == 0 ? "host.record" : "f" + target());
  }

  /** The last function mostly calls none. */
  private boolean mayCall() {
    return self + 1 < arities.size() || random.nextInt(10) == 0;
  }

  /** Mostly a later function, so that not every program recurs until its limit. */
  private int target() {
    return random.nextInt(15) == 0 || self + 1 == arities.size()
        ? random.nextInt(arities.size())
        : random.nextInt(self + 1, arities.size());
  }

  private long number() {
    return random.nextLong(-3, 6);
  }

  private long divisor() {
    return random.nextInt(60) == 0 ? 0 : random.nextLong(1, 12);
  }

  private long slot() {
    return random.nextInt(200) == 0 ? HEAP_SLOTS : random.nextInt(HEAP_SLOTS);
  }
}
