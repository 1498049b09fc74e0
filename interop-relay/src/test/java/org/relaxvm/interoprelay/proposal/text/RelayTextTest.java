package org.relaxvm.interoprelay.proposal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayModule;

class RelayTextTest {
  private static final String ALL =
      """
      const 0 = 5
      const 1 = -2.5
      const 2 = "a \\"b\\" \\\\ \\n\\u0007"
      const 3 = tensor(float32,[2, 2],[1.0, -2.5, nan, inf])
      const 4 = tensor(bool,[2],[true, false])
      const 5 = tensor(uint64,[1],[18446744073709551615])
      const 6 = tensor(int8,[0],[])
      const 7 = tensor(float16,[2],"ADwAwA==")
      packed 0 = "add"
      packed 1 = "first_element"
      func @f.g_1(2) {
         0: AllocTensor $2, 2, [2, 2], float32
         1: InvokePacked 0, 2, 1, $0, $1, $2
         2: AllocDatatype $3, 7, 2, $0, $2
         3: AllocClosure $4, @main, 1, $0
         4: InvokeClosure $5, $4, 0
         5: GetField $6, $3, 1
         6: GetTag $7, $3
         7: IfEq $7, -1, +1, +2
         8: Fatal
         9: ShapeOf $8, $2
        10: ReshapeTensor $9, $2, $8
        11: AllocTensorReg $10, $8, int64
        12: DeviceCopy $11, $10, 2, 1
        13: Kill $10
        14: LoadConsti $12, -9
        15: CallPacked $13, 1, 1, $0
        16: TailInvoke @f.g_1, 2, $0, $1
      }
      func @main(1) {
        0: LoadConst $1, 3
        1: Mov $2, $1
        2: Phi $3, $2, $4
        3: Mov $4, $0
        4: If $0, -2, +1
        5: Invoke $5, @f.g_1, 2, $0, $3
        6: Goto +1
        7: Ret $5
      }
      """;

  @Test
  void whatIsPrintedIsReadAgain() {
    RelayModule module = RelayText.parse(ALL);
    String printed = RelayText.print(module);
    assertThat(printed).isEqualTo(ALL);
    assertThat(RelayText.parse(printed).functions()).isEqualTo(module.functions());
  }

  @Test
  void labelsAndOffsetsGiveTheSameProgram() {
    String labels =
        """
        func @main(1) {
        start:
          If $0, L1, L2    ; a comment; with another
        L1: Goto end
        L2: Goto start
        end: Ret $0
        }
        """;
    String offsets = "func @main(1) { 0: If $0, +1, 2 1: Goto +2 2: Goto -2 3: Ret $0 }";
    assertThat(RelayText.parse(labels)).isEqualTo(RelayText.parse(offsets));
  }

  @Test
  void theProposalsMisspeltOpcodeAndTheMarkOfExtensionsAreRead() {
    assertThat(
            RelayText.parse(
                "func @f(1) { AllocTenosr $1, 0, [], bool GetTag.ext $2, $0 Fatal.ext }"))
        .isEqualTo(
            RelayText.parse("func @f(1) { AllocTensor $1, 0, [], bool GetTag $2, $0 Fatal }"));
  }

  @Test
  void functionsAreReferredToByNameOrIndexBeforeTheyAreDefined() {
    assertThat(RelayText.parse("func @f(0) { TailInvoke 1, 0 } func @g(0) { Fatal }"))
        .isEqualTo(RelayText.parse("func @f(0) { TailInvoke @g, 0 } func @g(0) { Fatal }"));
  }

  @Test
  void elementsThatHaveNoExactTextAreBase64() {
    Tensor nan = Tensor.of(new byte[] {1, 0, (byte) 0xC0, 0x7F}, DType.FLOAT32, Shape.of(1));
    RelayModule module = new RelayModule(List.of(), List.of(), List.of(nan));
    String text = RelayText.print(module);
    assertThat(text).isEqualTo("const 0 = tensor(float32,[1],\"AQDAfw==\")\n");
    assertThat(RelayText.print(RelayText.parse(text))).isEqualTo(text);
  }

  @Test
  void aNameThatIsNoWordHasNoTextForm() {
    RelayModule module =
        new RelayModule(List.of(new RelayFunction("a b", 0, List.of())), List.of(), List.of());
    assertThatThrownBy(() -> RelayText.print(module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            a function named "a b" has no text form
              expected: a letter or '_', then letters, digits, '_', '.' and '$'
              what to do: rename it\
            """);
  }

  private static void assertRefused(String message, String text) {
    assertThatThrownBy(() -> RelayText.parse(text))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message.stripTrailing());
  }

  /** Refused in its only line, which is shown with a mark under the column. */
  private static void assertRefused(int column, String message, String text) {
    String margin = "  1 | ";
    assertRefused(
        "line 1, column "
            + column
            + ": "
            + message
            + "\n"
            + margin
            + text
            + "\n"
            + " ".repeat(margin.length() + column - 1)
            + "^",
        text);
  }

  @Test
  void anUnknownInstructionIsShownInItsLine() {
    assertRefused(
        """
        line 2, column 3: expected an instruction: AllocTensor, AllocDatatype, AllocClosure, \
        LoadConst, Mov, Phi, Ret, GetField, If, Goto, InvokePacked, Invoke, InvokeClosure, or one \
        of the extensions GetTag, IfEq, LoadConsti, Fatal, AllocTensorReg, ShapeOf, ReshapeTensor, \
        DeviceCopy, Kill, CallPacked, TailInvoke, but got 'Jump'
          2 |   Jump L1
                ^
        """,
        "func @f(0) {\n  Jump L1\n}");
  }

  @Test
  void operandsAreCheckedAtTheirPosition() {
    assertRefused(22, "expected a register, such as $3, but got '4'", "func @f(1) { Mov $1, 4 }");
    assertRefused(21, "expected ',' and a further operand, but got '}'", "func @f(1) { Mov $1 }");
    assertRefused(
        19,
        "there is no label 'L1' in this function; labels: L2",
        "func @f(1) { Goto L1 L2: Ret $0 }");
    assertRefused(25, "there is no function @g; functions: f", "func @f(0) { TailInvoke @g, 0 }");
    assertRefused(
        30,
        "the shape [4] has 1 dimensions, but got 2",
        "func @f(0) { AllocTensor $0, 2, [4], float32 Ret $0 }");
  }

  @Test
  void countsAreNotNegative() {
    assertRefused(
        35,
        "expected the number of registers that follow, but got '-1'",
        "func @f(1) { AllocDatatype $1, 0, -1 Ret $1 }");
    assertRefused(
        33,
        "expected the number of outputs, but got '-1'",
        "func @f(1) { InvokePacked 0, 1, -1, $0 }");
  }

  @Test
  void tablesAreNumberedInOrder() {
    assertRefused(7, "expected constant 0, but got '1'", "const 1 = 2");
    assertRefused(14, "this is instruction 0, but got '3'", "func @f(0) { 3: Fatal }");
  }

  @Test
  void elementsFitTheirTensor() {
    assertRefused(23, "shape [2] has 2 elements, but got 1", "const 0 = tensor(int8,[2],[1])");
    assertRefused(
        28, "expected an element of int8, but got '200'", "const 0 = tensor(int8,[1],[200])");
    assertRefused(
        23,
        "shape [1000000000000] has 1000000000000 elements, but got 0",
        "const 0 = tensor(int8,[1000000000000],[])");
  }

  @Test
  void namesAreDefinedOnce() {
    assertRefused(27, "function @f is defined twice", "func @f(0) { Fatal } func @f(0) { Fatal }");
    assertRefused(23, "the label 'a' is defined twice", "func @f(0) { a: Fatal a: Fatal }");
  }

  @Test
  void aTextIsToldByItsFirstWords() {
    assertThat(RelayText.looksLikeProgram("; a list\n\n  packed 0 = \"add\"")).isTrue();
    assertThat(RelayText.looksLikeProgram("func @main(1) {")).isTrue();
    assertThat(RelayText.looksLikeProgram("const 0 = 1")).isTrue();
    assertThat(RelayText.looksLikeProgram("const int x;")).isFalse();
    assertThat(RelayText.looksLikeProgram("constants:")).isFalse();
    assertThat(RelayText.looksLikeProgram("relaxvm-text 1")).isFalse();
    assertThat(RelayText.looksLikeProgram("@main(x):")).isFalse();
    assertThat(RelayText.looksLikeProgram("")).isFalse();
  }

  @Test
  void aLabelAfterAGotoWithTheSuffixOfExtensionsIsNoInstruction() {
    String text = "func @main(1) { Goto%s L1 L1: Ret $0 }";
    assertThat(RelayText.parse(text.formatted(".ext")))
        .isEqualTo(RelayText.parse(text.formatted("")));
  }
}
