package org.relaxvm.compiler.pass.lower;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.lower.ShapeMatching.Todo;
import org.relaxvm.compiler.rewrite.LiveVars;
import org.relaxvm.compiler.rewrite.SelfTailCalls;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Makes symbolic extents numbers in a heap that each call of a function has, and emits the checks
 * of arguments, of {@code match_cast} and of results. The last pass that changes values; what
 * functions promise in their types stays.
 *
 * <p>Numbers of the first {@value RelaxFunction#NUM_INPUT} parameters are all checked, of the
 * others only symbolic ones. In a branch the heap has what it had in front of it, so that two
 * branches may say what one variable is. Results of loops are checked where they are made, so that
 * a call of the function of itself is followed by no check that is proven. {@link
 * PassContext#errorContexts} says whether checks get the text that their errors begin with. Source:
 * docs/spec/passes.md, section 13.
 */
public final class VMShapeLower implements Pass {
  @Override
  public String name() {
    return "VMShapeLower";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(module, context.errorContexts()).run();
  }

  private static final class Rewriter extends ExprMutator {
    private final boolean errorContexts;
    private Set<RelaxVar> live = Set.of();
    private @Nullable FunctionState state;

    /** What belongs to the function that is being rewritten. */
    private record FunctionState(
        ShapeSlots slots,
        ShapeMatching matching,
        SelfTailCalls loops,
        Type resultType,
        String resultContext) {}

    Rewriter(IRModule module, boolean errorContexts) {
      super(module);
      this.errorContexts = errorContexts;
    }

    /** The text of a check; empty where texts are left out. */
    private String errorContext(String content) {
      return errorContexts ? "ErrorContext(" + content + ") " : "";
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      try {
        return lowered(name, function);
      } catch (InvalidProgramException e) {
        if (e.locations().isEmpty()) {
          e.addLocation("function " + name.name());
        }
        throw e;
      }
    }

    private RelaxFunction lowered(GlobalVar global, RelaxFunction function) {
      String name = global.name();
      live = LiveVars.of(function, ShapeSlots::mayGo);
      ShapeSlots slots = ShapeSlots.of(function);
      builder.beginFunction(name, function.params());
      builder.beginBlock(false);
      RelaxVar heap = builder.emit(heap(slots.size()), "shape_heap");
      ShapeMatching matching = new ShapeMatching(builder, slots, heap);
      Type resultType = function.resultType();
      SelfTailCalls loops = SelfTailCalls.of(global, function);
      FunctionState entered =
          new FunctionState(
              slots,
              matching,
              loops,
              resultType,
              errorContext("fn=" + name + ", loc=return, annotation=" + resultType));
      state = entered;
      matching.match(checkParams(name, function));
      builder.endBlock();
      function.body().blocks().forEach(this::rewrite);
      builder.beginBlock(false);
      Expr body = rewriteArgument(function.body().body());
      if (loops.isEmpty() || loops.givesResult(function.body())) {
        checkResult(entered, function.body(), body);
      }
      builder.endBlock();
      state = null;
      return builder.endFunction(
          function.params(),
          body,
          Optional.of(function.resultType()),
          function.isPure(),
          function.attrs());
    }

    /** Emits the checks of the function's result at the end of a sequence that gives it. */
    private void checkResult(FunctionState now, SeqExpr seq, Expr lowered) {
      boolean isProven =
          !now.loops().isEmpty()
              && seq.bindings().anyMatch(now.loops()::contains)
              && BaseCheck.isBaseOf(now.resultType(), seq.body().type(), builder.analyzer());
      if (!isProven) {
        TypeChecks checks = new TypeChecks(builder, now.resultContext(), false, false);
        now.matching().requireEqual(checks.check(now.resultType(), lowered));
      }
    }

    @Override
    protected Expr rewriteSequence(SeqExpr seq) {
      FunctionState now = state;
      if (now == null || now.loops().isEmpty() || !now.loops().givesResult(seq)) {
        return super.rewriteSequence(seq);
      }
      seq.blocks().forEach(this::rewrite);
      builder.beginBlock(false);
      Expr body = rewriteArgument(seq.body());
      checkResult(now, seq, body);
      builder.endBlock();
      return body;
    }

    private static Call heap(int size) {
      return size == 0
          ? ValueOps.nullValue()
          : CallOps.withContext(
              "vm.builtin.alloc_shape_heap",
              List.of(PrimValue.of(size)),
              TensorType.ofRank(DType.INT64, 1));
    }

    private List<Todo> checkParams(String name, RelaxFunction function) {
      List<RelaxVar> params = function.params();
      long inputs = function.attrs().integer(RelaxFunction.NUM_INPUT).orElse((long) params.size());
      List<Todo> todos = new ArrayList<>();
      for (int i = 0; i < params.size(); i++) {
        RelaxVar param = params.get(i);
        String context =
            errorContext(
                "fn="
                    + name
                    + ", loc=param["
                    + i
                    + "], param="
                    + param.name()
                    + ", annotation="
                    + param.type());
        todos.addAll(
            new TypeChecks(builder, context, true, i >= inputs).check(param.type(), param));
      }
      return todos;
    }

    @Override
    protected void rewrite(Binding binding) {
      switch (binding) {
        case VarBinding(RelaxVar var, Expr value)
            when ShapeSlots.mayGo(value) && !live.contains(var) -> {}
        case MatchCast cast when state != null -> matchCast(cast, state.matching());
        default -> super.rewrite(binding);
      }
    }

    private void matchCast(MatchCast cast, ShapeMatching matching) {
      Expr value = rewriteArgument(cast.value());
      Type target = rewriteType(cast.target());
      String context = errorContext("match_cast, ty=" + cast.target());
      matching.match(new TypeChecks(builder, context, false, false).check(target, value));
      boolean same = target.equals(cast.target());
      RelaxVar var = same ? cast.var() : cast.var().renewed(target);
      builder.emitNormalized(new MatchCast(var, value, target));
      if (!same) {
        replace(cast.var(), var);
      }
    }

    @Override
    protected SeqExpr rewriteBranch(SeqExpr branch) {
      if (state == null) {
        return super.rewriteBranch(branch);
      }
      ShapeSlots.State before = state.slots().state();
      SeqExpr lowered = super.rewriteBranch(branch);
      state.slots().restore(before);
      return lowered;
    }

    @Override
    protected RelaxFunction rewriteLocal(@Nullable RelaxVar var, RelaxFunction function) {
      return function; // Without LambdaLift there is no code for it anyway.
    }

    @Override
    protected Expr rewrite(Expr expr) {
      FunctionState now = state;
      if (now == null) {
        return super.rewrite(expr);
      }
      return switch (expr) {
        case ShapeExpr(var dims) when !dims.stream().allMatch(dim -> dim instanceof IntImm) ->
            now.matching().shape(dims);
        case PrimValue(PrimExpr value)
            when !(value instanceof IntImm || value instanceof FloatImm) ->
            now.matching().scalar(value);
        default -> super.rewrite(expr);
      };
    }

    @Override
    protected Expr rewrite(Call call) {
      Call typed = rewriteParts(call);
      boolean hadVDevice =
          call.callee().equals(MemoryOps.VM_ALLOC_TENSOR)
              && call.type() instanceof TensorType old
              && old.vdevice().isPresent();
      return hadVDevice && typed.type() instanceof TensorType now
          ? typed.withType(now.withVDevice(((TensorType) call.type()).vdevice()))
          : typed;
    }
  }
}
