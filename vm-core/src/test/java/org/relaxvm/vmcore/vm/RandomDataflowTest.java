package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.executable.Arg;

/**
 * Random programs with views, tuples, closures, outputs in place, calls of unknown effects and
 * errors: under random delays, execution in parallel equals execution in program order.
 */
class RandomDataflowTest {
  private static final int TENSORS = 6;
  private static final int VALUES = 4;
  private static final int REGISTERS = TENSORS + VALUES + 3;
  private static final int STORAGE = REGISTERS - 2;

  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  /** What a call shows. */
  private record Outcome(List<Double> results, List<Double> seen, String error, long executed) {}

  @Test
  void parallelExecutionEqualsProgramOrder() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(2_000, 20_000, 100_000));
    System.out.println("random data-flow programs: " + cases);
    int errors = 0;
    for (long number : cases.numbers().toArray()) {
      SplittableRandom random = new SplittableRandom(cases.seed() * 31 + number);
      long shape = random.nextLong();
      Outcome serial = run(program(new SplittableRandom(shape)), Parallelism.of(1), false);
      Parallelism parallelism = Parallelism.of(random.nextInt(2, 5)).always();
      Outcome parallel = run(program(new SplittableRandom(shape)), parallelism, true);
      assertThat(parallel).as(cases.repeat(number)).isEqualTo(serial);
      errors += serial.error().isEmpty() ? 0 : 1;
    }
    if (!cases.isSingle()) {
      assertThat(errors).as("programs that fail").isBetween(1, (int) cases.count() - 1);
    }
  }

  private Outcome run(TestProgram program, Parallelism parallelism, boolean delays) {
    List<Double> seen = new ArrayList<>();
    List<Double> results = new ArrayList<>();
    String error = "";
    VmBuilder builder =
        DataflowFunctions.addTo(TestFunctions.builder(program, devices))
            .parallelism(parallelism)
            .function("show", (args, result) -> seen.add(DataflowFunctions.total(args.tensorAt(0))))
            .function(
                "add_late", delayed(delays, RandomDataflowTest::add), CallEffects.writingAny())
            .function(
                "fail_below", delayed(delays, RandomDataflowTest::failBelow), CallEffects.pure());
    try (VirtualMachine vm = builder.build()) {
      try {
        for (int i = 0; i < 2; i++) {
          results.add(vm.function("main").call(i).asDouble());
        }
      } catch (RelaxException e) {
        error = e.getMessage();
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      return new Outcome(results, seen, error, vm.executedInstructions());
    }
  }

  private static PackedFunc delayed(boolean delays, PackedFunc function) {
    return (args, result) -> {
      if (delays && ThreadLocalRandom.current().nextInt(4) == 0) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(60_000));
      }
      function.call(args, result);
    };
  }

  static void add(CallArgs args, CallResult result) {
    args.tensorAt(0)
        .segment()
        .setAtIndex(
            java.lang.foreign.ValueLayout.JAVA_DOUBLE,
            1,
            DataflowFunctions.total(args.tensorAt(1)) % 1009);
  }

  static void failBelow(CallArgs args, CallResult result) {
    double total = DataflowFunctions.total(args.tensorAt(0));
    if (total % 64 < args.longAt(1)) {
      throw new IllegalStateException("total " + total);
    }
    result.setDouble(total);
  }

  /** {@code main(n)}: tensors are made, written and read in any order, in a loop of two rounds. */
  static TestProgram program(SplittableRandom random) {
    TestProgram program = new TestProgram().function("main", 1, REGISTERS, "n");
    program.call("storage", STORAGE, Arg.VM);
    Arg shape = program.constant(Shape.of(DataflowFunctions.LENGTH));
    Arg dtype = program.constant(DType.FLOAT64);
    for (int i = 0; i < TENSORS; i++) {
      program.call("alloc", tensor(i), Arg.VM).call("fill", VOID, r(tensor(i)), imm(10L * i));
    }
    int length = random.nextInt(5, 40);
    for (int i = 0; i < length; i++) {
      int a = tensor(random.nextInt(TENSORS));
      int b = tensor(random.nextInt(TENSORS));
      int c = tensor(random.nextInt(TENSORS));
      int value = TENSORS + 1 + random.nextInt(VALUES);
      switch (random.nextInt(17)) {
        case 0 -> program.call("alloc", a, Arg.VM).call("fill", VOID, r(a), imm(i));
        case 1 -> program.call("view", a, r(b));
        case 2 -> program.call("move", a, r(b));
        case 3 -> program.call("pair", value, r(a), r(b)).call("first", c, r(value));
        case 4, 5 -> program.call("sum", VOID, r(a), r(b), r(c));
        case 6, 7 -> program.call("increment", VOID, r(a), imm(i));
        case 8 -> program.call("increment", VOID, r(a), r(0));
        case 9, 10 -> program.call("add_late", VOID, r(a), r(b));
        case 11 -> program.call("show", VOID, r(a));
        case 12, 13 -> {
          Arg offset = imm(8L * random.nextInt(13));
          program
              .call("tensor_in", a, r(STORAGE), offset, shape, dtype)
              .call("fill", VOID, r(a), imm(i));
        }
        case 14 -> program.call("fail_below", value, r(a), imm(random.nextInt(4)));
        case 15 -> program.call("duplicate", a, r(b));
        default -> program.call("refuse_negative", VOID, imm(random.nextInt(40) - 1));
      }
      if (random.nextInt(12) == 0) {
        program
            .call("make_closure", value, program.functionValue("inner"), r(a))
            .call("invoke_closure", VOID, Arg.VM, r(value));
      }
      if (random.nextInt(6) == 0) {
        // The value of a killed register is replaced at once: all instructions need tensors.
        program.call("kill", a).call("alloc", a, Arg.VM).call("fill", VOID, r(a), imm(7));
      }
    }
    int total = TENSORS + 1;
    program.call("alloc", REGISTERS - 1, Arg.VM).call("fill", VOID, r(REGISTERS - 1), imm(0));
    for (int i = 0; i < TENSORS; i++) {
      program.call("sum", VOID, r(REGISTERS - 1), r(tensor(i)), r(REGISTERS - 1));
    }
    program.call("total", total, r(REGISTERS - 1)).ret(total);
    return program
        .function("inner", 1, 2, "x")
        .call("increment", VOID, r(0), imm(3))
        .call("total", 1, r(0))
        .call("show", VOID, r(0))
        .ret(1);
  }

  private static int tensor(int i) {
    return i + 1;
  }
}
