package org.relaxvm.compiler.op.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.OpContext;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.TypeInference;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;

/** Rules of operators, with a module and bindings around a call. */
final class Rules implements OpContext {
  static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);

  final Map<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>();
  private final Analyzer analyzer = new Analyzer();

  @Override
  public Analyzer analyzer() {
    return analyzer;
  }

  @Override
  public Optional<ModuleFunction> find(GlobalVar name) {
    return Optional.ofNullable(functions.get(name));
  }

  @Override
  public Optional<Expr> lookup(RelaxVar var) {
    return Optional.empty();
  }

  static RelaxVar var(Type type) {
    return new RelaxVar("x", type);
  }

  static Call call(OpDef op, List<? extends Expr> args, Attrs attrs, Type... typeArgs) {
    return Call.of(op, args, attrs, List.of(typeArgs));
  }

  static Call call(OpDef op, List<? extends Expr> args, Type... typeArgs) {
    return call(op, args, Attrs.NONE, typeArgs);
  }

  void gives(Call call, Type expected) {
    assertThat(TypeInference.derive(call, this)).isEqualTo(expected);
  }

  void refuses(Call call, String message) {
    assertThatThrownBy(() -> TypeInference.derive(call, this))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  void accepts(Call call) {
    Call typed = call.withType(TypeInference.derive(call, this));
    ((OpDef) typed.callee()).validate(typed, this);
  }

  void refusesInPrograms(Call call, String message) {
    assertThatThrownBy(() -> accepts(call))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }
}
