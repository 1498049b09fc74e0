package org.relaxvm.interoprelay.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.proposal.build.RelayFunctionBuilder;
import org.relaxvm.interoprelay.proposal.build.RelayLabel;
import org.relaxvm.interoprelay.proposal.build.RelayRegister;
import org.relaxvm.interoprelay.random.RandomRelayPrograms.Signature;
import org.relaxvm.interoprelay.random.RandomType.Product;
import org.relaxvm.interoprelay.random.RandomType.ScalarFunction;

/** Emits random statements and keeps which registers hold what. */
final class RandomBody {
  private static final int MAX_NESTING = 2;

  private final Random random;
  private final RelayFunctionBuilder f;
  private final List<Signature> functions;
  private final boolean runTimePhis;
  private final List<Variable> variables = new ArrayList<>();

  /** Variables from this index on belong to the innermost block. */
  private int blockStart;

  private int loops;

  RandomBody(
      Random random,
      RelayFunctionBuilder f,
      List<Signature> functions,
      List<RandomType> params,
      boolean runTimePhis) {
    this.random = random;
    this.f = f;
    this.functions = functions;
    this.runTimePhis = runTimePhis;
    for (int i = 0; i < params.size(); i++) {
      add(f.param(i), params.get(i), false);
    }
  }

  /**
   * A register and what it holds.
   *
   * @param allocated whether it is a tensor that this function allocated, so that it may be written
   */
  private record Variable(RelayRegister register, RandomType type, boolean allocated) {}

  private RelayRegister add(RelayRegister register, RandomType type, boolean allocated) {
    variables.add(new Variable(register, type, allocated));
    return register;
  }

  /** Never kills a parameter. */
  RandomBody keepingParameters() {
    blockStart = variables.size();
    return this;
  }

  // ---------------------------------------------------------------- statements

  void statements(int count, int nesting) {
    for (int i = 0; i < count; i++) {
      statement(nesting);
    }
  }

  private void statement(int nesting) {
    switch (random.nextInt(nesting < MAX_NESTING ? 22 : 14)) {
      case 0, 1 -> make(RandomType.SCALAR);
      case 2 -> make(RandomType.VECTOR);
      case 3 -> make(RandomType.TRUTH);
      case 4 -> make(random.nextBoolean() ? RandomType.LIST : RandomType.VARIANT);
      case 5 -> tuple();
      case 6 -> field();
      case 7 -> copy();
      case 8 -> writeInPlace();
      case 9 -> kill();
      case 10 -> sumAndDifference();
      case 11 -> closure();
      case 12 -> call();
      case 13 -> shapes();
      case 14, 15, 16 -> branch(nesting);
      case 17 -> matchList(nesting);
      case 18 -> matchVariant(nesting);
      case 19, 20 -> loop(nesting);
      default -> {
        if (runTimePhis) {
          correlated();
        } else {
          lateJoin(nesting);
        }
      }
    }
  }

  /** A register of a type: one of the variables, or a new one. */
  RelayRegister any(RandomType type) {
    List<Variable> fitting = variables.stream().filter(v -> v.type().equals(type)).toList();
    return fitting.isEmpty() || random.nextInt(6) == 0
        ? make(type)
        : fitting.get(random.nextInt(fitting.size())).register();
  }

  /** A tuple of what the program computed. */
  RelayRegister result() {
    RelayRegister[] fields =
        variables.stream()
            .filter(v -> v.type().isData())
            .map(Variable::register)
            .toArray(RelayRegister[]::new);
    return f.tuple(fields);
  }

  RelayRegister sum(RelayRegister a, RelayRegister b) {
    RelayRegister out = f.allocTensor(DType.INT64);
    f.invokePacked("add", List.of(a, b), List.of(out));
    return out;
  }

  private RelayRegister make(RandomType type) {
    return switch (type) {
      case RandomType.Scalar _ -> scalar();
      case RandomType.Vector _ -> vector();
      case RandomType.Truth _ -> truth();
      case RandomType.Number _ -> add(f.number(random.nextInt(4)), type, false);
      case RandomType.ScalarList _ -> add(list(), type, false);
      case RandomType.Variant _ -> {
        RelayRegister scalar = any(RandomType.SCALAR);
        RelayRegister vector = any(RandomType.VECTOR);
        yield add(f.datatype(random.nextInt(3), scalar, vector), type, false);
      }
      case Product product -> {
        RelayRegister[] fields =
            product.fields().stream().map(this::any).toArray(RelayRegister[]::new);
        yield add(f.tuple(fields), type, false);
      }
      case ScalarFunction _ ->
          throw new IllegalArgumentException("closures are not made on demand");
    };
  }

  private RelayRegister scalar() {
    if (random.nextInt(3) == 0 || variables.stream().noneMatch(v -> isScalar(v))) {
      Tensor value = Tensor.scalar((long) random.nextInt(7) - 2);
      return add(f.constant(value), RandomType.SCALAR, false);
    }
    RelayRegister a = any(RandomType.SCALAR);
    RelayRegister out;
    if (random.nextInt(3) == 0) {
      out = f.allocTensor(DType.INT64);
      String name = random.nextBoolean() ? "plus_one" : "negate";
      f.invokePacked(name, List.of(a), List.of(out));
    } else {
      RelayRegister b = any(RandomType.SCALAR);
      out = f.allocTensor(DType.INT64);
      f.invokePacked(binary(), List.of(a, b), List.of(out));
    }
    return add(out, RandomType.SCALAR, true);
  }

  private static boolean isScalar(Variable variable) {
    return variable.type().equals(RandomType.SCALAR);
  }

  private String binary() {
    return List.of("add", "sub", "mul", "max").get(random.nextInt(4));
  }

  private RelayRegister vector() {
    boolean none = variables.stream().noneMatch(v -> v.type().equals(RandomType.VECTOR));
    if (none || random.nextInt(4) == 0) {
      float[] values = {random.nextInt(5), 1.5f, -random.nextInt(5), 0.25f};
      return add(f.constant(Tensor.of(values, Shape.of(4))), RandomType.VECTOR, false);
    }
    RelayRegister a = any(RandomType.VECTOR);
    RelayRegister b = any(RandomType.VECTOR);
    RelayRegister out = f.allocTensor(DType.FLOAT32, 4);
    f.invokePacked(binary(), List.of(a, b), List.of(out));
    return add(out, RandomType.VECTOR, true);
  }

  private RelayRegister truth() {
    RelayRegister a = any(RandomType.SCALAR);
    if (random.nextInt(3) == 0) {
      RelayRegister out = f.allocTensor(DType.BOOL);
      f.invokePacked("is_zero", List.of(a), List.of(out));
      return add(out, RandomType.TRUTH, true);
    }
    return add(less(a, any(RandomType.SCALAR)), RandomType.TRUTH, true);
  }

  private RelayRegister less(RelayRegister a, RelayRegister b) {
    RelayRegister out = f.allocTensor(DType.BOOL);
    f.invokePacked("less", List.of(a, b), List.of(out));
    return out;
  }

  private RelayRegister list() {
    List<Variable> lists =
        variables.stream().filter(v -> v.type().equals(RandomType.LIST)).toList();
    if (lists.isEmpty() || random.nextInt(4) == 0) {
      return f.datatype(0);
    }
    RelayRegister tail = lists.get(random.nextInt(lists.size())).register();
    return f.datatype(1, any(RandomType.SCALAR), tail);
  }

  private void tuple() {
    List<RandomType> types = new ArrayList<>();
    List<RelayRegister> fields = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Variable variable = variables.get(random.nextInt(variables.size()));
      types.add(variable.type());
      fields.add(variable.register());
    }
    add(f.tuple(fields.toArray(RelayRegister[]::new)), new Product(types), false);
  }

  private void field() {
    List<Variable> products =
        variables.stream()
            .filter(v -> v.type() instanceof Product p && !p.fields().isEmpty())
            .toList();
    if (!products.isEmpty()) {
      Variable from = products.get(random.nextInt(products.size()));
      Product type = (Product) from.type();
      int index = random.nextInt(type.fields().size());
      add(f.field(from.register(), index), type.fields().get(index), false);
    }
  }

  private void copy() {
    Variable from = variables.get(random.nextInt(variables.size()));
    add(f.move(from.register()), from.type(), from.allocated());
  }

  /** Writes a tensor that other registers may refer to as well. */
  private void writeInPlace() {
    List<Variable> writable = variables.stream().filter(v -> v.allocated() && isScalar(v)).toList();
    if (!writable.isEmpty()) {
      Variable target = writable.get(random.nextInt(writable.size()));
      RelayRegister other = any(RandomType.SCALAR);
      f.invokePacked("add", List.of(target.register(), other), List.of(target.register()));
    }
  }

  /** Kills a register of the innermost block: one of an outer block may be used once more. */
  private void kill() {
    if (variables.size() > blockStart + 3) {
      int index = blockStart + random.nextInt(variables.size() - blockStart);
      f.kill(variables.remove(index).register());
    }
  }

  private void sumAndDifference() {
    RelayRegister a = any(RandomType.SCALAR);
    RelayRegister b = any(RandomType.SCALAR);
    RelayRegister sum = f.allocTensor(DType.INT64);
    RelayRegister difference = f.allocTensor(DType.INT64);
    f.invokePacked("sum_and_difference", List.of(a, b), List.of(sum, difference));
    add(sum, RandomType.SCALAR, true);
    add(difference, RandomType.SCALAR, true);
  }

  private void shapes() {
    RelayRegister vector = any(RandomType.VECTOR);
    RelayRegister shape = f.shapeOf(vector);
    if (random.nextBoolean()) {
      add(f.reshape(any(RandomType.VECTOR), shape), RandomType.VECTOR, false);
    } else {
      RelayRegister out = f.allocTensor(DType.FLOAT32, shape);
      f.invokePacked("negate", List.of(vector), List.of(out));
      add(out, RandomType.VECTOR, true);
    }
    RelayRegister number = f.callPacked("first_element", any(RandomType.SCALAR));
    // Not a variable: it may be large, and numbers bound recursion.
    RelayLabel small = f.label();
    RelayLabel end = f.label();
    f.branchIfEqual(number, random.nextInt(3), small, end);
    f.place(small);
    f.jump(end);
    f.place(end);
  }

  // ---------------------------------------------------------------- calls

  private void closure() {
    List<Variable> closures =
        variables.stream().filter(v -> v.type() instanceof ScalarFunction).toList();
    if (!closures.isEmpty() && random.nextBoolean()) {
      Variable closure = closures.get(random.nextInt(closures.size()));
      RelayRegister argument = any(RandomType.SCALAR);
      RandomType result = ((ScalarFunction) closure.type()).result();
      if (loops == 0) {
        add(f.invokeClosure(closure.register(), argument), result, false);
      }
      return;
    }
    List<Signature> fitting = functions.stream().filter(s -> !s.bounded()).toList();
    if (!fitting.isEmpty()) {
      Signature callee = fitting.get(random.nextInt(fitting.size()));
      List<RandomType> free = callee.params().subList(0, callee.params().size() - 1);
      RelayRegister[] bound = free.stream().map(this::any).toArray(RelayRegister[]::new);
      add(f.closure(callee.name(), bound), new ScalarFunction(callee.result()), false);
    }
  }

  private void call() {
    // Calls in loops would multiply.
    if (!functions.isEmpty() && loops == 0) {
      Signature callee = functions.get(random.nextInt(functions.size()));
      RelayRegister[] args = new RelayRegister[callee.params().size()];
      for (int i = 0; i < args.length; i++) {
        args[i] =
            i == 0 && callee.bounded() ? f.number(random.nextInt(5)) : any(callee.params().get(i));
      }
      add(f.invoke(callee.name(), args), callee.result(), false);
    }
  }

  // ---------------------------------------------------------------- control flow

  private RelayRegister condition() {
    return switch (random.nextInt(4)) {
      case 0 -> any(RandomType.NUMBER);
      case 1 -> any(RandomType.SCALAR);
      default -> any(RandomType.TRUTH);
    };
  }

  /** The statements of a block, whose variables end with it. */
  private void block(int nesting, Runnable body) {
    int outer = blockStart;
    int size = variables.size();
    blockStart = size;
    statements(random.nextInt(3), nesting + 1);
    body.run();
    variables.subList(size, variables.size()).clear();
    blockStart = outer;
  }

  private RandomType dataType() {
    RandomType[] types = {
      RandomType.SCALAR, RandomType.VECTOR, RandomType.TRUTH, RandomType.LIST, RandomType.VARIANT
    };
    return types[random.nextInt(types.length)];
  }

  private RelayRegister phi(RelayRegister first, RelayRegister second) {
    return random.nextBoolean() ? f.phi(first, second) : f.phi(second, first);
  }

  /** Moves a value to a register that no other path defines. */
  private RelayRegister armValue(RandomType type) {
    return f.move(any(type));
  }

  private void branch(int nesting) {
    RelayRegister condition = condition();
    RelayLabel isTrue = f.label();
    RelayLabel isFalse = f.label();
    RelayLabel end = f.label();
    int phis = 1 + random.nextInt(2);
    List<RandomType> types = new ArrayList<>();
    for (int i = 0; i < phis; i++) {
      types.add(dataType());
    }
    List<RelayRegister> first = new ArrayList<>();
    List<RelayRegister> second = new ArrayList<>();
    boolean falseFirst = random.nextInt(3) == 0;
    f.branch(condition, isTrue, isFalse);
    f.place(falseFirst ? isFalse : isTrue);
    block(nesting, () -> types.forEach(type -> first.add(armValue(type))));
    f.jump(end);
    f.place(falseFirst ? isTrue : isFalse);
    block(nesting, () -> types.forEach(type -> second.add(armValue(type))));
    if (random.nextBoolean()) {
      f.jump(end);
    }
    f.place(end);
    for (int i = 0; i < phis; i++) {
      add(phi(first.get(i), second.get(i)), types.get(i), false);
    }
    if (random.nextInt(3) == 0) {
      first.forEach(f::kill);
      second.forEach(f::kill);
    }
  }

  /** A Phi that does not follow its join at once, and one of a branch without an else part. */
  private void lateJoin(int nesting) {
    RandomType type = dataType();
    RelayRegister condition = condition();
    RelayLabel isTrue = f.label();
    RelayLabel isFalse = f.label();
    RelayLabel end = f.label();
    f.branch(condition, isTrue, isFalse);
    f.place(isTrue);
    List<RelayRegister> values = new ArrayList<>();
    block(nesting, () -> values.add(armValue(type)));
    f.jump(end);
    f.place(isFalse);
    block(nesting, () -> values.add(armValue(type)));
    f.place(end);
    statements(random.nextInt(2), nesting + 1);
    RelayRegister joined = add(phi(values.get(0), values.get(1)), type, false);
    // Without an else part, the edge that skips the branch has the value from before it.
    RelayLabel then = f.label();
    RelayLabel after = f.label();
    RelayRegister before = f.move(joined);
    f.branch(condition(), then, after);
    f.place(then);
    List<RelayRegister> changed = new ArrayList<>();
    block(nesting, () -> changed.add(armValue(type)));
    f.place(after);
    add(phi(before, changed.getFirst()), type, false);
  }

  /** Two branches on one condition: only the executed path tells which operand is defined. */
  private void correlated() {
    RelayRegister condition = any(RandomType.NUMBER);
    RandomType type = dataType();
    RelayRegister value = any(type);
    RelayRegister other = any(type);
    RelayLabel then = f.label();
    RelayLabel middle = f.label();
    RelayLabel otherwise = f.label();
    RelayLabel end = f.label();
    f.branch(condition, then, middle);
    f.place(then);
    RelayRegister first = f.move(value);
    f.place(middle);
    f.branch(condition, end, otherwise);
    f.place(otherwise);
    RelayRegister second = f.move(other);
    f.place(end);
    add(phi(first, second), type, false);
  }

  private void matchList(int nesting) {
    // Through a tuple: of a list that is known to be empty, the verifier refuses fields.
    RelayRegister list = f.field(f.tuple(any(RandomType.LIST)), 0);
    RelayRegister tag = f.tag(list);
    RelayLabel nil = f.label();
    RelayLabel cons = f.label();
    RelayLabel end = f.label();
    List<RelayRegister> values = new ArrayList<>();
    f.branchIfEqual(tag, 0, nil, cons);
    f.place(cons);
    block(
        nesting,
        () -> {
          add(f.field(list, 1), RandomType.LIST, false);
          values.add(f.move(f.field(list, 0)));
        });
    f.jump(end);
    f.place(nil);
    block(nesting, () -> values.add(armValue(RandomType.SCALAR)));
    f.place(end);
    add(phi(values.get(0), values.get(1)), RandomType.SCALAR, false);
  }

  /** Three arms, so two Phis, and a Fatal that is never reached. */
  private void matchVariant(int nesting) {
    RelayRegister variant = any(RandomType.VARIANT);
    RelayRegister tag = f.tag(variant);
    List<RelayLabel> arms = List.of(f.label(), f.label(), f.label());
    RelayLabel notFirst = f.label();
    RelayLabel notSecond = f.label();
    RelayLabel none = f.label();
    RelayLabel inner = f.label();
    RelayLabel outer = f.label();
    List<RelayRegister> values = new ArrayList<>();
    f.branchIfEqual(tag, 0, arms.get(0), notFirst);
    f.place(notFirst);
    f.branchIfEqual(tag, 1, arms.get(1), notSecond);
    f.place(notSecond);
    f.branchIfEqual(tag, 2, arms.get(2), none);
    f.place(none);
    f.fatal();
    f.place(arms.get(0));
    block(nesting, () -> values.add(armValue(RandomType.VECTOR)));
    f.jump(outer);
    f.place(arms.get(1));
    block(nesting, () -> values.add(f.move(f.field(variant, 1))));
    f.jump(inner);
    f.place(arms.get(2));
    block(nesting, () -> values.add(armValue(RandomType.VECTOR)));
    f.jump(inner);
    f.place(inner);
    RelayRegister joined = phi(values.get(1), values.get(2));
    f.jump(outer);
    f.place(outer);
    add(phi(joined, values.get(0)), RandomType.VECTOR, false);
  }

  /** A loop with at most three iterations; values that it carries may change places. */
  private void loop(int nesting) {
    if (loops >= 2) {
      return;
    }
    loops++;
    RelayRegister limit = f.constant(Tensor.scalar((long) random.nextInt(4)));
    RelayRegister zero = f.constant(Tensor.scalar(0L));
    RandomType type = dataType();
    int carried = 1 + random.nextInt(3);
    List<RelayRegister> initial = new ArrayList<>();
    List<RelayRegister> next = new ArrayList<>();
    List<RelayRegister> current = new ArrayList<>();
    for (int i = 0; i < carried; i++) {
      initial.add(any(type));
      next.add(f.newRegister());
    }
    RelayRegister nextCount = f.newRegister();
    if (random.nextBoolean()) {
      RelayLabel header = f.label();
      f.jump(header);
      f.place(header);
    }
    RelayLabel header = f.here();
    RelayRegister count = phi(zero, nextCount);
    for (int i = 0; i < carried; i++) {
      current.add(add(phi(initial.get(i), next.get(i)), type, false));
    }
    RelayLabel body = f.label();
    RelayLabel exit = f.label();
    f.branch(less(count, limit), body, exit);
    f.place(body);
    block(
        nesting,
        () -> {
          RelayRegister more = f.allocTensor(DType.INT64);
          f.invokePacked("plus_one", List.of(count), List.of(more));
          for (int i = 0; i < carried; i++) {
            // Mostly the value of the neighbour: a swap, or a rotation of three.
            RelayRegister value =
                random.nextInt(3) == 0 ? any(type) : current.get((i + 1) % carried);
            f.move(next.get(i), value);
          }
          f.move(nextCount, more);
        });
    f.jump(header);
    f.place(exit);
    loops--;
  }
}
