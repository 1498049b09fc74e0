package org.relaxvm.compiler.pass.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.lines;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;

class AttachGlobalSymbolTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);

  private static IRModule program() {
    return main(
        List.of(Kernels.add()),
        f -> {
          f.internal();
          RelaxVar x = f.param("x", FOUR);
          f.emit("_", Call.of(new GlobalVar("add"), x, x, x));
          return x;
        });
  }

  private static @Nullable Object symbol(IRModule module, String name) {
    return ((KernelFunction) module.require(new GlobalVar(name)))
        .kernel()
        .attrs()
        .get("global_symbol");
  }

  @Test
  void functionsAreLinkedByTheirNames() {
    IRModule named = Lowering.run(new AttachGlobalSymbol(), program());
    assertThat(main(named).attrs()).isEqualTo(Attrs.of("global_symbol", "main"));
    assertThat(symbol(named, "add")).isEqualTo("add");
  }

  @Test
  void kernelsGetThePrefixAlsoWhereTheyAreCalled() {
    IRModule start = program().withAttrs(Attrs.of("system_lib_prefix", "lib_"));
    IRModule named = Lowering.run(new AttachGlobalSymbol(), start);
    assertThat(named.functions().sequencedKeySet())
        .containsExactly(new GlobalVar("lib_add"), new GlobalVar("main"));
    assertThat(symbol(named, "lib_add")).isEqualTo("lib_add");
    assertThat(lines(main(named))).containsExactly("_ = cls.lib_add(x, x, x)", "return x");
  }

  @Test
  void aPrefixThatMakesTwoFunctionsOneIsRefused() {
    IRModule start =
        program()
            .with(new GlobalVar("lib_add"), new ExternFunc("other"))
            .withAttrs(Attrs.of("system_lib_prefix", "lib_"));
    assertThatThrownBy(() -> Lowering.run(new AttachGlobalSymbol(), start))
        .hasMessage(
            "two functions would have the name lib_add: a kernel with the prefix 'lib_' and another"
                + " function; rename one of them");
  }
}
