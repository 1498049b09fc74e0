package org.relaxvm.interoprelay.proposal.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.proposal.text.RelayText;

class RelayModuleBuilderTest {
  @Test
  void aLoopAndABranchAreBuilt() {
    Tensor zero = Tensor.scalar(0L);
    RelayModuleBuilder builder = new RelayModuleBuilder();
    builder.function(
        "count",
        1,
        f -> {
          RelayRegister start = f.constant(zero);
          RelayRegister next = f.newRegister();
          RelayLabel header = f.here();
          RelayRegister i = f.phi(start, next);
          RelayRegister less = f.allocTensor(DType.BOOL);
          f.invokePacked("less", List.of(i, f.param(0)), List.of(less));
          RelayLabel body = f.label();
          RelayLabel exit = f.label();
          f.branch(less, body, exit);
          f.place(body);
          RelayRegister more = f.allocTensor(DType.INT64);
          f.invokePacked("plus_one", List.of(i), List.of(more));
          f.move(next, more);
          f.jump(header);
          f.place(exit);
          f.ret(f.ifElse(less, () -> i, () -> f.constant(zero)));
        });
    assertThat(RelayText.print(builder.build()))
        .isEqualTo(
            """
            const 0 = tensor(int64,[],[0])
            packed 0 = "less"
            packed 1 = "plus_one"
            func @count(1) {
               0: LoadConst $1, 0
               1: Phi $3, $1, $2
               2: AllocTensor $4, 0, [], bool
               3: InvokePacked 0, 2, 1, $3, $0, $4
               4: If $4, +1, +5
               5: AllocTensor $5, 0, [], int64
               6: InvokePacked 1, 1, 1, $3, $5
               7: Mov $2, $5
               8: Goto -7
               9: If $4, +1, +3
              10: Mov $6, $3
              11: Goto +3
              12: LoadConst $7, 0
              13: Mov $8, $7
              14: Phi $9, $6, $8
              15: Ret $9
            }
            """);
  }

  @Test
  void everyInstructionIsEmitted() {
    RelayModuleBuilder builder = new RelayModuleBuilder();
    builder.function(
        "main",
        2,
        f -> {
          RelayRegister pair = f.tuple(f.param(0), f.param(1));
          RelayRegister variant = f.datatype(3, f.field(pair, 1));
          RelayLabel yes = f.label();
          RelayLabel no = f.label();
          f.branchIfEqual(f.tag(variant), 3, yes, no);
          f.place(no);
          f.fatal();
          f.place(yes);
          RelayRegister shape = f.shapeOf(f.param(0));
          RelayRegister made = f.allocTensor(DType.FLOAT32, shape);
          RelayRegister view = f.reshape(f.allocTensor(DType.INT8, 2, 3), shape);
          RelayRegister copy = f.deviceCopy(made, 1, 0);
          f.kill(copy);
          RelayRegister closure = f.closure("later", view);
          RelayRegister called = f.invokeClosure(closure, f.number(5));
          RelayRegister returned = f.callPacked("p", called, f.constant("text"), f.constant(2));
          f.tailInvoke("later", f.move(returned), f.invoke("later", shape, f.constant(1.5f)));
        });
    builder.function("later", 2, f -> f.ret(f.param(1)));
    assertThat(RelayText.print(builder.build()))
        .isEqualTo(
            """
            const 0 = "text"
            const 1 = 2
            const 2 = 1.5
            packed 0 = "p"
            func @main(2) {
               0: AllocDatatype $2, 0, 2, $0, $1
               1: GetField $3, $2, 1
               2: AllocDatatype $4, 3, 1, $3
               3: GetTag $5, $4
               4: IfEq $5, 3, +2, +1
               5: Fatal
               6: ShapeOf $6, $0
               7: AllocTensorReg $7, $6, float32
               8: AllocTensor $8, 2, [2, 3], int8
               9: ReshapeTensor $9, $8, $6
              10: DeviceCopy $10, $7, 1, 0
              11: Kill $10
              12: AllocClosure $11, @later, 1, $9
              13: LoadConsti $12, 5
              14: InvokeClosure $13, $11, 1, $12
              15: LoadConst $14, 0
              16: LoadConst $15, 1
              17: CallPacked $16, 0, 3, $13, $14, $15
              18: Mov $17, $16
              19: LoadConst $18, 2
              20: Invoke $19, @later, 2, $6, $18
              21: TailInvoke @later, 2, $17, $19
            }
            func @later(2) {
              0: Ret $1
            }
            """);
  }

  private static void assertRefused(String message, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message.stripTrailing());
  }

  @Test
  void whatIsBuiltIsVerified() {
    RelayModuleBuilder builder = new RelayModuleBuilder();
    builder.function("main", 1, f -> f.ret(f.newRegister()));
    assertRefused(
        """
        $1 has no definition
          what to do: define it, or use one of the registers that are defined
          at function main, instruction 0: Ret $1
        """,
        builder::build);
  }

  @Test
  void mistakesAreToldWhereTheyAreMade() {
    RelayModuleBuilder builder = new RelayModuleBuilder();
    builder.function("f", 1, f -> f.ret(f.param(0)));
    assertRefused(
        "function 'f' is already defined\n  what to do: rename one of them",
        () -> builder.function("f", 0, _ -> {}));
    assertRefused(
        "function g has no parameter 1: it has 1", () -> builder.function("g", 1, f -> f.param(1)));
    assertRefused(
        "a label can be placed only once", () -> builder.function("h", 0, f -> f.place(f.here())));
    assertRefused(
        """
        a constant cannot be a shape
          expected: a tensor, an integer, a float or a string
        """,
        () -> builder.constant(Shape.of(1)));
  }

  @Test
  void labelsAndFunctionsExistWhenTheModuleIsBuilt() {
    RelayModuleBuilder jumps = new RelayModuleBuilder();
    jumps.function("main", 0, f -> f.jump(f.label()));
    assertRefused("function main jumps to a label that was never placed", jumps::build);
    RelayModuleBuilder calls = new RelayModuleBuilder();
    calls.function("main", 0, f -> f.tailInvoke("other"));
    assertRefused(
        """
        there is no function 'other'
          functions: main
          what to do: define it with function
        """,
        calls::build);
    RelayLabel[] foreign = new RelayLabel[1];
    RelayModuleBuilder labels = new RelayModuleBuilder();
    labels.function(
        "a",
        1,
        f -> {
          foreign[0] = f.here();
          f.ret(f.param(0));
        });
    assertRefused(
        "a label belongs to the function that made it",
        () -> labels.function("b", 0, f -> f.jump(foreign[0])));
  }
}
