package org.relaxvm.compiler.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.op.create.Creation;
import org.relaxvm.compiler.op.elementwise.Elementwise;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.rewrite.StructuralEquality;

/** Texts of modules for tests. */
final class Texts {
  /** An operator with attributes of each kind. */
  private static final OpDef MANY =
      OpDef.named("test.many")
          .args("x")
          .optionalArgs("y")
          .attrs(
              AttrSpec.optional("axis", AttrSpec.Kind.INTEGER),
              AttrSpec.optional("factor", AttrSpec.Kind.REAL),
              AttrSpec.optional("keepdims", AttrSpec.Kind.BOOL),
              AttrSpec.optional("mode", AttrSpec.Kind.TEXT),
              AttrSpec.optional("dtype", AttrSpec.Kind.DTYPE),
              AttrSpec.optional("axes", AttrSpec.Kind.INTEGERS),
              AttrSpec.optional("scales", AttrSpec.Kind.REALS),
              AttrSpec.optional("other", AttrSpec.Kind.ANY))
          .rule(call -> call.tensor(0))
          .build();

  static final OpRegistry OPS = registry();

  private Texts() {}

  private static OpRegistry registry() {
    List<OpDef> all = new ArrayList<>(List.of(MANY));
    all.addAll(CallOps.all());
    all.addAll(MemoryOps.all());
    all.addAll(ValueOps.all());
    all.addAll(Elementwise.all());
    all.addAll(Creation.all());
    all.addAll(Reductions.all());
    return OpRegistry.of(all);
  }

  static IRModule parse(String text, Tensor... constants) {
    return RelaxText.parse(text, "model.py", OPS, List.of(constants));
  }

  /** A module of one function {@code main} of a tensor {@code x: (n, 4)} with these statements. */
  static String main(String statements) {
    return """
    @I.ir_module
    class Module:
        @R.function
        def main(x: R.Tensor((n, 4), dtype="float32")):
    """
        + statements.stripTrailing().indent(8);
  }

  static RelaxFunction function(IRModule module, String name) {
    return (RelaxFunction) module.require(new GlobalVar(name));
  }

  /** The bindings of {@code main}. */
  static List<Binding> bindings(String statements, Tensor... constants) {
    return function(parse(main(statements), constants), "main").body().bindings().toList();
  }

  /** What the first statement of {@code main} binds. */
  static Expr value(String statement, Tensor... constants) {
    return bindings(statement + "\nreturn x", constants).getFirst().value();
  }

  /** A text, printed: it is read as an equal module, and printed as the same text again. */
  static String printed(String text, Tensor... constants) {
    return assertRoundTrip(parse(text, constants));
  }

  /** The text of a module. It is read as an equal one, and printed as the same text again. */
  static String assertRoundTrip(IRModule module) {
    RelaxText.Printed printed = RelaxText.printWithConstants(module);
    IRModule again = RelaxText.parse(printed.text(), "printed", OPS, printed.constants());
    assertThat(StructuralEquality.areEqual(module, again)).as(printed.text()).isTrue();
    assertThat(RelaxText.print(again)).isEqualTo(printed.text());
    return printed.text();
  }

  /** Statements of {@code main}, printed. */
  static String printedMain(String statements) {
    String text = printed(main(statements));
    String start = "-> ";
    int body = text.indexOf('\n', text.indexOf(start)) + 1;
    return text.substring(body).indent(-8);
  }

  static void malformed(String text, String message) {
    refused(MalformedFileException.class, text, message);
  }

  static void invalid(String text, String message) {
    refused(InvalidProgramException.class, text, message);
  }

  private static void refused(Class<? extends RelaxException> type, String text, String message) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(type).hasMessage(message);
  }
}
