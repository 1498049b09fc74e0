package org.relaxvm.integrationtests.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.build.RelayFunctionBuilder;
import org.relaxvm.interoprelay.proposal.build.RelayModuleBuilder;
import org.relaxvm.interoprelay.proposal.build.RelayRegister;

/**
 * Random Relay programs of kernels of the kernel library: {@code main(x, n)} of a float32 tensor of
 * four elements and an int32 number has branches, loops, closures, and a list that it sums up.
 */
final class KernelPrograms {
  private static final String[] OPERATORS = {
    "relaxvm.add", "relaxvm.subtract", "relaxvm.maximum", "relaxvm.multiply"
  };

  private final Random random;

  private KernelPrograms(Random random) {
    this.random = random;
  }

  static RelayModule of(long seed) {
    KernelPrograms programs = new KernelPrograms(new Random(seed));
    RelayModuleBuilder builder = new RelayModuleBuilder();
    builder.function("sum", 2, KernelPrograms::sum);
    builder.function(
        "combine", 2, f -> f.ret(vector(f, programs.operator(), f.param(0), f.param(1))));
    builder.function("main", 2, programs::main);
    return builder.build();
  }

  /** The sum of a list and an accumulator, by a tail call. */
  private static void sum(RelayFunctionBuilder f) {
    var empty = f.label();
    var more = f.label();
    f.branchIfEqual(f.tag(f.param(0)), 0, empty, more);
    f.place(empty);
    f.ret(f.param(1));
    f.place(more);
    RelayRegister head = f.field(f.param(0), 0);
    RelayRegister tail = f.field(f.param(0), 1);
    f.ret(f.invoke("sum", tail, vector(f, "relaxvm.add", f.param(1), head)));
  }

  private void main(RelayFunctionBuilder f) {
    List<RelayRegister> vectors = new ArrayList<>(List.of(f.param(0)));
    statements(f, vectors, 3 + random.nextInt(4), 0);
    RelayRegister list = f.datatype(0);
    for (int i = random.nextInt(3); i >= 0; i--) {
      list = f.datatype(1, any(vectors), list);
    }
    f.ret(f.tuple(f.invoke("sum", list, any(vectors)), list, any(vectors)));
  }

  private void statements(
      RelayFunctionBuilder f, List<RelayRegister> vectors, int count, int depth) {
    for (int i = 0; i < count; i++) {
      int kind = depth < 2 ? random.nextInt(6) : random.nextInt(3);
      vectors.add(
          switch (kind) {
            case 3 -> branch(f, vectors, depth);
            case 4 -> loop(f, vectors, depth);
            case 5 -> f.invokeClosure(f.closure("combine", any(vectors)), any(vectors));
            default -> vector(f, operator(), any(vectors), any(vectors));
          });
    }
  }

  private RelayRegister nested(RelayFunctionBuilder f, List<RelayRegister> vectors, int depth) {
    List<RelayRegister> visible = new ArrayList<>(vectors);
    statements(f, visible, 1 + random.nextInt(2), depth + 1);
    return visible.getLast();
  }

  private RelayRegister branch(RelayFunctionBuilder f, List<RelayRegister> vectors, int depth) {
    RelayRegister bound = f.constant(number(random.nextInt(4)));
    return f.ifElse(
        less(f, f.param(1), bound),
        () -> nested(f, vectors, depth),
        () -> nested(f, vectors, depth));
  }

  private RelayRegister loop(RelayFunctionBuilder f, List<RelayRegister> vectors, int depth) {
    RelayRegister zero = f.constant(number(0));
    RelayRegister before = f.move(any(vectors));
    RelayRegister next = f.newRegister();
    RelayRegister after = f.newRegister();
    var body = f.label();
    var end = f.label();
    var head = f.here();
    RelayRegister i = f.phi(zero, next);
    RelayRegister value = random.nextBoolean() ? f.phi(before, after) : f.phi(after, before);
    f.branch(less(f, i, f.param(1)), body, end);
    f.place(body);
    List<RelayRegister> visible = new ArrayList<>(vectors);
    visible.add(value);
    f.move(after, vector(f, operator(), value, nested(f, visible, depth)));
    RelayRegister sum = f.allocTensor(DType.INT32);
    f.invokePacked("relaxvm.add", List.of(i, f.constant(number(1))), List.of(sum));
    f.move(next, sum);
    f.jump(head);
    f.place(end);
    return value;
  }

  private String operator() {
    return OPERATORS[random.nextInt(OPERATORS.length)];
  }

  private RelayRegister any(List<RelayRegister> vectors) {
    return vectors.get(random.nextInt(vectors.size()));
  }

  private static Tensor number(int value) {
    return Tensor.of(new int[] {value}, Shape.scalar());
  }

  private static RelayRegister less(RelayFunctionBuilder f, RelayRegister a, RelayRegister b) {
    RelayRegister out = f.allocTensor(DType.BOOL);
    f.invokePacked("relaxvm.less", List.of(a, b), List.of(out));
    return out;
  }

  private static RelayRegister vector(
      RelayFunctionBuilder f, String kernel, RelayRegister a, RelayRegister b) {
    RelayRegister out = f.allocTensor(DType.FLOAT32, 4);
    f.invokePacked(kernel, List.of(a, b), List.of(out));
    return out;
  }
}
