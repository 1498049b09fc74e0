package org.relaxvm.compiler.wellformed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;

/** Small programs, right and wrong ones. */
final class Programs {
  static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);
  static final TensorType BOOL = TensorType.of(DType.BOOL);
  static final OpDef NEG = OpDef.named("negative").args("x").rule(call -> call.tensor(0)).build();
  static final Attrs PUBLIC = Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "main");

  private Programs() {}

  /** A typed call of an operator with one argument. */
  static Call neg(Expr x) {
    return Call.of(NEG, x).withType(x.type());
  }

  /** A call that has an effect. */
  static Call print(Expr x) {
    return Call.of(ValueOps.PRINT, new StringImm("{}"), x).withType(TupleType.VOID);
  }

  static RelaxVar var(String name) {
    return new RelaxVar(name, FOUR);
  }

  static DataflowVar dataflowVar(String name) {
    return new DataflowVar(name, FOUR);
  }

  static BindingBlock block(Binding... bindings) {
    return new BindingBlock(List.of(bindings), false);
  }

  static BindingBlock dataflow(Binding... bindings) {
    return new BindingBlock(List.of(bindings), true);
  }

  static Binding bind(RelaxVar var, Expr value) {
    return new VarBinding(var, value);
  }

  static SeqExpr seq(Expr body, BindingBlock... blocks) {
    return new SeqExpr(List.of(blocks), body, body.knownType());
  }

  static RelaxFunction function(List<RelaxVar> params, Expr body, BindingBlock... blocks) {
    Type result = body.knownType().orElse(AnyType.ANY);
    return new RelaxFunction(params, seq(body, blocks), result, true, Attrs.NONE);
  }

  static IRModule module(RelaxFunction main) {
    return IRModule.EMPTY.with(new GlobalVar("main"), main);
  }

  static void accepted(RelaxFunction main) {
    accepted(module(main));
  }

  static void accepted(IRModule module) {
    WellFormed.check(module);
    assertThat(WellFormed.isWellFormed(module)).isTrue();
  }

  static void refused(RelaxFunction main, String message) {
    refused(module(main), message);
  }

  static void refused(IRModule module, String message) {
    assertThatThrownBy(() -> WellFormed.check(module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
    assertThat(WellFormed.isWellFormed(module)).isFalse();
  }
}
