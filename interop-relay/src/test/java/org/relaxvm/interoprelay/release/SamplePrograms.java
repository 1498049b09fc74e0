package org.relaxvm.interoprelay.release;

import static org.relaxvm.interoprelay.release.Kernels.longs;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocDatatype;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokeClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;

/** Programs as a compiler of those releases made them: lists, trees, closures, recursion. */
public final class SamplePrograms {
  private static final Shape ONE = Shape.of(1);

  private SamplePrograms() {}

  /** {@code main(n)}: the sum of the list n, n-1, ..., 1; built and taken apart by recursion. */
  public static ReleasedExecutable list(Era era) {
    Code main = new Code(era, 1);
    int nil = main.fresh();
    main.add(new AllocDatatype(0, nil, List.of()));
    int list = main.fresh();
    main.add(new Invoke(1, list, List.of(0, nil)));
    int sum = main.fresh();
    main.add(new Invoke(2, sum, List.of(list, main.constant(0))));
    main.add(new Ret(sum));
    return Kernels.executable(
        era,
        List.of(longs(0), longs(1)),
        main.build("main"),
        build(era).build("build"),
        sum(era).build("sum"));
  }

  /** {@code build(n, list)}: puts n, n-1, ... 1 before a list. */
  private static Code build(Era era) {
    Code code = new Code(era, 2);
    int merged = code.fresh();
    Code.Label done = new Code.Label();
    Code.Label more = new Code.Label();
    Code.Label end = new Code.Label();
    int isZero = code.kernel(Kernels.IS_ZERO, DType.BOOL, Shape.scalar(), 0);
    code.ifEqual(isZero, code.number(1), done, more).at(done);
    code.add(new Move(1, merged)).goTo(end).at(more);
    int less = code.kernel(Kernels.SUB, DType.INT64, ONE, 0, code.constant(1));
    int cons = code.fresh();
    code.add(new AllocDatatype(1, cons, List.of(0, 1)));
    int result = code.fresh();
    code.add(new Invoke(1, result, List.of(less, cons)));
    code.add(new Move(result, merged)).at(end);
    return code.add(new Ret(merged));
  }

  /** {@code sum(list, start)}: a match with an arm for each constructor. */
  private static Code sum(Era era) {
    Code code = new Code(era, 2);
    int tag = code.fresh();
    int merged = code.fresh();
    Code.Label nil = new Code.Label();
    Code.Label notNil = new Code.Label();
    Code.Label cons = new Code.Label();
    Code.Label none = new Code.Label();
    Code.Label end = new Code.Label();
    code.add(new GetTag(0, tag));
    code.ifEqual(tag, code.number(0), nil, notNil).at(nil);
    code.add(new Move(1, merged)).goTo(end).at(notNil);
    code.ifEqual(tag, code.number(1), cons, none).at(cons);
    int head = code.fresh();
    code.add(new GetField(0, 0, head));
    int tail = code.fresh();
    code.add(new GetField(0, 1, tail));
    int start = code.kernel(Kernels.ADD, DType.INT64, ONE, 1, head);
    code.add(new Invoke(2, merged, List.of(tail, start))).goTo(end).at(none);
    return code.add(new Fatal()).at(end).add(new Ret(merged));
  }

  /** {@code main(n)}: sums a tree of leaves {@code tag 2} and nodes {@code tag 5}: (n, (n, n)). */
  public static ReleasedExecutable tree(Era era) {
    Code main = new Code(era, 1);
    int leaf = main.fresh();
    main.add(new AllocDatatype(2, leaf, List.of(0)));
    int inner = main.fresh();
    main.add(new AllocDatatype(5, inner, List.of(leaf, leaf)));
    int tree = main.fresh();
    main.add(new AllocDatatype(5, tree, List.of(leaf, inner)));
    int sum = main.fresh();
    main.add(new Invoke(1, sum, List.of(tree)));
    int pair = main.fresh();
    main.add(new AllocDatatype(0, pair, List.of(sum, tree)));
    main.add(new Ret(pair));

    Code walk = new Code(era, 1);
    int tag = walk.fresh();
    int merged = walk.fresh();
    Code.Label isLeaf = new Code.Label();
    Code.Label isNode = new Code.Label();
    Code.Label end = new Code.Label();
    walk.add(new GetTag(0, tag));
    walk.ifEqual(tag, walk.number(2), isLeaf, isNode).at(isLeaf);
    walk.add(new GetField(0, 0, merged)).goTo(end).at(isNode);
    int left = walk.fresh();
    walk.add(new GetField(0, 0, left)).add(new Invoke(1, left, List.of(left)));
    int right = walk.fresh();
    walk.add(new GetField(0, 1, right)).add(new Invoke(1, right, List.of(right)));
    int both = walk.fresh();
    // A tuple among the arguments of a kernel is replaced by its fields.
    walk.add(new AllocDatatype(0, both, List.of(left, right)));
    walk.add(new Move(walk.kernel(Kernels.SUM_ALL, DType.INT64, ONE, both), merged)).at(end);
    walk.add(new Ret(merged));
    return Kernels.executable(era, List.of(), main.build("main"), walk.build("walk"));
  }

  /** {@code main(x)}: calls {@code twice(f, x)} with a closure that computes {@code 10 - y}. */
  public static ReleasedExecutable closure(Era era) {
    Code main = new Code(era, 1);
    int closure = main.fresh();
    main.add(new AllocClosure(2, closure, List.of(main.constant(0))));
    int result = main.fresh();
    main.add(new Invoke(1, result, List.of(closure, 0)));
    main.add(new Ret(result));

    Code twice = new Code(era, 2);
    int once = twice.fresh();
    twice.add(new InvokeClosure(0, once, List.of(1)));
    twice.add(new InvokeClosure(0, once, List.of(once)));
    twice.add(new InvokeClosure(0, once, List.of(once)));
    twice.add(new Ret(once));

    Code body = new Code(era, 2);
    body.add(new Ret(body.kernel(Kernels.SUB, DType.INT64, ONE, 0, 1)));
    return Kernels.executable(
        era, List.of(longs(10)), main.build("main"), twice.build("twice"), body.build("body"));
  }
}
