package org.relaxvm.compiler.wellformed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.wellformed.Programs.accepted;
import static org.relaxvm.compiler.wellformed.Programs.bind;
import static org.relaxvm.compiler.wellformed.Programs.block;
import static org.relaxvm.compiler.wellformed.Programs.function;
import static org.relaxvm.compiler.wellformed.Programs.module;
import static org.relaxvm.compiler.wellformed.Programs.var;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Var;

class WellFormedTest {
  @Test
  void acceptsAModuleWithoutFunctionsAndOneWithAPackedFunction() {
    accepted(IRModule.EMPTY);
    accepted(IRModule.EMPTY.with(new GlobalVar("f"), new ExternFunc("f")));
  }

  @Test
  void refusesAtOnceWhatHasManySharedParts() {
    // A tree of 2^60 calls if nobody noticed that parts are shared.
    RelaxVar x = var("x");
    Expr nested = x;
    for (int i = 0; i < 60; i++) {
      nested = Call.packed("f", List.of(nested, nested), List.of()).withType(Programs.FOUR);
    }
    RelaxVar y = var("y");
    assertThat(WellFormed.isWellFormed(module(function(List.of(x), y, block(bind(y, nested))))))
        .isFalse();
  }

  @Test
  void acceptsWhatTheBuilderMakes() {
    BlockBuilder program = new BlockBuilder();
    Var n = Var.index("n");
    program.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n));
          RelaxVar c = f.param("c", Programs.BOOL);
          RelaxVar y = f.dataflow(() -> Call.of(Programs.NEG, Call.of(Programs.NEG, x)));
          return f.choose(
              c,
              () -> f.matchCast(y, TensorType.of(DType.FLOAT32, Var.index("m"))),
              () -> Call.of(Programs.NEG, y));
        });
    accepted(program.module());
  }
}
