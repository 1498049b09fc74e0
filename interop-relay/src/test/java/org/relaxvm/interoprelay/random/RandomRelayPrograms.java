package org.relaxvm.interoprelay.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.build.RelayModuleBuilder;

/**
 * Makes valid Relay programs that end: branches, loops, Phis, datatypes, closures, calls, recursion
 * with a bound, packed functions. The same seed makes the same program.
 */
public final class RandomRelayPrograms {
  private RandomRelayPrograms() {}

  /**
   * A program.
   *
   * @param runTimePhis whether some Phis are such that only the executed path decides them
   */
  public static RandomProgram of(long seed, boolean runTimePhis) {
    // Generators of consecutive seeds begin alike.
    Random random = new Random(new SplittableRandom(seed).nextLong());
    RelayModuleBuilder builder = new RelayModuleBuilder();
    List<Signature> functions = new ArrayList<>();
    int helpers = random.nextInt(4);
    for (int i = 0; i < helpers; i++) {
      functions.add(helper(random, builder, functions, "helper" + i, runTimePhis));
    }
    if (random.nextBoolean()) {
      functions.add(recursive(random, builder, functions));
    }
    if (random.nextInt(4) == 0) {
      functions.add(mutual(builder));
    }
    List<RandomType> params =
        List.of(
            RandomType.SCALAR,
            RandomType.VECTOR,
            RandomType.TRUTH,
            RandomType.LIST,
            RandomType.NUMBER);
    builder.function(
        RandomProgram.MAIN,
        params.size(),
        f -> {
          RandomBody body = new RandomBody(random, f, functions, params, runTimePhis);
          body.statements(3 + random.nextInt(8), 0);
          f.ret(body.result());
        });
    RelayModule module = builder.build();
    return new RandomProgram(module, arguments(random));
  }

  private static Object[] arguments(Random random) {
    Tuple list = Tuple.of();
    for (int i = random.nextInt(4); i > 0; i--) {
      list = Tuple.tagged(1, Tensor.scalar((long) random.nextInt(10)), list);
    }
    return new Object[] {
      Tensor.scalar((long) random.nextInt(5)),
      Tensor.of(
          new float[] {random.nextInt(9), random.nextInt(9) - 4, 0.5f, -random.nextInt(9)},
          Shape.of(4)),
      Tensor.of(new boolean[] {random.nextBoolean()}, Shape.scalar()),
      list,
      (long) random.nextInt(3)
    };
  }

  /** A function of a scalar and perhaps other values; it calls only functions before it. */
  private static Signature helper(
      Random random,
      RelayModuleBuilder builder,
      List<Signature> functions,
      String name,
      boolean runTimePhis) {
    List<RandomType> params = new ArrayList<>();
    int count = random.nextInt(3);
    RandomType[] types = {
      RandomType.SCALAR, RandomType.VECTOR, RandomType.LIST, RandomType.TRUTH, RandomType.NUMBER
    };
    for (int i = 0; i < count; i++) {
      params.add(types[random.nextInt(types.length)]);
    }
    // The last one is what a closure of the function is called with.
    params.add(RandomType.SCALAR);
    RandomType result = types[random.nextInt(3)];
    builder.function(
        name,
        params.size(),
        f -> {
          RandomBody body = new RandomBody(random, f, List.copyOf(functions), params, runTimePhis);
          body.statements(1 + random.nextInt(5), 1);
          f.ret(body.any(result));
        });
    return new Signature(name, params, result, false);
  }

  /** A function of a number, which it counts down, and a scalar, by one of four kinds of call. */
  private static Signature recursive(
      Random random, RelayModuleBuilder builder, List<Signature> functions) {
    List<RandomType> params = List.of(RandomType.NUMBER, RandomType.SCALAR, RandomType.SCALAR);
    int kind = random.nextInt(4);
    builder.function(
        "recursive",
        params.size(),
        f -> {
          var more = f.label();
          var done = f.label();
          f.branch(f.param(0), more, done);
          f.place(done);
          if (kind == 2) {
            // The call and the end meet in a block of Phi and Ret.
            var end = f.label();
            var first = f.move(f.param(1));
            f.jump(end);
            f.place(more);
            var next = f.callPacked("number_minus_one", f.param(0));
            var second = f.invoke("recursive", next, f.param(2), f.param(1));
            f.jump(end);
            f.place(end);
            f.ret(random.nextBoolean() ? f.phi(first, second) : f.phi(second, first));
            return;
          }
          f.ret(f.param(1));
          f.place(more);
          var next = f.callPacked("number_minus_one", f.param(0));
          RandomBody body =
              new RandomBody(random, f, List.copyOf(functions), params, false).keepingParameters();
          body.statements(random.nextInt(3), 2);
          var changed = body.any(RandomType.SCALAR);
          // The parameters change places, which a parallel move must respect.
          switch (kind) {
            case 0 -> f.ret(f.invoke("recursive", next, f.param(2), f.param(1)));
            case 1 -> f.tailInvoke("recursive", next, changed, f.param(1));
            default -> {
              var result = f.invoke("recursive", next, changed, f.param(2));
              f.ret(body.sum(result, f.param(1)));
            }
          }
        });
    return new Signature("recursive", params, RandomType.SCALAR, true);
  }

  /** Two functions that call each other last. */
  private static Signature mutual(RelayModuleBuilder builder) {
    List<RandomType> params = List.of(RandomType.NUMBER, RandomType.SCALAR);
    for (String name : new String[] {"ping", "pong"}) {
      String other = name.equals("ping") ? "pong" : "ping";
      builder.function(
          name,
          2,
          f -> {
            var more = f.label();
            var done = f.label();
            f.branch(f.param(0), more, done);
            f.place(done);
            f.ret(f.param(1));
            f.place(more);
            var next = f.callPacked("number_minus_one", f.param(0));
            f.ret(f.invoke(other, next, f.param(1)));
          });
    }
    return new Signature("ping", params, RandomType.SCALAR, true);
  }

  /**
   * A function that programs can call.
   *
   * @param bounded whether the first argument counts calls, and so must be small
   */
  record Signature(String name, List<RandomType> params, RandomType result, boolean bounded) {}
}
