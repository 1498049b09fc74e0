package org.relaxvm.tir.arith;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;

/** Between which constants values lie. */
final class Bounds {
  private final Workspace work;

  Bounds(Workspace work) {
    this.work = work;
  }

  Interval of(Polynomial polynomial) {
    Interval sum = Interval.of(0);
    for (var term : polynomial.terms()) {
      sum = sum.plus(of(term.monomial()).times(Interval.of(term.coefficient())));
    }
    return sum;
  }

  /** Bounds of what is left of a polynomial without one of its terms. */
  @SuppressWarnings("ReferenceEquality") // that very term
  Interval without(Polynomial polynomial, Term left) {
    Interval sum = Interval.of(0);
    for (Term term : polynomial.terms()) {
      if (term != left) {
        sum = sum.plus(of(term.monomial()).times(Interval.of(term.coefficient())));
      }
    }
    return sum;
  }

  Interval of(Monomial monomial) {
    Interval product = Interval.of(1);
    for (int atom : monomial.atoms()) {
      product = product.times(ofAtom(atom));
    }
    return product;
  }

  Interval ofAtom(int atom) {
    Interval known = work.constraints().atomBounds().get(atom);
    if (known == null) {
      known = ofForm(work.atoms.atom(atom));
      Interval learned = work.constraints().bounds.get(atom);
      known = learned == null ? known : known.narrowedTo(learned);
      work.constraints().atomBounds().put(atom, known);
    }
    return known;
  }

  /** Bounds of any integer or boolean. */
  Interval of(PrimExpr expr) {
    return Workspace.isIndex(expr.dtype())
        ? of(work.parse(expr))
        : ofForm(expr).narrowedTo(ofDType(expr.dtype()));
  }

  private Interval ofForm(PrimExpr expr) {
    Interval all = ofDType(expr.dtype());
    return switch (expr) {
      case IntImm imm when imm.value() >= 0 || !DTypes.isUnsigned(imm.dtype()) ->
          Interval.of(imm.value());
      case Binary binary -> ofBinary(binary, all);
      case Select select -> of(select.whenTrue()).union(of(select.whenFalse()));
      case Cast cast when DTypes.isIntegral(cast.value().dtype()) -> {
        Interval value = of(cast.value());
        yield all.contains(value.min()) && all.contains(value.max()) && isKept(cast) ? value : all;
      }
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE ->
          of(call.args().get(1)).union(of(call.args().get(2)));
      case Call call when call.op() == Intrinsic.ABS && Workspace.isIndex(call.dtype()) ->
          of(call.args().getFirst()).absolute();
      case Call call when call.op() == Intrinsic.BITWISE_AND && Workspace.isIndex(call.dtype()) ->
          ofBitwiseAnd(of(call.args().get(0)), of(call.args().get(1)));
      default -> all;
    };
  }

  // Bounds have no numbers above those of int64: a value of uint64 up there has none of its own.
  private static boolean isKept(Cast cast) {
    DType from = cast.value().dtype();
    return !cast.dtype().equals(DType.BOOL)
        && (!from.equals(DType.UINT64) || cast.dtype().equals(DType.UINT64));
  }

  private static Interval ofBitwiseAnd(Interval a, Interval b) {
    if (a.min() < 0 && b.min() < 0) {
      return Interval.ALL;
    }
    long high = a.min() < 0 ? b.max() : b.min() < 0 ? a.max() : Math.min(a.max(), b.max());
    return new Interval(0, high);
  }

  private Interval ofBinary(Binary binary, Interval all) {
    boolean index = Workspace.isIndex(binary.a().dtype());
    boolean narrow = DTypes.isInteger(binary.a().dtype()) && binary.a().dtype().bits() < 64;
    if (binary.op().kind() != BinaryOp.Kind.ARITHMETIC || !(index || narrow)) {
      return all;
    }
    Interval a = of(binary.a());
    Interval b = of(binary.b());
    return switch (binary.op()) {
      case MIN -> a.smallerOf(b);
      case MAX -> a.largerOf(b);
      case ADD -> index ? a.plus(b) : all;
      case SUB -> index ? a.plus(b.negated()) : all;
      case MUL -> index ? a.times(b) : all;
      case DIV -> index ? a.dividedBy(b) : all;
      case FLOOR_DIV -> index ? a.floorDividedBy(b) : all;
      case MOD -> a.modulo(b);
      case FLOOR_MOD -> a.floorModulo(b);
      default -> all;
    };
  }

  private static Interval ofDType(DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return Interval.bit();
    }
    if (!DTypes.isInteger(dtype)) {
      return Interval.ALL;
    }
    boolean unsigned = DTypes.isUnsigned(dtype);
    if (dtype.bits() == Long.SIZE) {
      return unsigned ? Interval.from(0) : Interval.ALL;
    }
    long values = 1L << dtype.bits();
    return unsigned ? new Interval(0, values - 1) : new Interval(-values / 2, values / 2 - 1);
  }
}
