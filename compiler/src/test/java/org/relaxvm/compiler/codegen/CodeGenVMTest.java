package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.main;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.text.ExecutableText;

class CodeGenVMTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);

  private static Executable executable(Function<FunctionBuilder, Expr> body) {
    return CodeGenVM.generate(main(List.of(), body)).executable();
  }

  /** The instructions of a function, with single spaces and without the prefix of builtins. */
  private static List<String> code(Executable executable, String function) {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : ExecutableText.asText(executable).lines().toList()) {
      inside = line.startsWith("@") ? line.equals("@" + function + ":") : inside;
      if (inside && line.startsWith("  ")) {
        lines.add(line.strip().replaceAll(" +", " ").replace("vm.builtin.", ""));
      }
    }
    return lines;
  }

  private static List<String> code(Function<FunctionBuilder, Expr> body) {
    return code(executable(body), "main");
  }

  private static Call packed(Type result, Expr... args) {
    return Call.packed("f", List.of(args), List.of(result));
  }

  // ---------------------------------------------------------------- values

  @Test
  void anotherNameOfAVariableIsACopy() {
    assertThat(
            code(
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  return f.emit(x);
                }))
        .containsExactly("call copy in: %0 dst: %1", "ret %1");
  }

  @Test
  void aResultThatIsNoRegisterIsCopied() {
    assertThat(code(f -> f.param("x", FOUR))).containsExactly("ret %0");
    assertThat(code(f -> new StringImm("text")))
        .containsExactly("call copy in: c[0] dst: %0", "ret %0");
    assertThat(code(f -> PrimValue.of(-3))).containsExactly("call copy in: i-3 dst: %0", "ret %0");
    assertThat(code(f -> new DataTypeImm(DType.INT8)))
        .containsExactly("call copy in: c[0] dst: %0", "ret %0");
    assertThat(code(f -> ShapeExpr.of(2, 3)))
        .containsExactly("call copy in: c[0] dst: %0", "ret %0");
    try (Tensor data = Tensor.of(new float[] {1}, Shape.of(1))) {
      assertThat(code(f -> new Constant(data)))
          .containsExactly("call copy in: c[0] dst: %0", "ret %0");
    }
  }

  @Test
  void tuplesAreMadeAndOpened() {
    assertThat(
            code(
                f -> {
                  RelaxVar x = f.param("x", TupleType.of(FOUR, FOUR));
                  RelaxVar item = f.emit(new TupleGetItem(x, 1));
                  return f.emit(Tuple.of(item, Tuple.of(PrimValue.of(1), new StringImm("s"))));
                }))
        .containsExactly(
            "call tuple_getitem in: %0, i1 dst: %1",
            "call make_tuple in: i1, c[0] dst: %2", "call make_tuple in: %1, %2 dst: %3", "ret %3");
  }

  @Test
  void equalConstantsAreOne() {
    try (Tensor a = Tensor.of(new float[] {1, 2}, Shape.of(2));
        Tensor b = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      Executable executable =
          executable(
              f -> {
                f.emit("_", packed(TupleType.VOID, new Constant(a), new Constant(b)));
                f.emit("_", packed(TupleType.VOID, ShapeExpr.of(1, 2), ShapeExpr.of(1, 2)));
                f.emit("_", packed(TupleType.VOID, new StringImm("s"), new StringImm("s")));
                Expr dtype = new DataTypeImm(DType.INT8);
                f.emit("_", packed(TupleType.VOID, dtype, dtype));
                f.emit("_", packed(TupleType.VOID, PrimValue.of(0.5), PrimValue.of(0.5)));
                long most = (1L << 55) - 1;
                f.emit("_", packed(TupleType.VOID, PrimValue.of(most), PrimValue.of(-most)));
                f.emit("_", packed(TupleType.VOID, PrimValue.of(most + 1), PrimValue.of(true)));
                return Tuple.EMPTY;
              });
      assertThat(code(executable, "main"))
          .containsExactly(
              "call f in: c[0], c[0] dst: %void",
              "call f in: c[1], c[1] dst: %void",
              "call f in: c[2], c[2] dst: %void",
              "call f in: c[3], c[3] dst: %void",
              "call f in: c[4], c[4] dst: %void",
              "call f in: i36028797018963967, i-36028797018963967 dst: %void",
              "call f in: c[5], i1 dst: %void",
              "call make_tuple in: dst: %0",
              "ret %0");
      assertThat(executable.constants()).element(5).isEqualTo(1L << 55);
    }
  }

  @Test
  void aConstantOnAVirtualDeviceHasItsMemoryScope() {
    try (Tensor data = Tensor.of(new float[] {1}, Shape.of(1))) {
      VDevice vdevice = new VDevice("opencl", 0, "global.texture");
      Executable executable = executable(f -> new Constant(data, Optional.of(vdevice)));
      assertThat(executable.memoryScopes()).containsEntry(0, "global.texture");
    }
  }

  // ---------------------------------------------------------------- choices

  @Test
  void aChoiceCopiesTheValueOfTheBranchThatRuns() {
    assertThat(
            code(
                f -> {
                  RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
                  RelaxVar x = f.param("x", FOUR);
                  return f.choose(c, () -> f.emit(packed(FOUR, x)), () -> x);
                }))
        .containsExactly(
            "call read_if_cond in: %0 dst: %2",
            "If %2, 4",
            "call f in: %1 dst: %3",
            "call copy in: %3 dst: %4",
            "goto 2",
            "call copy in: %1 dst: %4",
            "ret %4");
  }

  @Test
  void choicesNestAndConditionsMayBeKnownOrNumbers() {
    assertThat(
            code(
                f -> {
                  RelaxVar b = f.param("b", new PrimType(DType.BOOL));
                  return f.choose(
                      PrimValue.of(true),
                      () -> f.choose(b, () -> PrimValue.of(1), () -> PrimValue.of(2)),
                      () -> PrimValue.of(3));
                }))
        .containsExactly(
            "call read_if_cond in: i1 dst: %1",
            "If %1, 8",
            "call read_if_cond in: %0 dst: %2",
            "If %2, 3",
            "call copy in: i1 dst: %3",
            "goto 2",
            "call copy in: i2 dst: %3",
            "call copy in: %3 dst: %4",
            "goto 2",
            "call copy in: i3 dst: %4",
            "ret %4");
  }

  // ---------------------------------------------------------------- calls

  @Test
  void aResultThatIsAnythingHasARegisterAndNoResultHasNone() {
    assertThat(
            code(
                f -> {
                  f.emit(packed(AnyType.ANY));
                  f.emit("_", packed(TupleType.VOID));
                  return PrimValue.of(0);
                }))
        .containsExactly(
            "call f in: dst: %0", "call f in: dst: %void", "call copy in: i0 dst: %1", "ret %1");
  }

  @Test
  void noValueIsTheVoidRegister() {
    assertThat(
            code(
                f -> {
                  RelaxVar none = f.emit(ValueOps.nullValue());
                  f.emit("_", packed(TupleType.VOID, none, ValueOps.nullValue()));
                  return none;
                }))
        .containsExactly("call f in: %void, %void dst: %void", "ret %void");
  }

  @Test
  void theEndOfAnotherNameLeavesTheValue() {
    assertThat(
            code(
                f -> {
                  RelaxVar x = f.emit(packed(FOUR));
                  RelaxVar y = f.emit(x);
                  f.emit("_", Call.of(MemoryOps.KILL_OBJECT, x));
                  return y;
                }))
        .containsExactly(
            "call f in: dst: %0",
            "call copy in: %0 dst: %1", "call null_value in: dst: %0", "ret %1");
  }

  @Test
  void functionsAreCalledByTheirKind() {
    BlockBuilder builder = new BlockBuilder();
    builder.addFunction(Kernels.add(), "add");
    builder.put(new GlobalVar("outer"), new ExternFunc("library.outer"));
    GlobalVar helper = builder.function("helper", f -> f.param("x", FOUR));
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", FOUR);
          f.emit("_", Call.of(new GlobalVar("add"), x, x, x));
          f.emit("_", Call.of(new GlobalVar("outer"), x));
          f.emit("_", packed(TupleType.VOID, new GlobalVar("add"), helper));
          return f.emit(Call.of(helper, x));
        });
    VmCode code = CodeGenVM.generate(builder.module());
    assertThat(code(code.executable(), "main"))
        .containsExactly(
            "call add in: %0, %0, %0 dst: %void",
            "call library.outer in: %0 dst: %1",
            "call f in: f[add], f[helper] dst: %void",
            "call helper in: %0 dst: %2",
            "ret %2");
    assertThat(code.executable().functions())
        .extracting(function -> function.name() + " " + function.kind())
        .containsExactly(
            "helper " + FunctionKind.VM,
            "main " + FunctionKind.VM,
            "add " + FunctionKind.PACKED,
            "library.outer " + FunctionKind.PACKED,
            "f " + FunctionKind.PACKED);
    assertThat(code.kernels()).extracting(kernel -> kernel.name()).containsExactly("add");
  }

  @Test
  void aFunctionInAVariableIsInvoked() {
    assertThat(
            code(
                f -> {
                  RelaxVar closure = f.param("closure", AnyType.ANY);
                  RelaxVar x = f.param("x", FOUR);
                  return f.emit(Call.of(closure, List.of(x), Attrs.NONE, List.of(FOUR)));
                }))
        .containsExactly("call invoke_closure in: %vm, %0, %1 dst: %2", "ret %2");
  }

  @Test
  void builtinsGetTheRunningVm() {
    assertThat(
            code(
                f ->
                    f.emit(
                        CallOps.withContext(
                            "vm.builtin.alloc_shape_heap", List.of(PrimValue.of(2)), AnyType.ANY))))
        .containsExactly("call alloc_shape_heap in: %vm, i2 dst: %0", "ret %0");
  }

  @Test
  void aTensorOnAVirtualDeviceHasItsMemoryScope() {
    IRModule plain =
        main(
            List.of(),
            f -> {
              RelaxVar storage =
                  f.emit(
                      Call.of(
                          MemoryOps.VM_ALLOC_STORAGE,
                          ShapeExpr.of(16),
                          PrimValue.of(0),
                          new DataTypeImm(DType.UINT8),
                          new StringImm("global")));
              return f.emit(
                  Call.of(
                      MemoryOps.VM_ALLOC_TENSOR,
                      storage,
                      PrimValue.of(0),
                      ShapeExpr.of(4),
                      new DataTypeImm(DType.FLOAT32),
                      PrimValue.of(0)));
            });
    assertThat(code(CodeGenVM.generate(plain).executable(), "main"))
        .containsExactly(
            "call alloc_storage in: %vm, c[0], i0, c[1], c[2] dst: %0",
            "call alloc_tensor in: %0, i0, c[3], c[4] dst: %1", "ret %1");
    IRModule withVDevice =
        new IRModule(plain.functions(), plain.attrs(), List.of(new VDevice("cpu", 0, "global")));
    assertThat(code(CodeGenVM.generate(withVDevice).executable(), "main"))
        .contains("call alloc_tensor in: %0, i0, c[3], c[4], c[2] dst: %1");
  }

  // ---------------------------------------------------------------- refusals

  private static void refused(Function<FunctionBuilder, Expr> body, String message) {
    assertThatThrownBy(() -> executable(body)).hasMessage(message);
  }

  @Test
  void symbolicShapesAndNumbersAreRefused() {
    Var n = Var.index("n");
    refused(
        f -> {
          f.param("x", TensorType.of(DType.INT8, n));
          return f.emit(packed(FOUR, ShapeExpr.of(n, 4)));
        },
        "the shape R.shape([n, 4]) is not constant, and there is no code for symbolic ones; run"
            + " VMShapeLower first\n  at gv = R.call_packed(\"f\", R.shape([n, 4]))\n  at function"
            + " main");
    refused(
        f -> {
          f.param("x", TensorType.of(DType.INT8, n));
          return new PrimValue(n);
        },
        "the number R.prim_value(n) is not constant, and there is no code for symbolic ones; run"
            + " VMShapeLower first\n  at function main");
  }

  @Test
  void operatorsThatTheVmLacksAreRefused() {
    refused(
        f -> f.emit(ValueOps.shapeOf(f.param("x", FOUR))),
        "there is no code for the operator shape_of; run LegalizeOps, CallTIRRewrite and"
            + " LowerRuntimeBuiltin first\n  at gv = R.shape_of(x)\n  at function main");
  }

  @Test
  void functionsInsideOfOthersAreRefused() {
    RelaxVar y = new RelaxVar("y", FOUR);
    RelaxFunction local =
        new RelaxFunction(List.of(y), SeqExpr.of(List.of(), y), FOUR, true, Attrs.NONE);
    refused(
        f -> f.emit("local", local),
        "there is no code for a function inside of another one; run LambdaLift first\n"
            + "  at local = function(y)\n  at function main");
  }

  @Test
  void functionsWithoutNameAreRefused() {
    refused(
        f -> {
          f.internal();
          return PrimValue.of(0);
        },
        "the function main has no global_symbol, the name under which it is linked; run"
            + " AttachGlobalSymbol first");
  }

  @Test
  void whatHasNoRegisterHasNoEnd() {
    refused(
        f -> {
          f.emit("_", Call.of(MemoryOps.KILL_OBJECT, new StringImm("s")));
          return PrimValue.of(0);
        },
        "vm.kill_object ends the use of a register, but R.str(\"s\") has none\n"
            + "  at _ = R.vm.kill_object(R.str(\"s\"))\n  at function main");
  }

  @Test
  void variablesWithoutValueAreRefused() {
    RelaxVar stranger = new RelaxVar("stranger", FOUR);
    refused(
        f -> f.emit(packed(FOUR, stranger)),
        "the variable stranger is used where it has no value; expected a parameter or a binding"
            + " before\n  at gv = R.call_packed(\"f\", stranger)\n  at function main");
  }

  @Test
  void twoFunctionsOfOneNameAreRefused() {
    BlockBuilder builder = new BlockBuilder();
    builder.function("main", f -> PrimValue.of(0));
    builder.function(
        "other",
        f -> {
          f.attr("global_symbol", "main");
          return PrimValue.of(1);
        });
    assertThatThrownBy(() -> CodeGenVM.generate(builder.module()))
        .isInstanceOfSatisfying(
            InvalidProgramException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL);
              assertThat(e.tvmMessage()).hasValue("Function main already defined");
            })
        .hasMessage("function 'main' is already defined\n  at function other");
  }

  @Test
  void aNameOfTwoKindsIsRefused() {
    assertThatThrownBy(() -> executable(f -> f.emit(Call.packed("main", List.of(), List.of(FOUR)))))
        .isInstanceOfSatisfying(
            InvalidProgramException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL);
              assertThat(e.tvmMessage())
                  .hasValue("Function mainalready declared in a different kind");
            })
        .hasMessage(
            "function 'main' is already declared with another kind\n"
                + "  declared: VM\n"
                + "  now: PACKED\n"
                + "  what to do: a call declares an unknown name as PACKED; declare a VM function"
                + " that is called before its body with declareFunction\n"
                + "  at gv = R.call_packed(\"main\")\n"
                + "  at function main");
  }

  @Test
  void bytecodeIsTheSameAfterItWasWrittenAndRead() {
    Executable executable =
        executable(
            f -> {
              RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
              return f.choose(c, () -> new StringImm("yes"), () -> ShapeExpr.of(1, 2));
            });
    Executable read = ExecutableReader.read(ExecutableWriter.write(executable));
    assertThat(ExecutableText.asText(read)).isEqualTo(ExecutableText.asText(executable));
    assertThat(read.constants()).isEqualTo(executable.constants());
  }
}
