package org.relaxvm.tir.arith;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** What the parts of an {@link Analyzer} share, and the way between expressions and polynomials. */
final class Workspace {
  final AtomTable atoms = new AtomTable();
  final Bounds bounds = new Bounds(this);
  final Prover prover = new Prover(this);
  final IndexArithmetic arithmetic = new IndexArithmetic(this);
  final Division division = new Division(this);
  final Conditions conditions = new Conditions(this);
  final ConstraintLearning learning = new ConstraintLearning(this);
  private final Map<PrimExpr, Polynomial> forms = new HashMap<>();
  private Constraints facts = new Constraints();

  Constraints constraints() {
    return facts;
  }

  void setFacts(Constraints facts) {
    this.facts = facts;
  }

  /** Whether expressions of this dtype are index arithmetic, which does not wrap around. */
  static boolean isIndex(DType dtype) {
    return dtype.equals(DType.INT64) || dtype.equals(DType.INT32);
  }

  PrimExpr simplify(PrimExpr expr) {
    if (isIndex(expr.dtype())) {
      return expression(polynomial(expr));
    }
    PrimExpr known = facts.simplified().get(expr);
    if (known == null) {
      known = expr.dtype().equals(DType.BOOL) ? conditions.simplify(expr) : simplifyOperands(expr);
      facts.simplified().put(expr, known);
    }
    return known;
  }

  /** The polynomial of an expression of index arithmetic. */
  Polynomial polynomial(PrimExpr expr) {
    Polynomial known = facts.polynomials().get(expr);
    if (known == null) {
      known =
          switch (expr) {
            case IntImm imm -> Polynomial.of(imm.dtype(), imm.value());
            case Binary binary -> arithmetic.simplify(binary);
            default -> {
              PrimExpr simplified = simplifyOperands(expr);
              yield simplified.equals(expr) ? atom(expr) : polynomial(simplified);
            }
          };
      facts.polynomials().put(expr, known);
    }
    return known;
  }

  /**
   * The polynomial that an expression is as it stands, whatever is known. Unlike {@link
   * #polynomial} it proves nothing, so proofs can use it.
   */
  Polynomial parse(PrimExpr expr) {
    Polynomial known = forms.get(expr);
    if (known == null) {
      known = parseAnew(expr);
      forms.put(expr, known);
    }
    return known;
  }

  private Polynomial parseAnew(PrimExpr expr) {
    if (expr instanceof IntImm imm) {
      return Polynomial.of(imm.dtype(), imm.value());
    }
    try {
      if (expr instanceof Binary binary) {
        switch (binary.op()) {
          case ADD -> {
            return parse(binary.a()).plus(parse(binary.b()));
          }
          case SUB -> {
            return parse(binary.a()).minus(parse(binary.b()));
          }
          case MUL -> {
            return parse(binary.a()).times(parse(binary.b()));
          }
          default -> {}
        }
      }
    } catch (ArithmeticException tooLarge) {
      return Polynomial.of(expr.dtype(), Monomial.of(atoms.numberOf(expr)), 1);
    }
    return Polynomial.of(expr.dtype(), Monomial.of(atoms.numberOf(expr)), 1);
  }

  /** An expression whose parts are simplified: a constant when its bounds leave one value. */
  Polynomial atom(PrimExpr expr) {
    if (expr instanceof IntImm imm) {
      return Polynomial.of(imm.dtype(), imm.value());
    }
    int number = atoms.numberOf(expr);
    Interval range = bounds.ofAtom(number);
    return range.isPoint()
        ? Polynomial.of(expr.dtype(), range.min())
        : Polynomial.of(expr.dtype(), Monomial.of(number), 1);
  }

  /** The same with simplified operands, and of a choice that is decided the one that counts. */
  PrimExpr simplifyOperands(PrimExpr expr) {
    return switch (expr) {
      case Var var -> {
        PrimExpr value = facts.values.get(var);
        yield value == null ? var : simplify(value);
      }
      case Select select -> choose(select);
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE -> choose(call);
      default -> {
        List<PrimExpr> operands = new ArrayList<>();
        expr.operands().forEach(operand -> operands.add(simplify(operand)));
        yield Exprs.rebuild(expr, operands);
      }
    };
  }

  private PrimExpr choose(PrimExpr choice) {
    PrimExpr condition = simplify(choice.operands().getFirst());
    PrimExpr whenTrue = choice.operands().get(1);
    PrimExpr whenFalse = choice.operands().get(2);
    if (condition instanceof IntImm known) {
      return simplify(known.value() != 0 ? whenTrue : whenFalse);
    }
    boolean lazy = choice instanceof Call;
    PrimExpr first = simplifyUnder(condition, whenTrue, lazy);
    PrimExpr second = simplifyUnder(Conditions.not(condition), whenFalse, lazy);
    if (first.equals(second)) {
      return first;
    }
    return Exprs.rebuild(choice, List.of(condition, first, second));
  }

  /**
   * Simplifies what counts only where a condition holds.
   *
   * @param lazy whether it is evaluated only there: else what is safe by the condition, such as a
   *     load in bounds, has to stay safe without it
   */
  PrimExpr simplifyUnder(PrimExpr condition, PrimExpr expr, boolean lazy) {
    if (!lazy && mayFail(expr)) {
      return simplify(expr);
    }
    Constraints outer = facts;
    facts = outer.copy();
    try {
      learning.assume(condition);
      return simplify(expr);
    } finally {
      facts = outer;
    }
  }

  private static boolean mayFail(PrimExpr expr) {
    boolean itself =
        switch (expr) {
          case BufferLoad load -> true;
          case Binary binary ->
              switch (binary.op()) {
                case DIV, MOD, FLOOR_DIV, FLOOR_MOD ->
                    !(binary.b() instanceof IntImm divisor && divisor.value() != 0);
                default -> false;
              };
          default -> false;
        };
    if (itself) {
      return true;
    }
    for (PrimExpr operand : expr.operands()) {
      if (mayFail(operand)) {
        return true;
      }
    }
    return false;
  }

  /** A polynomial as people write it: what is added first, then what is subtracted. */
  PrimExpr expression(Polynomial polynomial) {
    DType dtype = polynomial.dtype();
    if (polynomial.isConstant()) {
      return new IntImm(dtype, polynomial.constant());
    }
    List<Term> terms = new ArrayList<>(polynomial.terms());
    for (int i = 0; i < terms.size(); i++) {
      if (terms.get(i).coefficient() > 0) {
        terms.addFirst(terms.remove(i));
        break;
      }
    }
    PrimExpr sum = product(dtype, terms.getFirst().monomial(), terms.getFirst().coefficient());
    for (var term : terms.subList(1, terms.size())) {
      long coefficient = term.coefficient();
      boolean subtract = coefficient < 0 && fits(dtype, -coefficient);
      PrimExpr product = product(dtype, term.monomial(), subtract ? -coefficient : coefficient);
      sum = new Binary(subtract ? BinaryOp.SUB : BinaryOp.ADD, sum, product);
    }
    return sum;
  }

  private PrimExpr product(DType dtype, Monomial monomial, long coefficient) {
    if (monomial.isOne()) {
      return new IntImm(dtype, coefficient);
    }
    PrimExpr product = atoms.atom(monomial.first());
    for (int i = 1; i < monomial.atoms().length; i++) {
      product = new Binary(BinaryOp.MUL, product, atoms.atom(monomial.atoms()[i]));
    }
    return coefficient == 1
        ? product
        : new Binary(BinaryOp.MUL, product, new IntImm(dtype, coefficient));
  }

  private static boolean fits(DType dtype, long positive) {
    return positive > 0
        && positive <= (dtype.equals(DType.INT32) ? Integer.MAX_VALUE : Long.MAX_VALUE);
  }
}
