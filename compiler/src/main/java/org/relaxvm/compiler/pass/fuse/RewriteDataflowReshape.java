package org.relaxvm.compiler.pass.fuse;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.Overwritten;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.ReshapePattern;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrVisitor;

/**
 * Puts {@code R.reshape}, which looks at the same memory in another way, instead of kernels that
 * copy elements in row-major order. Only values inside of a dataflow block become so. What is seen
 * outside has memory of its own, and so have both sides of a copy of which one is overwritten
 * later. Source: docs/spec/passes.md, section 7.
 */
public record RewriteDataflowReshape() implements Pass {
  @Override
  public String name() {
    return "RewriteDataflowReshape";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module).run();
  }

  private static final class Mutator extends ExprMutator {
    private final IRModule module;
    private final Set<RelaxVar> overwritten = new HashSet<>();
    private final Set<RelaxVar> outputs = new HashSet<>();

    Mutator(IRModule module) {
      super(module);
      this.module = module;
    }

    @Override
    protected void rewrite(BindingBlock block) {
      for (Binding binding : block.bindings().reversed()) {
        RelaxVar var = binding.var();
        overwritten.addAll(Overwritten.by(binding.value()));
        for (RelaxVar same : namedAgain(binding.value())) {
          if (overwritten.contains(var)) {
            overwritten.add(same);
          }
          if (outputs.contains(var) || !(var instanceof DataflowVar)) {
            outputs.add(same);
          }
        }
      }
      super.rewrite(block);
    }

    /** Variables whose memory a value is. */
    private static List<RelaxVar> namedAgain(Expr value) {
      return switch (value) {
        case RelaxVar var -> List.of(var);
        case Tuple(var fields) ->
            fields.stream().flatMap(field -> namedAgain(field).stream()).toList();
        default -> List.of();
      };
    }

    @Override
    protected void rewrite(Binding binding) {
      if (binding instanceof VarBinding copy
          && copy.var() instanceof DataflowVar var
          && !outputs.contains(var)
          && !overwritten.contains(var)
          && copy.value() instanceof Call call
          && copied(call).orElse(null) instanceof Expr source
          && !(source instanceof RelaxVar from && overwritten.contains(from))
          && haveSameElements(source.type(), call.type())) {
        Type type = rewriteType(call.type());
        List<PrimExpr> dims = ((TensorType) type).dims().orElseThrow();
        reEmit(copy, Reshapes.reshape(rewriteArgument(source), new ShapeExpr(dims)));
      } else {
        super.rewrite(binding);
      }
    }

    /** What a kernel copies in row-major order; empty when it does anything else. */
    private Optional<Expr> copied(Call call) {
      if (!call.callee().equals(CallOps.CALL_TIR)
          || !(call.args().getFirst() instanceof GlobalVar name)
          || !(module.find(name).orElse(null) instanceof KernelFunction(PrimFunc kernel))) {
        return Optional.empty();
      }
      Set<Buffer> used = new HashSet<>();
      new IrVisitor() {
        @Override
        public void visitBufferUse(Buffer buffer) {
          used.add(buffer);
        }
      }.visit(kernel);
      List<Expr> args = KernelCall.arguments(call);
      List<Expr> read =
          IntStream.range(0, args.size())
              .filter(
                  i -> kernel.params().get(i) instanceof Param.OfBuffer(var b) && used.contains(b))
              .mapToObj(args::get)
              .toList();
      return read.size() == 1 && ReshapePattern.matches(kernel)
          ? Optional.of(read.getFirst())
          : Optional.empty();
    }

    private boolean haveSameElements(Type source, Type result) {
      return source instanceof TensorType from
          && result instanceof TensorType to
          && from.dtype().isPresent()
          && from.dtype().equals(to.dtype())
          && from.vdevice().equals(to.vdevice())
          && from.dims().isPresent()
          && to.dims().isPresent()
          && builder.analyzer().canProveEqual(product(from.dims().get()), product(to.dims().get()));
    }

    private static PrimExpr product(List<PrimExpr> dims) {
      return dims.stream().reduce(IntImm.of(1), Exprs::mul);
    }
  }
}
