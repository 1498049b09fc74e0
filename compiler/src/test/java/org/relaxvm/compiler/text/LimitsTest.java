package org.relaxvm.compiler.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;

/** Texts end in a module or an error, however deep or long they are. */
class LimitsTest {
  private static final int DEEP = 100_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          y = | (            | expressions are nested more than 64 deep
          y = | [            | expressions are nested more than 64 deep
          y = | R.abs(       | expressions are nested more than 64 deep
          y = | R.const([    | a constant is nested more than 64 deep
          y = | n + (        | expressions are nested more than 128 deep
          y: | R.Tuple(      | expected '='
          y = R.match_cast(x, | R.Tuple( | types are nested more than 64 deep
          y = R.test.many(x, other= | [  | attributes are nested more than 64 deep
          """)
  void refusesDeepNesting(String start, String nested, String message) {
    String deep = nested.equals("R.const([") ? nested + "[".repeat(DEEP) : nested.repeat(DEEP);
    assertThatThrownBy(() -> Texts.parse(Texts.main(start + deep + "\nreturn n")))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesDeepStatements() {
    StringBuilder statements = new StringBuilder();
    for (int i = 0; i < 70; i++) {
      statements.append("  ".repeat(i)).append("if R.const(True):\n");
    }
    assertThatThrownBy(() -> Texts.parse(Texts.main(statements.toString())))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("statements are nested more than 64 deep");
  }

  @Test
  void refusesLongChainsOfFieldsAndCalls() {
    assertThatThrownBy(() -> Texts.parse(Texts.main("y = R.null_value()" + "()".repeat(DEEP))))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("expressions are nested more than 64 deep");
  }

  @Test
  void refusesToPrintWhatCouldNotBeRead() {
    Expr deep = Tuple.EMPTY;
    for (int i = 0; i < 70; i++) {
      deep = Tuple.of(deep);
    }
    Expr tuple = deep;
    BlockBuilder builder = new BlockBuilder();
    builder.function("main", f -> tuple);
    assertThatThrownBy(() -> RelaxText.print(builder.module()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the text of a module cannot hold expressions nested more than 64 deep");
  }

  @Test
  void readsManyStatementsAndSymbols() {
    StringBuilder statements = new StringBuilder();
    int symbols = 200;
    for (int i = 0; i < symbols; i++) {
      statements
          .append("y = R.match_cast(x, R.Tensor((s" + i + ", 4)))\n")
          .append("z = R.shape([s" + i + " + 1])\n");
    }
    int calls = 10_000;
    statements.append("y = R.add(y, y)\n".repeat(calls));
    assertThat(Texts.bindings(statements + "return x")).hasSize(2 * symbols + calls);
  }
}
