package org.relaxvm.backendcpu.jit.build;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.IndexCheck;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** Finds out whether the iterations of a loop can be lanes, and how many. */
final class VectorCheck {
  /**
   * The vectors of a loop.
   *
   * @param lanes of a vector
   * @param isMaskable whether a part of the lanes can be computed
   * @param copiedBits the bits of elements that are only copied, as integers; 0 if there is more
   */
  record Plan(int lanes, boolean isMaskable, int copiedBits) {
    /** The bits of the mask of lanes that count. */
    int maskBits() {
      return copiedBits == 0 ? 32 : copiedBits;
    }
  }

  private final Emission emission;
  private final Var counter;
  private final boolean isReduction;
  private final int lanes;

  /** Whether a condition that varies is around what is looked at. */
  private boolean isConditional;

  private VectorCheck(Emission emission, Node.Loop loop, int lanes) {
    this.emission = emission;
    this.counter = loop.counter();
    this.isReduction = loop.mode() == Node.Mode.REDUCTION;
    this.lanes = lanes;
  }

  /** The vectors of a loop; empty if it has to be a loop of scalars. */
  static Optional<Plan> of(Emission emission, Node.Loop loop) {
    emission.varying.add(loop.counter());
    try {
      int copied = copiedBits(emission, loop.counter(), loop.body());
      if (copied > 0 && copied < 32) {
        int lanes = lanes(emission, loop, copied);
        return Optional.of(new Plan(lanes, emission.target.hasMaskedAccess(copied), copied));
      }
      int bits = laneBits(emission, loop.counter(), loop.body());
      int lanes = lanes(emission, loop, bits);
      if (!new VectorCheck(emission, loop, lanes).fits(loop.body(), false)) {
        return Optional.empty();
      }
      boolean isMaskable = new VectorCheck(emission, loop, lanes).fits(loop.body(), true);
      return Optional.of(new Plan(lanes, isMaskable, 0));
    } finally {
      forget(emission, loop.body());
      emission.varying.remove(loop.counter());
    }
  }

  private static void forget(Emission emission, Node node) {
    if (node instanceof Node.Define define) {
      emission.varying.remove(define.var());
    }
    node.children().forEach(child -> forget(emission, child));
  }

  /** The bits of the elements of statements that only copy; 0 if there are others, or several. */
  private static int copiedBits(Emission emission, Var counter, Node node) {
    return switch (node) {
      case Node.Store(Buffer to, PrimExpr place, PrimExpr value, List<IndexCheck> checks)
          when value instanceof BufferLoad load
              && load.buffer().dtype().equals(to.dtype())
              // Of booleans, any byte but 0 is read as 1.
              && !to.dtype().equals(DType.BOOL)
              && checks.isEmpty()
              && !emission.program.checks().containsKey(load)
              && Lanes.isContiguous(emission, counter, place)
              && Lanes.isContiguous(emission, counter, load.indices().getFirst()) ->
          to.dtype().elementByteSize() * 8;
      case Node.Sequence(List<Node> nodes) -> {
        int bits = nodes.isEmpty() ? 0 : copiedBits(emission, counter, nodes.getFirst());
        for (Node each : nodes) {
          bits = copiedBits(emission, counter, each) == bits ? bits : 0;
        }
        yield bits;
      }
      default -> 0;
    };
  }

  /** A vector holds the widest lanes; a loop of few iterations has a part of a vector. */
  private static int lanes(Emission emission, Node.Loop loop, int bits) {
    int lanes = emission.target.vectorBits() / bits;
    int fewest = 128 / bits;
    if (loop.extent() instanceof IntImm extent) {
      while (lanes > fewest && lanes / 2 >= extent.value()) {
        lanes /= 2;
      }
    }
    return lanes;
  }

  /** 64 if a value that varies, or that is stored to elements that do, has 64 bits, else 32. */
  private static int laneBits(Emission emission, Var counter, Node node) {
    int bits = 32;
    switch (node) {
      case Node.Store(Buffer buffer, PrimExpr index, PrimExpr value, List<IndexCheck> checks) -> {
        bits = Math.max(laneBits(emission, counter, value), bits);
        if (buffer.dtype().bits() == 64 && (emission.varies(value) || emission.varies(index))) {
          bits = 64;
        }
      }
      case Node.Define(Var var, PrimExpr value, Node body) -> {
        if (emission.varies(value)) {
          emission.varying.add(var);
          bits = laneBits(emission, counter, value);
        }
      }
      case Node.Branch branch -> bits = laneBits(emission, counter, branch.condition());
      default -> {}
    }
    for (Node child : node.children()) {
      bits = Math.max(bits, laneBits(emission, counter, child));
    }
    return bits;
  }

  private static int laneBits(Emission emission, Var counter, PrimExpr expr) {
    if (!emission.varies(expr)) {
      return 32;
    }
    int bits = expr.dtype().bits() == 64 ? 64 : 32;
    return switch (expr) {
      case BufferLoad load ->
          isRegular(emission, counter, load.indices().getFirst())
              ? bits
              : Math.max(bits, laneBits(emission, counter, load.indices().getFirst()));
      case Binary binary when Lanes.boundOf(emission, counter, binary) != null -> 32;
      case Cast cast when isCounter(cast, counter) -> bits;
      default -> {
        for (PrimExpr operand : expr.operands()) {
          bits = Math.max(bits, laneBits(emission, counter, operand));
        }
        yield bits;
      }
    };
  }

  private static boolean isCounter(Cast cast, Var counter) {
    return cast.value().equals(counter)
        && DTypes.isInteger(cast.dtype())
        && cast.dtype().bits() <= 32;
  }

  /** Whether elements of adjacent lanes are a constant distance apart. */
  private static boolean isRegular(Emission emission, Var counter, PrimExpr place) {
    OptionalLong step = Affine.step(place, counter);
    return step.isPresent()
        && Math.abs(step.getAsLong()) < 1 << 20
        && Lanes.onlyCounterVaries(emission, counter, place);
  }

  private boolean fits(Node node, boolean masked) {
    return switch (node) {
      case Node.Store store -> fitsStore(store, masked);
      case Node.Sequence(List<Node> nodes) -> nodes.stream().allMatch(n -> fits(n, masked));
      case Node.Define(Var var, PrimExpr value, Node body) -> {
        boolean varies = emission.varies(value);
        if (varies) {
          emission.varying.add(var);
        }
        yield (!varies || (fits(value, masked) && !value.dtype().equals(DType.BOOL)))
            && fits(body, masked);
      }
      case Node.Loop loop ->
          !isReduction
              && loop.mode() != Node.Mode.VECTOR
              && loop.mode() != Node.Mode.REDUCTION
              && !emission.varies(loop.min())
              && !emission.varies(loop.extent())
              && fits(loop.body(), masked);
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) -> {
        boolean varies = emission.varies(condition);
        if (varies && (isReduction || !fits(condition, masked))) {
          yield false;
        }
        boolean inside = masked || varies;
        boolean outer = isConditional;
        isConditional |= varies;
        boolean fits =
            fits(whenTrue, inside)
                && (whenFalse.isEmpty() || fits(whenFalse.orElseThrow(), inside));
        isConditional = outer;
        yield fits;
      }
      default -> false;
    };
  }

  private boolean fitsStore(Node.Store store, boolean masked) {
    if (!fits(store.value(), masked) || !isUniform(store.checks())) {
      return false;
    }
    DType dtype = store.buffer().dtype();
    if (isReduction && !emission.varies(store.index())) {
      return Reduction.of(store)
          .filter(
              found ->
                  !(dtype.isFloat() && dtype.bits() < 32)
                      && (dtype.isFloat() || dtype.bits() >= 32 || dtype.equals(DType.BOOL))
                      && !Dependences.reads(found.term(), store.buffer())
                      && fits(store.value(), masked))
          .isPresent();
    }
    return Lanes.isContiguous(emission, counter, store.index())
        && (!masked || emission.target.hasMaskedAccess(dtype.elementByteSize() * 8));
  }

  /** Whether one comparison is right for all lanes: those that count, if it is made. */
  private boolean isUniform(List<IndexCheck> checks) {
    return (checks.isEmpty() || !isConditional)
        && checks.stream()
            .noneMatch(check -> emission.varies(check.index()) || emission.varies(check.extent()));
  }

  private boolean fits(PrimExpr expr, boolean masked) {
    if (!emission.varies(expr)) {
      return true;
    }
    return switch (expr) {
      case Var var -> true;
      case Binary binary -> fitsBinary(binary, masked);
      case Not(PrimExpr a) -> fits(a, masked);
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          fits(condition, masked) && fits(a, masked) && fits(b, masked);
      case Cast cast ->
          isCounter(cast, counter)
              || (fits(cast.value(), masked)
                  && Casts.canCast(emission.target, cast.value().dtype(), cast.dtype(), lanes));
      case BufferLoad load -> fitsLoad(load, masked);
      case Call call -> fitsCall(call, masked);
      default -> false;
    };
  }

  private boolean fitsBinary(Binary binary, boolean masked) {
    DType dtype = binary.a().dtype();
    if (binary.op().kind() == BinaryOp.Kind.COMPARISON
        && Lanes.boundOf(emission, counter, binary) != null) {
      return true;
    }
    if (!fits(binary.a(), masked) || !fits(binary.b(), masked)) {
      return false;
    }
    if (binary.op().kind() != BinaryOp.Kind.ARITHMETIC || dtype.equals(DType.BOOL)) {
      return binary.op().kind() != BinaryOp.Kind.ARITHMETIC
          && (dtype.equals(DType.BOOL)
              || emission.target.supports(Words.relation(BinaryOp.LT, dtype), laneType(dtype)));
    }
    if (dtype.isFloat()) {
      return true;
    }
    return switch (binary.op()) {
      case ADD, SUB -> true;
      case MUL -> supports(Op.MUL, dtype);
      case MIN -> supports(DTypes.isUnsigned(dtype) ? Op.UMIN : Op.MIN, dtype);
      case MAX -> supports(DTypes.isUnsigned(dtype) ? Op.UMAX : Op.MAX, dtype);
      case DIV, MOD, FLOOR_DIV, FLOOR_MOD ->
          dtype.bits() <= 32 && binary.b() instanceof IntImm divisor && divisor.value() != 0;
      default -> false;
    };
  }

  private Type laneType(DType dtype) {
    int width = dtype.bits() == 64 ? 64 : 32;
    return dtype.isFloat() ? Type.floats(width, lanes) : Type.ints(width, lanes);
  }

  private boolean supports(Op op, DType dtype) {
    Type type = laneType(dtype);
    return emission.target.supports(op, type, type);
  }

  private boolean fitsLoad(BufferLoad load, boolean masked) {
    PrimExpr place = load.indices().getFirst();
    DType dtype = load.buffer().dtype();
    if (!isUniform(emission.program.checks().getOrDefault(load, List.of()))) {
      return false;
    }
    int bits = dtype.elementByteSize() * 8;
    if (Lanes.isContiguous(emission, counter, place)) {
      return !masked || emission.target.hasMaskedAccess(bits);
    }
    if (bits < 32 || dtype.equals(DType.BOOL)) {
      return false;
    }
    Type type = laneType(dtype);
    if (isRegular(emission, counter, place)) {
      return emission.target.supportsGather(type, Type.ints(type.bits(), lanes));
    }
    return type.bits() == 64
        && fits(place, masked)
        && emission.target.supportsGather(type, Type.ints(64, lanes));
  }

  private boolean fitsCall(Call call, boolean masked) {
    List<PrimExpr> args = call.args();
    if (call.op() == Intrinsic.IF_THEN_ELSE) {
      boolean varies = emission.varies(args.get(0));
      boolean inside = masked || varies;
      boolean outer = isConditional;
      boolean fits = fits(args.get(0), masked);
      isConditional |= varies;
      fits = fits && fits(args.get(1), inside) && fits(args.get(2), inside);
      isConditional = outer;
      return fits
          && !(varies && (readsUniform(args.get(1)) || readsUniform(args.get(2))))
          && (varies || !call.dtype().equals(DType.BOOL));
    }
    return Functions.isSupported(
            emission.target, call.op(), laneType(args.getFirst().dtype()), args.getFirst().dtype())
        && args.stream().allMatch(arg -> fits(arg, masked));
  }

  /** Whether one element is read for all lanes, also where its lane does not count. */
  private boolean readsUniform(PrimExpr expr) {
    if (expr instanceof BufferLoad && !emission.varies(expr)) {
      return true;
    }
    return expr.operands().stream().anyMatch(this::readsUniform);
  }
}
