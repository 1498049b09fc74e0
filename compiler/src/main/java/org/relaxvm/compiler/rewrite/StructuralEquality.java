package org.relaxvm.compiler.rewrite;

import java.util.List;
import java.util.function.BiPredicate;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.compiler.type.check.TypeEquality;

/**
 * Compares programs up to the identity and the names of variables; constants by their data, global
 * variables by name. Types count where the program says them: parameters, results, match_cast and
 * type arguments.
 */
public final class StructuralEquality {
  private final TypeEquality types;
  private final BiPredicate<Constant, Constant> constants;

  private StructuralEquality(TypeEquality types, BiPredicate<Constant, Constant> constants) {
    this.types = types;
    this.constants = constants;
  }

  /** Whether two modules have equal functions of the same names, in any order. */
  public static boolean areEqual(IRModule a, IRModule b) {
    return a.attrs().equals(b.attrs())
        && a.vdevices().equals(b.vdevices())
        && a.functions().keySet().equals(b.functions().keySet())
        && a.functions().entrySet().stream()
            .allMatch(entry -> areEqual(entry.getValue(), b.require(entry.getKey())));
  }

  /** Whether two functions are equal. */
  public static boolean areEqual(ModuleFunction a, ModuleFunction b) {
    return switch (a) {
      case KernelFunction(var x) ->
          b instanceof KernelFunction(var y)
              && org.relaxvm.tir.rewrite.StructuralEquality.areEqual(x, y);
      case ExternFunc x -> x.equals(b);
      case RelaxFunction x ->
          b instanceof RelaxFunction y
              && new StructuralEquality(TypeEquality.upToNames(), StructuralEquality::areEqual)
                  .same(x, y);
    };
  }

  /** Whether two expressions are equal; variables that they do not bind are to be the same. */
  public static boolean areEqual(Expr a, Expr b) {
    return areEqual(a, b, StructuralEquality::areEqual);
  }

  /**
   * As {@link #areEqual(Expr, Expr)}, with constants compared by {@code constants} instead of by
   * their data.
   */
  public static boolean areEqual(Expr a, Expr b, BiPredicate<Constant, Constant> constants) {
    return new StructuralEquality(TypeEquality.exact(), constants).same(a, b);
  }

  private boolean same(Expr a, Expr b) {
    return switch (a) {
      case RelaxVar x -> b instanceof RelaxVar y && types.sameVar(x, y);
      case GlobalVar x -> x.equals(b);
      case Constant x -> b instanceof Constant y && constants.test(x, y);
      case ShapeExpr(var x) -> b instanceof ShapeExpr(var y) && types.all(x, y);
      case StringImm x -> x.equals(b);
      case DataTypeImm x -> x.equals(b);
      case PrimValue(var x) -> b instanceof PrimValue(var y) && types.same(x, y);
      case Tuple(var x) -> b instanceof Tuple(var y) && all(x, y);
      case TupleGetItem(Expr x, int i) ->
          b instanceof TupleGetItem(Expr y, int j) && i == j && same(x, y);
      case Call x ->
          b instanceof Call y
              && same(x.callee(), y.callee())
              && all(x.args(), y.args())
              && x.attrs().equals(y.attrs())
              && TypeEquality.<Type>all(x.typeArgs(), y.typeArgs(), types::same);
      case SeqExpr x ->
          b instanceof SeqExpr y
              && TypeEquality.<BindingBlock>all(x.blocks(), y.blocks(), this::same)
              && same(x.body(), y.body());
      case If x ->
          b instanceof If y
              && same(x.condition(), y.condition())
              && same(x.whenTrue(), y.whenTrue())
              && same(x.whenFalse(), y.whenFalse());
      case RelaxFunction x -> b instanceof RelaxFunction y && same(x, y);
      case ExternFunc x -> x.equals(b);
      case Op x -> x.equals(b);
    };
  }

  private boolean all(List<Expr> a, List<Expr> b) {
    return TypeEquality.<Expr>all(a, b, this::same);
  }

  private boolean same(RelaxFunction a, RelaxFunction b) {
    return a.isPure() == b.isPure()
        && a.attrs().equals(b.attrs())
        && TypeEquality.<RelaxVar>all(a.params(), b.params(), this::bind)
        && types.sameParams(types(a.params()), types(b.params()))
        && types.same(a.resultType(), b.resultType())
        && same(a.body(), b.body());
  }

  private static List<Type> types(List<RelaxVar> vars) {
    return vars.stream().map(RelaxVar::type).toList();
  }

  private boolean bind(RelaxVar a, RelaxVar b) {
    return types.bind(a, b) && a instanceof DataflowVar == b instanceof DataflowVar;
  }

  private boolean same(BindingBlock a, BindingBlock b) {
    return a.isDataflow() == b.isDataflow()
        && TypeEquality.<Binding>all(a.bindings(), b.bindings(), this::same);
  }

  private boolean same(Binding a, Binding b) {
    return switch (a) {
      case VarBinding(RelaxVar x, RelaxFunction f) ->
          // The variable is seen in the function.
          b instanceof VarBinding(RelaxVar y, RelaxFunction g) && bind(x, y) && same(f, g);
      case VarBinding(RelaxVar x, Expr v) ->
          b instanceof VarBinding(RelaxVar y, Expr w) && same(v, w) && bind(x, y);
      case MatchCast(RelaxVar x, Expr v, Type t) ->
          b instanceof MatchCast(RelaxVar y, Expr w, Type u)
              && same(v, w)
              && types.defineNew(Symbols.definedBy(t), Symbols.definedBy(u))
              && types.same(t, u)
              && bind(x, y);
    };
  }

  /** Whether two constants have the same type and the same bytes. */
  public static boolean areEqual(Constant a, Constant b) {
    return a.tensorType().equals(b.tensorType())
        && a.data().segment().mismatch(b.data().segment()) < 0;
  }
}
