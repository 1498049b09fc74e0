package org.relaxvm.tir.cost;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.cost.CallArgument.OfNumber;
import org.relaxvm.tir.cost.CallArgument.OfTensor;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Counts for one call. NaN stands for what is not known. */
final class Counting {
  private final Map<Var, Double> values;
  private final LibraryCost library;
  private final Map<Buffer, Double> loads = new IdentityHashMap<>();
  private final Map<Buffer, Double> stores = new IdentityHashMap<>();

  // Their old content is not read: they start with what the block says.
  private final Set<Buffer> reduced = new HashSet<>();

  /**
   * Counts nothing yet.
   *
   * @param values of scalars and symbolic extents; those of loops are added
   */
  Counting(Map<Var, Double> values, LibraryCost library) {
    this.values = values;
    this.library = library;
  }

  double loads(Buffer buffer) {
    return loads.getOrDefault(buffer, 0.0);
  }

  double stores(Buffer buffer) {
    return stores.getOrDefault(buffer, 0.0);
  }

  /** The operations of a statement that is done so many times. */
  double operations(Stmt stmt, double times) {
    return switch (stmt) {
      case For loop -> {
        double min = value(loop.min());
        double extent = Math.max(0, value(loop.extent()));
        values.put(loop.loopVar(), min + (extent - 1) / 2);
        yield operations(loop.body(), times * extent);
      }
      case BlockRealize realize -> {
        for (int i = 0; i < realize.iterValues().size(); i++) {
          values.put(realize.block().iterVars().get(i).var(), value(realize.iterValues().get(i)));
        }
        realize.block().init().ifPresent(this::addReduced);
        yield operations(realize.block().body(), times);
      }
      case BufferStore store -> {
        stores.merge(store.buffer(), times, Double::sum);
        store.indices().forEach(index -> operations(index, times));
        yield operations(store.value(), times);
      }
      case Seq seq -> {
        double sum = 0;
        for (Stmt part : seq.statements()) {
          sum += operations(part, times);
        }
        yield sum;
      }
      case IfThenElse choice -> {
        double condition = operations(choice.condition(), times);
        double whenTrue = operations(choice.whenTrue(), times);
        double whenFalse = choice.whenFalse().map(part -> operations(part, times)).orElse(0.0);
        yield condition + Math.max(whenTrue, whenFalse);
      }
      case Let let -> {
        values.put(let.var(), value(let.value()));
        yield operations(let.value(), times) + operations(let.body(), times);
      }
      case CallPacked call -> operations(call, times);
      case Return result -> operations(result.value(), times);
      case LetCall let -> operations(let.call(), times) + operations(let.body(), times);
      case LoopJump jump -> 0;
    };
  }

  private void addReduced(Stmt init) {
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BufferStore store) {
          reduced.add(store.buffer());
        }
        super.visit(stmt);
      }
    }.visit(init);
  }

  private double operations(CallPacked call, double times) {
    List<CallArgument> args = new ArrayList<>();
    for (PackedArg arg : call.args()) {
      args.add(
          switch (arg) {
            case PackedArg.OfBuffer(Buffer buffer) -> {
              // Which of them are read and which written is not known; each is one of both.
              loads.merge(buffer, Double.POSITIVE_INFINITY, Double::sum);
              yield tensor(buffer);
            }
            case PackedArg.OfScalar(PrimExpr expr) -> new OfNumber(value(expr));
            case PackedArg.OfText _, PackedArg.OfHandle _, PackedArg.OfItem _, PackedArg.OfNull _ ->
                new CallArgument.Other();
          });
    }
    Cost cost = library.of(call.name(), args);
    return cost.operations().isEmpty() ? Double.NaN : times * cost.operations().getAsLong();
  }

  private CallArgument tensor(Buffer buffer) {
    long[] dims = new long[buffer.rank()];
    for (int axis = 0; axis < dims.length; axis++) {
      double dim = value(buffer.shape().get(axis));
      if (Double.isNaN(dim)) {
        return new CallArgument.Other();
      }
      dims[axis] = (long) dim;
    }
    return new OfTensor(buffer.dtype(), Shape.of(dims));
  }

  /** The operations of an expression that is evaluated so many times; counts its loads. */
  private double operations(PrimExpr expr, double times) {
    if (expr instanceof BufferLoad load) {
      if (!reduced.contains(load.buffer())) {
        loads.merge(load.buffer(), times, Double::sum);
      }
      load.indices().forEach(index -> operations(index, times));
      return 0;
    }
    double inside = 0;
    double most = 0;
    int index = 0;
    boolean choice =
        expr instanceof Select || (expr instanceof Call c && c.op() == Intrinsic.IF_THEN_ELSE);
    for (PrimExpr operand : expr.operands()) {
      double count = operations(operand, times);
      if (choice && index++ > 0) {
        most = Math.max(most, count);
      } else {
        inside += count;
      }
    }
    return inside + most + (counts(expr) ? times : 0);
  }

  private static boolean counts(PrimExpr expr) {
    return switch (expr) {
      case Binary binary ->
          binary.op().kind() == BinaryOp.Kind.ARITHMETIC && binary.dtype().isFloat();
      case Call call -> call.op() != Intrinsic.IF_THEN_ELSE && call.dtype().isFloat();
      default -> false;
    };
  }

  /** The value of an index or extent. */
  private double value(PrimExpr expr) {
    return switch (expr) {
      case IntImm imm -> imm.value();
      case FloatImm imm -> imm.value();
      case Var var -> values.getOrDefault(var, Double.NaN);
      case Cast cast -> value(cast.value());
      case Binary binary -> value(binary);
      case Select select -> choose(select.condition(), select.whenTrue(), select.whenFalse());
      case Call call ->
          call.op() == Intrinsic.IF_THEN_ELSE
              ? choose(call.args().get(0), call.args().get(1), call.args().get(2))
              : Double.NaN;
      case Not _, BufferLoad _ -> Double.NaN;
    };
  }

  private double choose(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse) {
    double known = value(condition);
    return Double.isNaN(known) ? Double.NaN : known == 0 ? value(whenFalse) : value(whenTrue);
  }

  private double value(Binary binary) {
    double a = value(binary.a());
    double b = value(binary.b());
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.NaN;
    }
    return switch (binary.op()) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? Double.NaN : a / b < 0 ? Math.ceil(a / b) : Math.floor(a / b);
      case FLOOR_DIV -> b == 0 ? Double.NaN : Math.floor(a / b);
      case MOD -> b == 0 ? Double.NaN : a % b;
      case FLOOR_MOD -> b == 0 ? Double.NaN : a - b * Math.floor(a / b);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case EQ -> a == b ? 1 : 0;
      case NE -> a != b ? 1 : 0;
      case LT -> a < b ? 1 : 0;
      case LE -> a <= b ? 1 : 0;
      case GT -> a > b ? 1 : 0;
      case GE -> a >= b ? 1 : 0;
      case AND -> a != 0 && b != 0 ? 1 : 0;
      case OR -> a != 0 || b != 0 ? 1 : 0;
    };
  }
}
