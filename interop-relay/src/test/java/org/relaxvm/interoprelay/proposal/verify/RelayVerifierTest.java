package org.relaxvm.interoprelay.proposal.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Goto;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Mov;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Ret;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** Each rule: what it refuses, and what it says. */
class RelayVerifierTest {
  private static void assertRefused(String finding, String text) {
    assertRefused(finding, RelayText.parse(text));
  }

  private static void assertRefused(String finding, RelayModule module) {
    assertThat(RelayVerifier.check(module))
        .map(RelayFinding::toString)
        .containsExactly(finding.stripTrailing());
  }

  private static RelayModule ofCode(RelayInstruction... code) {
    return new RelayModule(
        List.of(new RelayFunction("main", 1, List.of(code))), List.of(), List.of());
  }

  @Test
  void aRegisterHasOneDefinition() {
    assertRefused(
        """
        $1 has two definitions, the first is instruction 0
          expected: one definition for each register
          what to do: define another register; Phi joins the values of two branches
          at function main, instruction 1: Mov $1, $0
        """,
        "func @main(1) { Mov $1, $0 Mov $1, $0 Ret $1 }");
    assertRefused(
        """
        $0 is a parameter and cannot be defined again
          what to do: define another register
          at function main, instruction 0: LoadConsti $0, 1
        """,
        "func @main(1) { LoadConsti $0, 1 Ret $0 }");
  }

  @Test
  void aUseFollowsTheDefinitionOnEveryPath() {
    assertRefused(
        """
        $2 is not defined on every path to this instruction: its definition is instruction 1
          what to do: define it before all branches that lead here, or join the values of the \
        branches with Phi
          at function main, instruction 2: Ret $2
        """,
        "func @main(2) { If $0, +1, +2 Mov $2, $1 Ret $2 }");
    assertRefused(
        """
        $2 is not defined on every path to this instruction: its definition is instruction 1
          what to do: define it before all branches that lead here, or join the values of the \
        branches with Phi
          at function main, instruction 0: Mov $1, $2
        """,
        "func @main(1) { Mov $1, $2 Mov $2, $0 Ret $1 }");
    assertRefused(
        """
        $3 has no definition
          what to do: define it, or use one of the registers that are defined
          at function main, instruction 0: Ret $3
        """,
        "func @main(1) { Ret $3 }");
  }

  @Test
  void aRegisterIsNotUsedAfterItsKill() {
    assertRefused(
        """
        $0 may be empty here: a Kill on a path to this instruction emptied it
          what to do: kill it after its last use
          at function main, instruction 2: Ret $0
        """,
        "func @main(2) { If $1, +1, +2 Kill $0 Ret $0 }");
    assertRefused(
        """
        $5 has no definition
          what to do: define it, or use one of the registers that are defined
          at function main, instruction 0: Kill $5
        """,
        "func @main(1) { Kill $5 Ret $0 }");
  }

  @Test
  void jumpsStayInTheFunctionAndGoElsewhere() {
    assertRefused(
        """
        a jump must stay in the function
          expected: an offset of 0 to 1
          got: 2
          at function main, instruction 0: Goto +2
        """,
        "func @main(1) { Goto +2 Ret $0 }");
    assertRefused(
        """
        a jump must stay in the function
          expected: an offset of -1 to 1
          got: -2147483648
          at function main, instruction 1: If $0, -2147483648, +1
        """,
        "func @main(1) { Mov $1, $0 If $0, -2147483648, +1 Ret $0 }");
    assertRefused(
        """
        an offset of 0 would jump to this instruction for ever
          what to do: jump to another instruction
          at function main, instruction 0: Goto +0
        """,
        ofCode(new Goto(0), new Ret(0)));
    assertRefused(
        """
        two offsets of 0 would jump to this instruction for ever
          what to do: jump to another instruction
          at function main, instruction 0: IfEq $0, 1, +0, +0
        """,
        "func @main(1) { IfEq $0, 1, 0, 0 Ret $0 }");
  }

  @Test
  void controlEndsWithRet() {
    assertRefused(
        """
        control runs past the end of the function after this instruction
          what to do: end the function with Ret
          at function main, instruction 0: Mov $1, $0
        """,
        "func @main(1) { Mov $1, $0 }");
    assertRefused(
        """
        a function needs an instruction
          what to do: end it with Ret
          at function main
        """,
        "func @main(1) { }");
    assertThat(RelayVerifier.check(RelayText.parse("func @main(1) { Ret $0 Mov $1, $0 }")))
        .as("control does not reach the end")
        .isEmpty();
  }

  @Test
  void aPhiHasTwoOperands() {
    assertRefused(
        """
        both operands of a Phi are $0
          expected: two registers
          what to do: use Mov to pass one register on
          at function main, instruction 0: Phi $1, $0, $0
        """,
        "func @main(1) { Phi $1, $0, $0 Ret $1 }");
  }

  @Test
  void operandsOfAPhiAreDefinedBeforeThePathsMeet() {
    assertRefused(
        """
        $2 is defined by instruction 0, between the join and this Phi
          expected: operands that are defined before the paths meet
          what to do: move the Phi to the start of the block in which they meet
          at function main, instruction 1: Phi $1, $0, $2
        """,
        "func @main(1) { Mov $2, $0 Phi $1, $0, $2 If $1, -2, +1 Ret $1 }");
  }

  @Test
  void callsGiveAsManyArgumentsAsTheFunctionTakes() {
    assertRefused(
        """
        function f takes 2 arguments
          got: 1
          at function main, instruction 0: Invoke $1, @f, 1, $0
        """,
        "func @f(2) { Ret $0 } func @main(1) { Invoke $1, @f, 1, $0 Ret $1 }");
    assertRefused(
        """
        function f takes 1 argument
          got: 0
          at function main, instruction 0: TailInvoke @f, 0
        """,
        "func @f(1) { Ret $0 } func @main(1) { TailInvoke @f, 0 }");
    assertRefused(
        """
        a closure binds at most all parameters of its function
          expected: at most 1 for function f
          got: 2
          at function main, instruction 0: AllocClosure $1, @f, 2, $0, $0
        """,
        "func @f(1) { Ret $0 } func @main(1) { AllocClosure $1, @f, 2, $0, $0 Ret $1 }");
    assertRefused(
        """
        the closure of function f with 1 bound value takes 1 argument
          got: 0
          at function main, instruction 2: InvokeClosure $3, $2, 0
        """,
        """
        func @f(2) { Ret $0 }
        func @main(1) {
          AllocClosure $1, @f, 1, $0
          Mov $2, $1
          InvokeClosure $3, $2, 0
          Ret $3
        }
        """);
  }

  @Test
  void indicesAreInTheirTables() {
    assertRefused(
        """
        there is no constant 0
          expected: none, for the module has none
          at function main, instruction 0: LoadConst $1, 0
        """,
        "func @main(1) { LoadConst $1, 0 Ret $1 }");
    assertRefused(
        """
        there is no packed function 1
          expected: an index of 0 to 0
          at function main, instruction 0: InvokePacked 1, 0, 0
        """,
        "packed 0 = \"p\" func @main(1) { InvokePacked 1, 0, 0 Ret $0 }");
    assertRefused(
        """
        there is no function 7
          expected: an index of 0 to 0
          at function main, instruction 0: Invoke $1, 7, 0
        """,
        "func @main(1) { Invoke $1, 7, 0 Ret $0 }");
    assertRefused(
        """
        there is no field 2
          expected: an index of 0 to 1
          at function main, instruction 1: GetField $2, $1, 2
        """,
        "func @main(1) { AllocDatatype $1, 0, 2, $0, $0 GetField $2, $1, 2 Ret $2 }");
    assertRefused(
        """
        there is no field -1
          expected: an index of 0 or more
          at function main, instruction 0: GetField $1, $0, -1
        """,
        "func @main(1) { GetField $1, $0, -1 Ret $1 }");
  }

  @Test
  void packedFunctionsWriteIntoAllocatedTensors() {
    assertRefused(
        """
        output $2 is a constant
          expected: a tensor of AllocTensor or AllocTensorReg, directly or by Mov, Phi, GetField or \
        ReshapeTensor
          what to do: allocate a tensor for the output
          at function main, instruction 1: InvokePacked 0, 1, 1, $0, $2
        """,
        """
        const 0 = tensor(int64,[],[0])
        packed 0 = "negate"
        func @main(1) { LoadConst $2, 0 InvokePacked 0, 1, 1, $0, $2 Ret $2 }
        """);
    assertRefused(
        """
        output $1 is a parameter
          expected: a tensor of AllocTensor or AllocTensorReg, directly or by Mov, Phi, GetField or \
        ReshapeTensor
          what to do: allocate a tensor for the output, or permit writes into parameters with \
        RelayVerifyOptions
          at function main, instruction 0: InvokePacked 0, 1, 1, $0, $1
        """,
        "packed 0 = \"negate\" func @main(2) { InvokePacked 0, 1, 1, $0, $1 Ret $1 }");
    assertRefused(
        """
        output $3 is not a tensor that this function allocated
          expected: a tensor of AllocTensor or AllocTensorReg, directly or by Mov, Phi, GetField or \
        ReshapeTensor
          what to do: allocate a tensor for the output
          at function main, instruction 2: InvokePacked 0, 1, 1, $0, $3
        """,
        """
        const 0 = tensor(int64,[],[0])
        packed 0 = "negate"
        func @main(1) {
          LoadConst $2, 0
          Mov $3, $2
          InvokePacked 0, 1, 1, $0, $3
          Ret $3
        }
        """);
  }

  @Test
  void anAllocatedTensorIsFollowedThroughMovesPhisFieldsAndLoops() {
    String text =
        """
        packed 0 = "negate"
        func @main(1) {
          AllocTensor $1, 0, [], int64
          Mov $2, $1
          AllocDatatype $3, 0, 2, $0, $2
          GetField $4, $3, 1
        loop: Phi $5, $4, $6
          InvokePacked 0, 1, 1, $0, $5
          Mov $6, $5
          If $0, loop, done
        done: Ret $5
        }
        """;
    assertThat(RelayVerifier.check(RelayText.parse(text))).isEmpty();
  }

  @Test
  void parametersAreWrittenWherePermitted() {
    RelayModule module =
        RelayText.parse(
            "packed 0 = \"negate\" func @main(2) { InvokePacked 0, 1, 1, $0, $1 Ret $1 }");
    assertThat(RelayVerifier.check(module, new RelayVerifyOptions(true))).isEmpty();
  }

  @Test
  void registersAndShapesAreSensible() {
    assertRefused(
        """
        registers are numbered from 0 to 1048575
          got: $1048576
          at function main, instruction 0: Mov $1048576, $0
        """,
        "func @main(1) { Mov $1048576, $0 Ret $0 }");
    assertRefused(
        """
        registers are numbered from 0 to 1048575
          got: $-7
          at function main, instruction 0: Ret $-7
        """,
        ofCode(new Ret(-7)));
    assertRefused(
        """
        no tensor can have this shape and type: shape [-2] has a negative extent and so no element \
        count
          at function main, instruction 0: AllocTensor $1, 1, [-2], float32
        """,
        ofCode(new AllocTensor(1, Shape.of(-2), DType.FLOAT32), new Ret(1)));
  }

  @Test
  void namesAreUniqueAndNotEmpty() {
    RelayFunction function = new RelayFunction("f", 1, List.of(new Ret(0)));
    assertRefused(
        """
        functions 0 and 1 have the same name 'f'
          what to do: rename one of them
          at function f
        """,
        new RelayModule(List.of(function, function), List.of(), List.of()));
    assertRefused(
        """
        packed function 0 has no name
          what to do: name the function to call
          at the module
        """,
        new RelayModule(List.of(function), List.of(""), List.of()));
  }

  @Test
  void theErrorHasTheFirstFindingAndTheNumberOfFurtherOnes() {
    RelayModule module = ofCode(new Mov(1, 2), new Mov(3, 4), new Ret(5));
    assertThatThrownBy(() -> RelayVerifier.verify(module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            $2 has no definition
              what to do: define it, or use one of the registers that are defined
              at function main, instruction 0: Mov $1, $2
              and 2 further problems; RelayVerifier.check lists them\
            """);
  }

  @Test
  void findingsBeyondAHundredAreCounted() {
    RelayInstruction[] code = new RelayInstruction[151];
    for (int i = 0; i < 150; i++) {
      code[i] = new Mov(i + 1, 1000);
    }
    code[150] = new Ret(0);
    List<RelayFinding> findings = RelayVerifier.check(ofCode(code));
    assertThat(findings).hasSize(101);
    assertThat(findings.getLast())
        .hasToString("50 further problems are not listed\n  at the module");
  }

  @Test
  void aFunctionOfTooManyBlocksAndRegistersIsRefused() {
    int blocks = 17_000;
    List<RelayInstruction> code = new ArrayList<>();
    for (int i = 1; i < blocks; i++) {
      code.add(new Mov(i, 0));
      code.add(new Goto(1));
    }
    code.add(new Ret(0));

    assertRefused(
        """
        the function is too large: it has 17000 basic blocks and 17000 registers
          expected: a product of the two of at most 268435456
          what to do: divide the function
          at function main
        """,
        ofCode(code.toArray(RelayInstruction[]::new)));
  }
}
