package org.relaxvm.integrationtests.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Random programs give in the VM what they give in the evaluator. */
@Tag("effort")
class RandomProgramTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(500, 2_000, 100_000));

  /** The most operations of a program. */
  private static final int OPERATIONS = 6;

  // Not the generator's own step, with which each case would continue the case before.
  private static final long SPREAD = 0xD134_2543_DE82_EF95L;

  /** An exact float may differ by nothing. */
  private static final Agreement EXACT = new Agreement(Double.MIN_VALUE, 0);

  @Test
  void randomProgramsDoWhatTheEvaluatorSays() {
    System.out.printf("RandomProgramTest: %s, up to %d operations each%n", CASES, OPERATIONS);
    try (BackendRegistry registry = BackendRegistry.discover()) {
      Runner runner = new Runner(registry, "cpu");
      CASES.numbers().forEach(number -> check(runner, number));
    }
  }

  private static void check(Runner runner, long number) {
    long seed = CASES.seed() + SPREAD * number;
    String again = CASES.repeat(number);
    boolean isDone = false;
    try {
      SplittableRandom random = new SplittableRandom(seed + 1);
      Mode mode = Mode.values()[random.nextInt(Mode.values().length)];
      RandomProgram program = new RandomProgram(seed, 1 + random.nextInt(OPERATIONS));
      Optional<String> failure = failure(runner, mode, program, program.module());
      if (failure.isPresent()) {
        throw new AssertionError(again + " " + mode + "\n" + smallest(runner, mode, seed));
      }
      isDone = true;
    } finally {
      if (!isDone) {
        System.out.println("RandomProgramTest failed: " + again);
      }
    }
  }

  /** How a module does not do what the evaluator says, if it does not. */
  private static Optional<String> failure(
      Runner runner, Mode mode, RandomProgram program, IRModule module) {
    try (VirtualMachine vm =
        runner.machine(Compiler.compile(module, mode.options()), mode::execution)) {
      for (int run = 0; run < program.runs(); run++) {
        List<?> expected = (List<?>) Runner.evaluate(module, program.args(run));
        try (Value actual = vm.function("main").call(program.args(run).toArray())) {
          String difference = difference(program, expected, actual);
          if (!difference.isEmpty()) {
            return Optional.of("run " + run + ": " + difference);
          }
        }
      }
      return Optional.empty();
    } catch (RelaxException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static String difference(RandomProgram program, List<?> expected, Value actual) {
    for (int i = 0; i < expected.size(); i++) {
      Item item = program.results().get(i);
      Agreement agreement = item.exact() ? EXACT : new Agreement(0, item.scale());
      String field =
          agreement.difference("result " + i, expected.get(i), actual.asTuple().fields().get(i));
      if (!field.isEmpty()) {
        return field;
      }
    }
    return "";
  }

  /** The text of the program with the fewest operations that fails, without what is not needed. */
  private static String smallest(Runner runner, Mode mode, long seed) {
    int operations = 0;
    RandomProgram program = new RandomProgram(seed, operations);
    while (operations < OPERATIONS && failure(runner, mode, program, program.module()).isEmpty()) {
      program = new RandomProgram(seed, ++operations);
    }
    IRModule module = program.module();
    for (int i = 0; i < program.results().size(); i++) {
      IRModule one = new DeadCodeElimination().run(only(module, i), PassContext.DEFAULT);
      if (failure(runner, mode, program, one).isPresent()) {
        module = one;
        break;
      }
    }
    return failure(runner, mode, program, module).orElse("not again")
        + "\n"
        + RelaxText.print(module);
  }

  /** The program whose result is several times one of its results. */
  private static IRModule only(IRModule module, int index) {
    GlobalVar name = new GlobalVar("main");
    RelaxFunction main = (RelaxFunction) module.require(name);
    Tuple all = (Tuple) main.body().body();
    List<Expr> fields = new ArrayList<>();
    for (int i = 0; i <= index; i++) {
      fields.add(all.fields().get(index));
    }
    Tuple result = new Tuple(fields);
    TupleType type = new TupleType(fields.stream().map(field -> field.type()).toList());
    return module.with(
        name, main.withBody(new SeqExpr(main.body().blocks(), result, Optional.of(type)), type));
  }
}
