package org.relaxvm.interoprelay.release;

import static org.relaxvm.interoprelay.release.Kernels.longs;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocDatatype;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokeClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;

/**
 * A random executable that ends: structured branches, counted loops, matches, calls of functions
 * with a higher index, closures. {@code main} takes two vectors of three int64.
 */
public final class RandomRelease {
  private static final Shape VECTOR = Shape.of(3);
  private static final Shape ONE = Shape.of(1);
  private static final int FUNCTIONS = 4;
  private static final int MOST_DEPTH = 3;

  /** Constants: two vectors, one as a number, the shape of a vector, one as a scalar. */
  private static final List<Tensor> CONSTANTS =
      List.of(longs(1, 2, 3), longs(-4, 0, 7), longs(1), longs(3), Tensor.scalar(1L));

  private final Random random;
  private final Era era;

  private RandomRelease(Random random) {
    this.random = random;
    this.era = Era.values()[random.nextInt(4)];
  }

  /** The executable of a seed. */
  public static ReleasedExecutable of(long seed) {
    RandomRelease generator = new RandomRelease(new Random(seed));
    ReleasedFunction[] functions = new ReleasedFunction[FUNCTIONS];
    for (int i = 0; i < FUNCTIONS; i++) {
      functions[i] = generator.function(i);
    }
    return Kernels.executable(generator.era, CONSTANTS, functions);
  }

  private ReleasedFunction function(int index) {
    Scope scope = new Scope(new Code(era, 2), index);
    scope.vectors.add(0);
    scope.vectors.add(1);
    statements(scope, 3 + random.nextInt(6), 0);
    if (index == 0) {
      int result = scope.code.fresh();
      List<Integer> fields = new ArrayList<>();
      fields.add(scope.vector());
      fields.add(pick(scope.scalars, scope.vector()));
      fields.add(pick(scope.datatypes, scope.vector()));
      scope.code.add(new AllocDatatype(random.nextInt(3), result, fields)).add(new Ret(result));
    } else {
      scope.code.add(new Ret(scope.vector()));
    }
    return scope.code.build(index == 0 ? "main" : "f" + index);
  }

  private int pick(List<Integer> registers, int otherwise) {
    return registers.isEmpty() ? otherwise : registers.get(random.nextInt(registers.size()));
  }

  private void statements(Scope scope, int count, int depth) {
    for (int i = 0; i < count; i++) {
      statement(scope, depth);
    }
  }

  private void statement(Scope scope, int depth) {
    Code code = scope.code;
    switch (random.nextInt(depth < MOST_DEPTH ? 15 : 11)) {
      case 0, 1 ->
          scope.vectors.add(
              code.kernel(random.nextInt(3), DType.INT64, VECTOR, scope.vector(), scope.vector()));
      case 2 -> scope.scalars.add(code.number(random.nextInt(4) - 1));
      case 3 -> {
        int dst = code.fresh();
        code.add(new Move(scope.vector(), dst));
        scope.vectors.add(dst);
      }
      case 4 -> {
        int dst = code.fresh();
        code.add(
            new AllocDatatype(random.nextInt(3), dst, List.of(scope.vector(), scope.vector())));
        scope.datatypes.add(dst);
      }
      case 5 -> field(scope);
      case 6 -> flattened(scope);
      case 7 -> scope.vectors.add(code.constant(random.nextInt(2)));
      case 8 -> call(scope);
      case 9 -> shapes(scope);
      case 10 -> kill(scope, depth);
      case 11, 12 -> branch(scope, depth);
      case 13 -> match(scope, depth);
      default -> loop(scope, depth);
    }
  }

  private void field(Scope scope) {
    if (!scope.datatypes.isEmpty()) {
      int dst = scope.code.fresh();
      scope.code.add(new GetField(pick(scope.datatypes, 0), random.nextInt(2), dst));
      scope.vectors.add(dst);
    }
  }

  /** A kernel whose arguments contain a datatype, and one that may write into a used storage. */
  private void flattened(Scope scope) {
    int out = scope.code.tensor(DType.INT64, VECTOR);
    List<Integer> args = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      args.add(random.nextBoolean() ? pick(scope.datatypes, scope.vector()) : scope.vector());
    }
    args.add(out);
    scope.code.add(new InvokePacked(Kernels.SUM_ALL, 1, args));
    scope.vectors.add(out);
  }

  private void call(Scope scope) {
    Code code = scope.code;
    int dst = code.fresh();
    int callee = scope.function + 1 + random.nextInt(2);
    if (callee >= FUNCTIONS) {
      return;
    }
    if (random.nextBoolean()) {
      code.add(new Invoke(callee, dst, List.of(scope.vector(), scope.vector())));
    } else {
      int free = random.nextInt(3);
      int closure = code.fresh();
      List<Integer> bound = new ArrayList<>();
      List<Integer> args = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        (i < free ? bound : args).add(scope.vector());
      }
      code.add(new AllocClosure(callee, closure, bound));
      code.add(new InvokeClosure(closure, dst, args));
    }
    scope.vectors.add(dst);
  }

  private void shapes(Scope scope) {
    Code code = scope.code;
    int shape = code.constant(3);
    if (era != Era.R1 && random.nextBoolean()) {
      shape = code.fresh();
      code.add(new ShapeOf(scope.vector(), shape));
    }
    int dst = code.fresh();
    if (era != Era.R1 && random.nextBoolean()) {
      code.add(new ReshapeTensor(scope.vector(), shape, dst));
      if (random.nextBoolean()) {
        code.add(new DeviceCopy(dst, code.device(), code.device(), dst));
      }
    } else {
      int storage = code.storage(code.number(64), DType.INT64);
      int offset = era == Era.R1 ? ReleasedInstruction.NONE : code.number(8L * random.nextInt(3));
      code.add(new AllocTensorReg(storage, offset, shape, DType.INT64, dst));
      code.add(
          new InvokePacked(random.nextInt(3), 1, List.of(scope.vector(), scope.vector(), dst)));
    }
    scope.vectors.add(dst);
  }

  /** Kills a register that is not used afterwards. */
  private void kill(Scope scope, int depth) {
    if (depth == 0 && era.compareTo(Era.R3) >= 0 && !scope.datatypes.isEmpty()) {
      scope.code.add(new KillRegister(scope.datatypes.removeLast()));
    }
  }

  /** A condition, and the target that it is compared with. */
  private int[] condition(Scope scope) {
    Code code = scope.code;
    if (random.nextBoolean()) {
      int test = code.kernel(Kernels.IS_ZERO, DType.BOOL, Shape.scalar(), scope.vector());
      return new int[] {test, code.number(random.nextInt(2))};
    }
    int first = pick(scope.scalars, code.number(1));
    return new int[] {first, random.nextBoolean() ? code.constant(4) : code.number(1)};
  }

  private void branch(Scope scope, int depth) {
    Code code = scope.code;
    int[] condition = condition(scope);
    Code.Label yes = new Code.Label();
    Code.Label no = new Code.Label();
    Code.Label end = new Code.Label();
    int merged = code.fresh();
    code.ifEqual(condition[0], condition[1], yes, no).at(yes);
    arm(scope, merged, depth);
    code.goTo(end).at(no);
    arm(scope, merged, depth);
    code.at(end);
    scope.vectors.add(merged);
    if (random.nextInt(4) == 0) {
      // Branches without code of their own.
      Code.Label next = new Code.Label();
      code.ifEqual(condition[0], condition[1], next, next).at(next);
    }
  }

  private void arm(Scope scope, int merged, int depth) {
    Scope inner = scope.copy();
    statements(inner, random.nextInt(4), depth + 1);
    scope.code.add(new Move(inner.vector(), merged));
  }

  private void match(Scope scope, int depth) {
    if (scope.datatypes.isEmpty()) {
      return;
    }
    Code code = scope.code;
    int datatype = pick(scope.datatypes, 0);
    int tag = code.fresh();
    code.add(new GetTag(datatype, tag));
    int merged = code.fresh();
    Code.Label end = new Code.Label();
    for (int i = 0; i < 3; i++) {
      Code.Label fits = new Code.Label();
      Code.Label other = new Code.Label();
      code.ifEqual(tag, code.number(i), fits, other).at(fits);
      arm(scope, merged, depth);
      code.goTo(end).at(other);
    }
    code.add(new Fatal()).at(end);
    scope.vectors.add(merged);
  }

  /** A loop that counts down in a register. */
  private void loop(Scope scope, int depth) {
    Code code = scope.code;
    int counter = code.number(random.nextInt(4));
    int carried = code.fresh();
    code.add(new Move(scope.vector(), carried));
    Code.Label head = new Code.Label();
    Code.Label body = new Code.Label();
    Code.Label end = new Code.Label();
    code.at(head).ifEqual(counter, code.number(0), end, body);
    code.at(body);
    Scope inner = scope.copy();
    inner.vectors.add(carried);
    statements(inner, random.nextInt(3), depth + 1);
    int next = code.kernel(random.nextInt(3), DType.INT64, VECTOR, inner.vector(), carried);
    code.add(new Move(next, carried));
    int less = code.kernel(Kernels.SUB, DType.INT64, ONE, counter, code.constant(2));
    code.add(new Move(less, counter));
    code.goTo(head).at(end);
    scope.vectors.add(carried);
  }

  /** Registers that hold values on every path to here, by kind. */
  private final class Scope {
    final Code code;
    final int function;
    final List<Integer> vectors = new ArrayList<>();
    final List<Integer> scalars = new ArrayList<>();
    final List<Integer> datatypes = new ArrayList<>();

    Scope(Code code, int function) {
      this.code = code;
      this.function = function;
    }

    int vector() {
      return vectors.get(random.nextInt(vectors.size()));
    }

    /** For a branch: what it defines is not visible after it. */
    Scope copy() {
      Scope copy = new Scope(code, function);
      copy.vectors.addAll(vectors);
      copy.scalars.addAll(scalars);
      copy.datatypes.addAll(datatypes);
      return copy;
    }
  }
}
