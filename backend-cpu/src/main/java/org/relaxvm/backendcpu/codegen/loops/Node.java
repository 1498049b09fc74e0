package org.relaxvm.backendcpu.codegen.loops;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.PackedArg;

/**
 * A statement without blocks. All buffers in it have one axis of symbolic extent: an index is the
 * number of an element from the first one of the buffer on. Immutable.
 */
public sealed interface Node {
  /**
   * A loop over {@code min, min + 1, ...}.
   *
   * @param counter of dtype int64
   * @param grain how many iterations are worth a thread
   */
  record Loop(Var counter, PrimExpr min, PrimExpr extent, Mode mode, long grain, Node body)
      implements Node {
    /** The same loop around something else. */
    public Loop withBody(Node other) {
      return new Loop(counter, min, extent, mode, grain, other);
    }

    /** The same loop run in another way. */
    public Loop withMode(Mode other) {
      return new Loop(counter, min, extent, other, grain, body);
    }
  }

  /** How the iterations of a loop may run. */
  enum Mode {
    /** One after the other. */
    SERIAL,
    /** On many threads. */
    PARALLEL,
    /** As lanes of vectors. */
    VECTOR,
    /** As lanes of vectors; what they add up is added up in any order. */
    REDUCTION
  }

  /** Writes an element. */
  record Store(Buffer buffer, PrimExpr index, PrimExpr value, List<IndexCheck> checks)
      implements Node {
    /** Copies the list. */
    public Store {
      checks = List.copyOf(checks);
    }
  }

  /** A variable with a value, for a statement. */
  record Define(Var var, PrimExpr value, Node body) implements Node {}

  /** One of two statements. */
  record Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) implements Node {}

  /** Statements one after the other. */
  record Sequence(List<Node> nodes) implements Node {
    /** Copies the list. */
    public Sequence {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Memory for a statement.
   *
   * @param shape of the buffer before it was made flat, for packed calls
   * @param size in elements
   */
  record Allocate(Buffer buffer, List<PrimExpr> shape, PrimExpr size, Node body) implements Node {
    /** Copies the list. */
    public Allocate {
      shape = List.copyOf(shape);
    }
  }

  /**
   * Calls a function by name.
   *
   * @param args whose buffers are flat ones
   * @param writes those of the kernel's parameters that it may write, as blocks around it say
   */
  record Invoke(String name, List<PackedArg> args, List<Buffer> writes) implements Node {
    /** Copies the lists. */
    public Invoke {
      args = List.copyOf(args);
      writes = List.copyOf(writes);
    }
  }

  /**
   * Copies a tile turned: element {@code [i, j]} of what is written is {@code [j, i]} of what is
   * read. Elements of a row are adjacent on both sides.
   *
   * @param from of elements as large as those of the other buffer, which it is not
   * @param fromPlace the first element read
   * @param fromStep from a row that is read to the next, in elements
   * @param toPlace the first element written
   * @param toStep from a row that is written to the next, in elements
   * @param rows that are written
   * @param columns that are written
   */
  record Transpose(
      Buffer from,
      PrimExpr fromPlace,
      PrimExpr fromStep,
      Buffer to,
      PrimExpr toPlace,
      PrimExpr toStep,
      PrimExpr rows,
      PrimExpr columns)
      implements Node {}

  /**
   * Replaces its first arguments by a function of adjacent elements.
   *
   * @param args a buffer for each argument, of one dtype, with the elements from the first one on
   * @param count of elements
   */
  record Apply(Intrinsic op, List<Buffer> args, PrimExpr count) implements Node {
    /** Copies the list. */
    public Apply {
      args = List.copyOf(args);
    }
  }

  /** Ends the kernel with a result. */
  record Result(PrimExpr value) implements Node {}

  /** Does nothing. */
  static Node nothing() {
    return new Sequence(List.of());
  }

  /** One after the other, without sequences in sequences. */
  static Node sequence(List<Node> nodes) {
    List<Node> flat =
        nodes.stream()
            .flatMap(
                node ->
                    node instanceof Sequence(List<Node> inner)
                        ? inner.stream()
                        : java.util.stream.Stream.of(node))
            .toList();
    return flat.size() == 1 ? flat.getFirst() : new Sequence(flat);
  }

  /** The statements right inside of this one. */
  default List<Node> children() {
    return switch (this) {
      case Loop loop -> List.of(loop.body());
      case Define define -> List.of(define.body());
      case Branch branch ->
          branch.whenFalse().isPresent()
              ? List.of(branch.whenTrue(), branch.whenFalse().get())
              : List.of(branch.whenTrue());
      case Sequence sequence -> sequence.nodes();
      case Allocate allocate -> List.of(allocate.body());
      case Store store -> List.of();
      case Transpose transpose -> List.of();
      case Apply apply -> List.of();
      case Invoke invoke -> List.of();
      case Result result -> List.of();
    };
  }

  /** The expressions right inside of this statement. */
  default List<PrimExpr> exprs() {
    return switch (this) {
      case Loop loop -> List.of(loop.min(), loop.extent());
      case Define define -> List.of(define.value());
      case Branch branch -> List.of(branch.condition());
      case Sequence sequence -> List.of();
      case Allocate allocate -> List.of(allocate.size());
      case Store store -> List.of(store.index(), store.value());
      case Transpose(
              Buffer from,
              PrimExpr fromPlace,
              PrimExpr fromStep,
              Buffer to,
              PrimExpr toPlace,
              PrimExpr toStep,
              PrimExpr rows,
              PrimExpr columns) ->
          List.of(fromPlace, fromStep, toPlace, toStep, rows, columns);
      case Apply apply -> List.of(apply.count());
      case Invoke invoke ->
          invoke.args().stream()
              .filter(PackedArg.OfScalar.class::isInstance)
              .map(arg -> ((PackedArg.OfScalar) arg).value())
              .toList();
      case Result result -> List.of(result.value());
    };
  }
}
