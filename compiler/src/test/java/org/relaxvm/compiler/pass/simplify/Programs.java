package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Programs for tests, and their comparison. */
final class Programs {
  static final TensorType VECTOR = TensorType.of(DType.FLOAT32, 4);

  private Programs() {}

  /** A program of one public function. */
  static IRModule main(Function<FunctionBuilder, Expr> body) {
    return program(b -> b.function("main", body));
  }

  static IRModule program(Consumer<BlockBuilder> parts) {
    BlockBuilder builder = new BlockBuilder();
    parts.accept(builder);
    return builder.module();
  }

  /** A pure call of a packed function that gives a vector. */
  static Call pure(String name, Expr... args) {
    return CallOps.callPurePacked(name, List.of(args), VECTOR);
  }

  /** A call of a packed function with an effect that gives a vector. */
  static Call effect(String name, Expr... args) {
    return Call.packed(name, List.of(args), List.of(VECTOR));
  }

  /** A function inside of the one that is being built. */
  static RelaxFunction local(BlockBuilder b, List<RelaxVar> params, Consumer<Body> body) {
    b.beginFunction("inner", params);
    b.beginBlock(false);
    Body made = new Body();
    body.accept(made);
    b.endBlock();
    return b.endFunction(params, made.value, java.util.Optional.empty(), made.isPure, Attrs.NONE);
  }

  /** What a local function gives. */
  static final class Body {
    Expr value = org.relaxvm.compiler.ir.Tuple.EMPTY;
    boolean isPure = true;
  }

  /** A kernel that adds 1 to each element. */
  static KernelFunction addOne(String name, List<? extends PrimExpr> shape) {
    KernelBuilder k = new KernelBuilder(name);
    TensorExpr a = k.input("A", DType.FLOAT32, shape);
    return new KernelFunction(
        k.build(k.compute("B", shape, i -> Exprs.add(a.at(i), new FloatImm(DType.FLOAT32, 1)))));
  }

  /** A function over tensors of a program. */
  static RelaxFunction function(IRModule module, String name) {
    return (RelaxFunction) module.require(new GlobalVar(name));
  }

  static IRModule run(Pass pass, IRModule module) {
    return pass.run(module, PassContext.DEFAULT);
  }

  static void assertBecomes(Pass pass, IRModule before, IRModule expected) {
    assertSame(run(pass, before), expected);
  }

  static void assertSame(IRModule actual, IRModule expected) {
    assertThat(StructuralEquality.areEqual(actual, expected))
        .as("got\n%s\nexpected\n%s", text(actual), text(expected))
        .isTrue();
  }

  static String text(IRModule module) {
    StringBuilder out = new StringBuilder();
    module
        .functions()
        .forEach(
            (name, function) -> {
              out.append(name).append(": ").append(function.functionType()).append('\n');
              if (function instanceof RelaxFunction relax) {
                out.append("  ").append(relax.attrs().values()).append('\n');
                append(relax.body(), "  ", out);
              }
            });
    return out.toString();
  }

  private static void append(SeqExpr seq, String indent, StringBuilder out) {
    for (BindingBlock block : seq.blocks()) {
      out.append(indent).append(block.isDataflow() ? "dataflow\n" : "bindings\n");
      block
          .bindings()
          .forEach(
              binding -> {
                String kind = binding.var().getClass().getSimpleName();
                Type type = binding.var().type();
                out.append(indent).append("  ").append(kind).append(' ').append(binding.var());
                out.append(": ").append(type).append(" = ");
                switch (binding) {
                  case MatchCast cast -> out.append(cast).append('\n');
                  case VarBinding(RelaxVar var, RelaxFunction function) -> {
                    out.append(function).append('\n');
                    append(function.body(), indent + "    ", out);
                  }
                  case VarBinding(RelaxVar var, If choice) -> {
                    out.append(choice).append('\n');
                    append(choice.whenTrue(), indent + "    ", out);
                    append(choice.whenFalse(), indent + "    ", out);
                  }
                  case VarBinding simple -> out.append(simple.value()).append('\n');
                }
              });
    }
    out.append(indent).append("return ").append(seq.body()).append('\n');
  }
}
