package org.relaxvm.backendcpu.jit.build;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The accumulators of a loop that reduces: several vectors for each element, which are combined in
 * a fixed order, so that results repeat bit by bit.
 */
final class ReductionLoop {
  private static final int MOST_COPIES = 4;

  private record Sum(Node.Store store, Reduction reduction, Type type, Reg[] vectors) {}

  private final Emission emission;
  private final LirWriter writer;
  private final int lanes;
  private final int copies;
  private final Map<Node.Store, Sum> sums = new IdentityHashMap<>();

  private ReductionLoop(Emission emission, int lanes, int copies) {
    this.emission = emission;
    this.writer = emission.writer;
    this.lanes = lanes;
    this.copies = copies;
  }

  /**
   * The accumulators of a loop.
   *
   * @param extent of the loop, or -1
   */
  static ReductionLoop of(Emission emission, Node.Loop loop, int lanes, long extent) {
    int copies = MOST_COPIES;
    while (copies > 1 && extent >= 0 && extent < (long) copies * lanes) {
      copies /= 2;
    }
    ReductionLoop made = new ReductionLoop(emission, lanes, copies);
    made.find(loop.body(), loop.counter());
    return made;
  }

  /** How many vectors there are for an element. */
  int copies() {
    return copies;
  }

  private void find(Node node, Var counter) {
    if (node instanceof Node.Store store
        && !org.relaxvm.backendcpu.codegen.loops.Affine.uses(store.index(), counter)) {
      Reduction reduction = Reduction.of(store).orElseThrow();
      sums.put(store, new Sum(store, reduction, type(store.buffer().dtype()), new Reg[copies]));
    }
    node.children().forEach(child -> find(child, counter));
  }

  private Type type(DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return Type.mask(32, lanes);
    }
    int bits = dtype.bits() == 64 ? 64 : 32;
    return dtype.isFloat() ? Type.floats(bits, lanes) : Type.ints(bits, lanes);
  }

  /** Gives the accumulators the value that changes nothing. */
  void begin() {
    for (Sum sum : sums.values()) {
      for (int copy = 0; copy < copies; copy++) {
        Reg vector = writer.reg(sum.type());
        sum.vectors()[copy] = vector;
        if (sum.type().isMask()) {
          boolean isTrue = sum.reduction().op() == BinaryOp.AND;
          writer.set(vector, Op.FIRST_LANES, writer.inRegister(new Imm(isTrue ? lanes : 0)));
        } else {
          writer.set(vector, Op.MOVE, identity(sum));
        }
      }
    }
  }

  private Const identity(Sum sum) {
    PrimExpr value = sum.reduction().identity(sum.store().buffer().dtype());
    return switch (value) {
      case IntImm(DType dtype, long integer) ->
          new Const(sum.type(), sum.type().bits() == 32 ? integer & 0xffff_ffffL : integer);
      case FloatImm(DType dtype, double number) -> Const.of(sum.type(), number);
      default -> throw new IllegalStateException("no constant: " + value);
    };
  }

  /** Whether a store is one of those that reduce. */
  boolean reduces(Node.Store store) {
    return sums.containsKey(store);
  }

  /** Combines the accumulators with what the store has for each copy. */
  void update(Node.Store store, Lanes vectors, int unrolled) {
    Sum sum = Objects.requireNonNull(sums.get(store));
    for (int copy = 0; copy < unrolled; copy++) {
      Reg accumulator = sum.vectors()[copy];
      int bits = sum.type().bits();
      Reg mask = vectors.activeMask(copy, bits);
      if (sum.type().isMask()) {
        Reg term = vectors.mask(sum.reduction().term(), copy, bits);
        if (mask != null) {
          term =
              sum.reduction().op() == BinaryOp.AND
                  ? writer.op(Op.OR, term, writer.op(Op.NOT, mask))
                  : writer.op(Op.AND, term, mask);
        }
        writer.set(accumulator, op(sum), accumulator, term);
      } else {
        Operand term = vectors.of(sum.reduction().term(), copy);
        if (mask != null && !isZeroElsewhere(sum)) {
          term = writer.blend(mask, term, identity(sum));
        }
        writer.set(accumulator, op(sum), accumulator, term);
      }
    }
  }

  /** Whether lanes that do not count add nothing: those of a masked load are 0. */
  private boolean isZeroElsewhere(Sum sum) {
    DType dtype = sum.store().buffer().dtype();
    return sum.reduction().op() == BinaryOp.ADD
        && sum.reduction().term() instanceof BufferLoad load
        && load.buffer().dtype().equals(dtype)
        && emission.varies(load);
  }

  private static Op op(Sum sum) {
    DType dtype = sum.store().buffer().dtype();
    boolean isUnsigned = !dtype.isFloat() && DTypes.isUnsigned(dtype);
    return switch (sum.reduction().op()) {
      case ADD -> Op.ADD;
      case MUL -> Op.MUL;
      case MIN -> isUnsigned ? Op.UMIN : Op.MIN;
      case MAX -> isUnsigned ? Op.UMAX : Op.MAX;
      case AND -> Op.AND;
      case OR -> Op.OR;
      default -> throw new IllegalStateException("no reduction: " + sum.reduction().op());
    };
  }

  /** Combines all accumulators of an element, and the element with them. */
  void end(Words words, Consumer<Node> emit) {
    for (Sum sum : sums.values()) {
      Op op = op(sum);
      for (int width = copies / 2; width > 0; width /= 2) {
        for (int copy = 0; copy < width; copy++) {
          Reg vector = sum.vectors()[copy];
          writer.set(vector, op, vector, sum.vectors()[copy + width]);
        }
      }
      DType dtype = sum.store().buffer().dtype();
      Var total = new Var("total", dtype);
      emission.define(total, total(sum, op, dtype));
      Node.Store store = sum.store();
      BufferLoad element = new BufferLoad(store.buffer(), List.of(store.index()));
      PrimExpr value = Exprs.binary(sum.reduction().op(), element, total);
      emit.accept(new Node.Store(store.buffer(), store.index(), value, List.of()));
    }
  }

  private Reg total(Sum sum, Op op, DType dtype) {
    Reg vector = sum.vectors()[0];
    if (sum.type().isMask()) {
      Reg bits = writer.compute(Op.MASK_BITS, Type.WORD, vector);
      return op == Op.AND
          ? writer.compare(Relation.EQ, bits, new Imm((1L << lanes) - 1))
          : writer.compare(Relation.NE, bits, new Imm(0));
    }
    while (vector.type().lanes() > 1) {
      Type half = vector.type().withLanes(vector.type().lanes() / 2);
      Reg low = writer.compute(Op.LOW_HALF, half, vector);
      Reg high = writer.compute(Op.HIGH_HALF, half, vector);
      vector = writer.op(op, low, high);
    }
    if (vector.type().isFloat()) {
      return vector;
    }
    Reg word = writer.compute(Op.TO_WORD, Type.WORD, vector);
    return dtype.equals(DType.UINT32) ? writer.op(Op.ZERO32, word) : word;
  }
}
