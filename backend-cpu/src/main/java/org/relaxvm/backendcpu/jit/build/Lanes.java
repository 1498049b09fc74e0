package org.relaxvm.backendcpu.jit.build;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.IndexCheck;
import org.relaxvm.backendcpu.jit.functions.IntegerQuotients;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/**
 * Writes expressions of a vector loop, a vector for each copy of its body. Integers of up to 32
 * bits are lanes of 32 bits, booleans are masks, floats of up to 32 bits are float32.
 */
final class Lanes {
  private final Emission emission;
  private final Words words;
  private final LirWriter writer;

  /** The loop whose iterations are lanes. */
  private final Var counter;

  /** The register of its counter: of the first lane of the first copy. */
  private final Reg index;

  private final int lanes;
  private final int copiedBits;

  /** A writer for the vectors of a plan. */
  Lanes(Emission emission, Words words, Var counter, Reg index, VectorCheck.Plan plan) {
    this.emission = emission;
    this.words = words;
    this.writer = emission.writer;
    this.counter = counter;
    this.index = index;
    this.lanes = plan.lanes();
    this.copiedBits = plan.copiedBits();
  }

  /** The type of lanes with values of a dtype; of booleans, the mask for lanes of {@code bits}. */
  Type type(DType dtype, int bits) {
    if (dtype.equals(DType.BOOL)) {
      return Type.mask(bits, lanes);
    }
    int width = dtype.bits() == 64 ? 64 : 32;
    return dtype.isFloat() ? Type.floats(width, lanes) : Type.ints(width, lanes);
  }

  private Type type(DType dtype) {
    return type(dtype, 32);
  }

  /** The lanes of a copy. */
  Operand of(PrimExpr expr, int copy) {
    if (!emission.varies(expr)) {
      return uniform(expr);
    }
    if (expr instanceof BufferLoad load) {
      Reg held = emission.held(load.buffer(), load.indices().getFirst(), copy);
      if (held != null) {
        return held;
      }
    }
    int home = emission.home(expr);
    Scope scope = emission.scopes.get(home);
    Operand known = scope.lanes(copy).get(expr);
    if (known == null) {
      known = emission.at(home, () -> compute(expr, copy));
      scope.lanes(copy).put(expr, known);
    }
    return known;
  }

  /** The lanes in a register. */
  Reg inRegister(PrimExpr expr, int copy) {
    return writer.inRegister(of(expr, copy));
  }

  /** The lanes of a boolean as a mask for lanes of a number of bits. */
  Reg mask(PrimExpr condition, int copy, int bits) {
    Reg mask = inRegister(condition, copy);
    return resized(mask, bits);
  }

  private Reg resized(Reg mask, int bits) {
    return mask.type().bits() == bits
        ? mask
        : writer.compute(Op.RESIZE, Type.mask(bits, mask.type().lanes()), mask);
  }

  /** A value that is the same for all lanes. */
  private Operand uniform(PrimExpr expr) {
    Type type = type(expr.dtype());
    Operand value = words.of(expr);
    if (type.isMask()) {
      return uniformMask(expr, value);
    }
    if (value instanceof Imm(long integer)) {
      return new Const(type, type.bits() == 32 ? integer & 0xffff_ffffL : integer);
    }
    if (value instanceof Const constant) {
      return new Const(type, constant.bits());
    }
    return splat(expr, type, value);
  }

  private Operand splat(PrimExpr expr, Type type, Operand value) {
    boolean isHeld =
        expr instanceof BufferLoad load
            && emission.held(load.buffer(), load.indices().getFirst(), 0) != null;
    int home = isHeld ? emission.depth() : emission.home(expr);
    Scope scope = emission.scopes.get(home);
    Scope.Splat key = new Scope.Splat(expr, type);
    Operand known = isHeld ? null : scope.splats.get(key);
    if (known == null) {
      known = emission.at(home, () -> writer.compute(Op.SPLAT, type, value));
      if (!isHeld) {
        scope.splats.put(key, known);
      }
    }
    return known;
  }

  private Operand uniformMask(PrimExpr expr, Operand value) {
    Type ints = Type.ints(32, lanes);
    if (value instanceof Imm(long truth)) {
      Reg zero = writer.inRegister(new Const(ints, 0));
      return writer.compare(truth != 0 ? Relation.EQ : Relation.NE, zero, new Const(ints, 0));
    }
    Operand splat = splat(expr, ints, value);
    return writer.compare(Relation.NE, writer.inRegister(splat), new Const(ints, 0));
  }

  /** How many lanes a vector has. */
  int count() {
    return lanes;
  }

  /** The lanes of a copy that count, as a mask for lanes of a number of bits; null for all. */
  @Nullable Reg activeMask(int copy, int bits) {
    Reg[] masks = emission.scope().masks;
    return masks == null ? null : resized(masks[copy], bits);
  }

  private Operand compute(PrimExpr expr, int copy) {
    return switch (expr) {
      case Var var -> variable(var, copy);
      case BufferLoad load -> load(load, copy);
      case Binary binary -> binary(binary, copy);
      case Not(PrimExpr a) -> writer.op(Op.NOT, inRegister(a, copy));
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          blend(condition, of(a, copy), of(b, copy), copy);
      case Cast cast -> cast(cast, copy);
      case Call call -> call(call, copy);
      case IntImm imm -> throw new IllegalStateException("a constant does not vary: " + imm);
      case FloatImm imm -> throw new IllegalStateException("a constant does not vary: " + imm);
      default -> throw new IllegalStateException("no expression of a kernel: " + expr);
    };
  }

  private Operand blend(PrimExpr condition, Operand a, Operand b, int copy) {
    if (a.type().isMask()) {
      Reg first = writer.inRegister(a);
      int bits = first.type().bits();
      Reg second = resized(writer.inRegister(b), bits);
      Reg mask = mask(condition, copy, bits);
      return writer.op(Op.OR, writer.op(Op.AND, first, mask), writer.op(Op.AND_NOT, second, mask));
    }
    return writer.blend(mask(condition, copy, a.type().bits()), a, b);
  }

  private Operand variable(Var var, int copy) {
    if (var.equals(counter)) {
      return iota(Type.ints(64, lanes), copy);
    }
    throw new IllegalStateException("a variable that varies is defined before it is used: " + var);
  }

  /** The values of the counter, of which lanes of 32 bits have the low ones. */
  private Operand iota(Type type, int copy) {
    long[] offsets = new long[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      offsets[lane] = lane + (long) copy * lanes;
    }
    Reg start = writer.compute(Op.SPLAT, type, index);
    return writer.op(Op.ADD, start, new Const(type, offsets));
  }

  // ---- memory -----------------------------------------------------------------------------------

  private Operand load(BufferLoad load, int copy) {
    Buffer buffer = load.buffer();
    PrimExpr place = load.indices().getFirst();
    List<IndexCheck> checks = emission.program.checks().getOrDefault(load, List.of());
    emission.check(words, checks);
    DType dtype = buffer.dtype();
    if (isContiguous(place)) {
      Address at = contiguous(buffer, place, copy);
      if (copiedBits > 0) {
        Reg mask = activeMask(copy, copiedBits);
        return writer.load(Type.ints(copiedBits, lanes), at, copiedBits, false, false, mask);
      }
      return Casts.load(writer, emission.target, at, dtype, lanes, bits -> activeMask(copy, bits));
    }
    return gather(buffer, place, copy);
  }

  /** Whether adjacent lanes are adjacent in memory. */
  boolean isContiguous(PrimExpr place) {
    return isContiguous(emission, counter, place);
  }

  static boolean isContiguous(Emission emission, Var counter, PrimExpr place) {
    return Affine.isContiguous(place, counter) && onlyCounterVaries(emission, counter, place);
  }

  static boolean onlyCounterVaries(Emission emission, Var counter, PrimExpr expr) {
    if (expr instanceof Var var) {
      return var.equals(counter) || !emission.varying.contains(var);
    }
    return expr.operands().stream().allMatch(e -> onlyCounterVaries(emission, counter, e));
  }

  private Address contiguous(Buffer buffer, PrimExpr place, int copy) {
    Address at = emission.address(words, buffer, place);
    return at.plus(copy * lanes * buffer.dtype().elementByteSize());
  }

  private Operand gather(Buffer buffer, PrimExpr place, int copy) {
    DType dtype = buffer.dtype();
    int size = dtype.elementByteSize();
    Type type = type(dtype);
    OptionalLong step = Affine.step(place, counter);
    Reg result = writer.reg(type);
    Reg mask = activeMask(copy, type.bits());
    if (step.isPresent() && onlyCounterVaries(emission, counter, place)) {
      // Adjacent lanes are a constant distance apart.
      long distance = step.getAsLong() * size;
      long[] offsets = new long[lanes];
      for (int lane = 0; lane < lanes; lane++) {
        offsets[lane] = (lane + (long) copy * lanes) * distance;
      }
      Type indices = Type.ints(type.bits(), lanes);
      Reg distances = writer.inRegister(new Const(indices, mask32(offsets, type.bits())));
      Address at = emission.address(words, buffer, place);
      Reg base = at.index() == null ? at.base() : base(at);
      writer.add(new Lir.Gather(result, base, distances, 1, at.displacement(), mask));
      return result;
    }
    long[] constant = {0};
    PrimExpr rest = Emission.withoutConstant(place, constant);
    Reg indices = inRegister(rest, copy);
    Address at = emission.address(words, buffer, IntImm.of(constant[0]));
    writer.add(new Lir.Gather(result, at.base(), indices, size, at.displacement(), mask));
    return result;
  }

  private Reg base(Address at) {
    Operand offset = writer.multiplyWords(Objects.requireNonNull(at.index()), new Imm(at.scale()));
    return writer.inRegister(writer.addWords(at.base(), offset));
  }

  private static long[] mask32(long[] values, int bits) {
    long[] masked = values.clone();
    for (int i = 0; i < masked.length && bits == 32; i++) {
      masked[i] &= 0xffff_ffffL;
    }
    return masked;
  }

  /** Writes lanes to adjacent elements. */
  void store(Buffer buffer, PrimExpr place, Operand value, int copy) {
    Address at = contiguous(buffer, place, copy);
    if (copiedBits > 0) {
      writer.store(at, value, copiedBits, activeMask(copy, copiedBits));
      return;
    }
    Casts.store(writer, emission.target, at, value, buffer.dtype(), bits -> activeMask(copy, bits));
  }

  /** Reads an element of each lane, to keep it in registers. */
  Reg element(BufferLoad load, int copy) {
    Operand value = emission.varies(load.indices().getFirst()) ? load(load, copy) : uniform(load);
    Reg register = writer.reg(value.type());
    writer.set(register, Op.MOVE, value);
    return register;
  }

  // ---- operations -------------------------------------------------------------------------------

  private Operand binary(Binary binary, int copy) {
    PrimExpr a = binary.a();
    PrimExpr b = binary.b();
    DType dtype = a.dtype();
    switch (binary.op().kind()) {
      case LOGICAL -> {
        Reg first = inRegister(a, copy);
        Reg second = mask(b, copy, first.type().bits());
        return writer.op(binary.op() == BinaryOp.AND ? Op.AND : Op.OR, first, second);
      }
      case COMPARISON -> {
        Operand ranged = range(binary, copy);
        return ranged != null ? ranged : compare(binary.op(), a, b, dtype, copy);
      }
      case ARITHMETIC -> {}
    }
    Operand first = of(a, copy);
    Operand second = of(b, copy);
    if (dtype.isFloat()) {
      Operand result = FloatArithmetic.of(writer, emission.target, binary.op(), first, second);
      return Casts.rounded(writer, emission.target, result, dtype);
    }
    boolean isUnsigned = DTypes.isUnsigned(dtype);
    Op op =
        switch (binary.op()) {
          case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> null;
          case ADD -> Op.ADD;
          case SUB -> Op.SUB;
          case MUL -> Op.MUL;
          case MIN -> isUnsigned ? Op.UMIN : Op.MIN;
          case MAX -> isUnsigned ? Op.UMAX : Op.MAX;
          default -> throw new IllegalStateException("checked before: " + binary.op());
        };
    Operand result =
        op == null
            ? new IntegerQuotients(emission.target)
                .write(writer, binary.op(), dtype, writer.inRegister(first), second)
            : writer.op(op, writer.inRegister(first), second);
    return Casts.wrappedLanes(writer, result, dtype);
  }

  private Operand compare(BinaryOp op, PrimExpr a, PrimExpr b, DType dtype, int copy) {
    Relation relation = Words.relation(op, dtype);
    if (dtype.equals(DType.BOOL)) {
      Reg first = inRegister(a, copy);
      Reg second = mask(b, copy, first.type().bits());
      Reg differs = writer.op(Op.XOR, first, second);
      return switch (op) {
        case NE -> differs;
        case EQ -> writer.op(Op.NOT, differs);
        case LT -> writer.op(Op.AND_NOT, second, first);
        case LE -> writer.op(Op.OR, second, writer.op(Op.NOT, first));
        case GT -> writer.op(Op.AND_NOT, first, second);
        default -> writer.op(Op.OR, first, writer.op(Op.NOT, second));
      };
    }
    Operand first = of(a, copy);
    Operand second = of(b, copy);
    if (first instanceof Const && !(second instanceof Const)) {
      return writer.compare(relation.swapped(), second, first);
    }
    return writer.compare(relation, writer.inRegister(first), second);
  }

  /**
   * Compares the counter with a bound: the first lanes, or the last ones. Null for other
   * comparisons.
   */
  private @Nullable Operand range(Binary binary, int copy) {
    PrimExpr difference = boundOf(emission, counter, binary);
    if (difference == null) {
      return null;
    }
    // The comparison is: counter - limit (op) 0 for the counter growing by 1 a lane.
    boolean isGrowing = Affine.step(difference, counter).getAsLong() == 1;
    Operand first =
        words.of(
            org.relaxvm.tir.rewrite.Substitution.in(
                difference, java.util.Map.of(counter, IntImm.of(0))));
    Operand start =
        writer.addWords(
            isGrowing ? index : writer.op(Op.NEG, index),
            isGrowing ? new Imm((long) copy * lanes) : new Imm(-(long) copy * lanes));
    Operand value = writer.addWords(start, first);
    // Growing: value + lane < 0 for the first -value lanes. Falling: value - lane > 0 for value.
    boolean isFirst =
        switch (binary.op()) {
          case LT, LE -> isGrowing;
          default -> !isGrowing;
        };
    Operand count;
    if (isGrowing) {
      // First lanes for LT (LE, one more); complements for GE (GT: of LE).
      boolean isMore = binary.op() == BinaryOp.LE || binary.op() == BinaryOp.GT;
      count = writer.op(Op.NEG, writer.inRegister(value));
      count = isMore ? writer.addWords(count, new Imm(1)) : count;
    } else {
      // First lanes for GT (GE, one more); complements for LE (of GT), LT (of GE).
      boolean isMore = binary.op() == BinaryOp.GE || binary.op() == BinaryOp.LT;
      count = isMore ? writer.addWords(value, new Imm(1)) : value;
    }
    Reg clamped =
        writer.op(Op.MIN, writer.op(Op.MAX, writer.inRegister(count), new Imm(0)), new Imm(lanes));
    Reg mask = writer.compute(Op.FIRST_LANES, Type.mask(32, lanes), clamped);
    return isFirst ? mask : writer.op(Op.NOT, mask);
  }

  /** The difference of the sides of a comparison that the first lanes or the last ones fulfil. */
  static @Nullable PrimExpr boundOf(Emission emission, Var counter, Binary binary) {
    boolean isOrder =
        switch (binary.op()) {
          case LT, LE, GT, GE -> true;
          default -> false;
        };
    if (!isOrder
        || !binary.a().dtype().equals(DType.INT64)
        || Dependences.reads(binary)
        || !onlyCounterVaries(emission, counter, binary)) {
      return null;
    }
    PrimExpr difference = Exprs.sub(binary.a(), binary.b());
    OptionalLong step = Affine.step(difference, counter);
    return step.isPresent() && Math.abs(step.getAsLong()) == 1 ? difference : null;
  }

  private Operand cast(Cast cast, int copy) {
    PrimExpr value = cast.value();
    DType to = cast.dtype();
    if (value.equals(counter) && DTypes.isInteger(to) && to.bits() <= 32) {
      return Casts.wrappedLanes(writer, writer.inRegister(iota(Type.ints(32, lanes), copy)), to);
    }
    return Casts.lanes(writer, emission.target, of(value, copy), value.dtype(), to);
  }

  private Operand call(Call call, int copy) {
    List<PrimExpr> args = call.args();
    if (call.op() == Intrinsic.IF_THEN_ELSE) {
      return choose(args.get(0), args.get(1), args.get(2), copy);
    }
    DType dtype = args.getFirst().dtype();
    Operand[] operands = args.stream().map(arg -> of(arg, copy)).toArray(Operand[]::new);
    return Functions.lanes(writer, emission.target, call.op(), dtype, operands);
  }

  /** Computes both sides; of what each reads, only the lanes that count. */
  private Operand choose(PrimExpr condition, PrimExpr a, PrimExpr b, int copy) {
    if (!emission.varies(condition)) {
      return chooseUniform(condition, a, b, copy);
    }
    if (!Dependences.reads(a) && !Dependences.reads(b)) {
      return blend(condition, of(a, copy), of(b, copy), copy);
    }
    Reg test = inRegister(condition, copy);
    Operand first = side(a, test, copy);
    Operand second = side(b, writer.op(Op.NOT, test), copy);
    return blend(condition, first, second, copy);
  }

  private Operand side(PrimExpr expr, Reg mask, int copy) {
    Scope scope = emission.scope();
    Reg[] outer = scope.masks;
    Reg both =
        outer == null ? mask : writer.op(Op.AND, mask, resized(outer[copy], mask.type().bits()));
    // A scope of its own, so that what is read under the mask stays apart.
    Scope inner = emission.open(Scope.Kind.CONDITION, java.util.Set.of());
    Reg[] masks = new Reg[copy + 1];
    masks[copy] = both;
    inner.masks = masks;
    Operand value = of(expr, copy);
    List<Lir> statements = emission.close();
    writer.addAll(statements);
    return value;
  }

  private Operand chooseUniform(PrimExpr condition, PrimExpr a, PrimExpr b, int copy) {
    Reg test = words.inRegister(condition);
    Type type = type(a.dtype());
    if (type.isMask()) {
      throw new org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException(
          "choice between masks by one condition");
    }
    Reg result = writer.reg(type);
    writer.set(result, Op.MOVE, new Const(type, 0));
    List<Lir> first = uniformSide(result, a, copy);
    List<Lir> second = uniformSide(result, b, copy);
    writer.add(new Lir.If(Relation.NE, test, new Imm(0), first, second));
    return result;
  }

  private List<Lir> uniformSide(Reg result, PrimExpr expr, int copy) {
    emission.open(Scope.Kind.CONDITION, java.util.Set.of());
    writer.set(result, Op.MOVE, of(expr, copy));
    return emission.close();
  }
}
