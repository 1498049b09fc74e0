package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;

/**
 * Replaces calls of operators by calls of kernels. Operators whose arguments or result are not
 * known well enough stay. Source: docs/spec/passes.md, section 2.
 *
 * @param custom other ways for some operators, by name
 * @param skipped the names of operators that stay
 */
public record LegalizeOps(Map<String, Legalizer> custom, Set<String> skipped) implements Pass {
  /** The pass that does what the operators say. */
  public LegalizeOps() {
    this(Map.of(), Set.of());
  }

  /** Copies the map and the set. */
  public LegalizeOps {
    custom = Map.copyOf(custom);
    skipped = Set.copyOf(skipped);
  }

  @Override
  public String name() {
    return "LegalizeOps";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module, this, context.scalars()).run();
  }

  /**
   * What computes a call, with its parts emitted by a builder; empty when the call stays as it is.
   *
   * @param call typed
   */
  public static Optional<Expr> legalize(Call call, BlockBuilder builder, ScalarConvention scalars) {
    Expr result = new Calls(builder, new LegalizeOps(), scalars).legalize(call);
    return result.equals(call) ? Optional.empty() : Optional.of(result);
  }

  private static final class Mutator extends ExprMutator {
    private final Calls calls;

    Mutator(IRModule module, LegalizeOps pass, ScalarConvention scalars) {
      super(module);
      calls = new Calls(builder, pass, scalars);
    }

    @Override
    protected Expr rewrite(Call call) {
      return calls.legalize(rewriteParts(call));
    }
  }

  /** The choice for single calls. */
  private static final class Calls {
    private final BlockBuilder builder;
    private final LegalizeOps pass;
    private final KernelMaker kernels;

    Calls(BlockBuilder builder, LegalizeOps pass, ScalarConvention scalars) {
      this.builder = builder;
      this.pass = pass;
      this.kernels = new KernelMaker(builder, scalars, this::nested);
    }

    Expr legalize(Call call) {
      if (!(call.callee() instanceof OpDef op)
          || pass.skipped.contains(op.name())
          || isDeviceHint(op)) {
        return call;
      }
      Legalizer custom = pass.custom.get(op.name());
      boolean known = isKnownWellEnough(op, call);
      if (known && (custom != null || op.legalizer().isPresent())) {
        Legalizer legalizer = custom != null ? custom : op.legalizer().orElseThrow();
        Expr made = legalizer.legalize(new OpCall(op, call, builder), kernels);
        return made.equals(call) ? call : asPureAs(op, nested(made));
      }
      return op.packedName()
          .map(name -> Call.packed(name, call.args(), List.of(call.type())))
          .map(packed -> asPureAs(op, builder.normalize(packed)))
          .orElse(call);
    }

    /** In a module with virtual devices, hints stay until those of all kernels are known. */
    private boolean isDeviceHint(OpDef op) {
      return op.equals(ValueOps.HINT_ON_DEVICE) && !builder.module().vdevices().isEmpty();
    }

    /** What a legalizer made may have operators in it. */
    private Expr nested(Expr expr) {
      return switch (expr) {
        case Tuple(var fields) -> new Tuple(leaves(fields));
        case TupleGetItem(Expr tuple, int index) ->
            builder.normalize(new TupleGetItem(leaf(tuple), index));
        case Call call -> {
          List<Expr> args = leaves(call.args());
          Call own = args.equals(call.args()) ? call : call.withArgs(args);
          Expr normal = builder.normalize(own);
          yield normal instanceof Call typed ? legalize(typed) : normal;
        }
        default -> builder.normalize(expr);
      };
    }

    private List<Expr> leaves(List<Expr> exprs) {
      List<Expr> leaves = new ArrayList<>();
      exprs.forEach(expr -> leaves.add(leaf(expr)));
      return leaves;
    }

    private Expr leaf(Expr expr) {
      return expr.isLeaf() && !(expr instanceof Tuple) ? expr : builder.argument(nested(expr));
    }

    /** A packed function instead of an operator without effect has none either. */
    private Expr asPureAs(OpDef op, Expr made) {
      if (!op.isPure() || !(made instanceof Call call && call.callee() instanceof ExternFunc)) {
        return made;
      }
      List<Expr> args = new ArrayList<>(call.args());
      args.addFirst(call.callee());
      return builder.normalize(
          Call.of(CallOps.CALL_PURE_PACKED, args, call.attrs(), call.typeArgs()));
    }

    private static boolean isKnownWellEnough(OpDef op, Call call) {
      return !op.needsArgShapes()
          || (call.args().stream().allMatch(arg -> arg.knownType().map(Calls::isKnown).orElse(true))
              && (op.isDataDependent() || isKnown(call.type())));
    }

    private static boolean isKnown(Type type) {
      return switch (type) {
        case TensorType tensor ->
            tensor.dtype().isPresent() && tensor.shape().orElse(null) instanceof TensorShape.Known;
        case ShapeType shape -> shape.dims().isPresent();
        case PrimType prim -> true;
        case TupleType(var fields) -> fields.stream().allMatch(Calls::isKnown);
        default -> false;
      };
    }
  }
}
