package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.vector.MemoryKind;

/** Writes the class of a kernel. */
public final class ClassEmitter {
  /**
   * A class.
   *
   * @param bytes the class file
   * @param buffers how many buffers a frame holds
   * @param variables how many variables
   * @param functions the names of the functions that it calls
   */
  public record Generated(byte[] bytes, int buffers, int variables, List<String> functions) {
    /** Copies the list. */
    public Generated {
      functions = List.copyOf(functions);
    }
  }

  private static final ClassDesc SELF =
      ClassDesc.of("org.relaxvm.backendcpu.codegen.GeneratedKernelCode");

  private ClassEmitter() {}

  /**
   * Generates the class of a kernel, a subclass of {@code KernelCode}. Buffers and variables of the
   * frame have the numbers of their places in the program, what the kernel allocates follows.
   *
   * @param lanes the vector operations; empty for scalar code
   * @param memory what is known of the memory of all buffers
   */
  public static Generated generate(
      LoopProgram program, Optional<LaneTable> lanes, MemoryKind memory) {
    ClassPlan plan = new ClassPlan(SELF, program, lanes.orElse(null), memory);
    byte[] bytes =
        ClassFile.of()
            .build(
                SELF,
                type -> {
                  type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
                  type.withSuperclass(Calls.CODE);
                  constructor(type);
                  type.withMethodBody(
                      "run",
                      Calls.RUN,
                      ClassFile.ACC_PUBLIC,
                      code -> new MethodEmitter(plan, code).emitMethod(program.body()));
                  others(plan, type);
                });
    return new Generated(bytes, plan.bufferCount(), plan.variableCount(), plan.functions());
  }

  private static void constructor(ClassBuilder type) {
    type.withMethodBody(
        ConstantDescs.INIT_NAME,
        ConstantDescs.MTD_void,
        ClassFile.ACC_PUBLIC,
        code ->
            code.aload(0)
                .invokespecial(Calls.CODE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .return_());
  }

  private static void others(ClassPlan plan, ClassBuilder type) {
    for (ClassPlan.Method method = plan.next(); method != null; method = plan.next()) {
      ClassPlan.Method next = method;
      type.withMethodBody(
          method.name(),
          switch (method) {
            case ClassPlan.Method.Part part -> Calls.PART;
            case ClassPlan.Method.Stage stage -> Calls.RUN;
            case ClassPlan.Method.Value value -> value.type();
            case ClassPlan.Method.Lanes lanes -> lanes.type();
          },
          method instanceof ClassPlan.Method.Lanes
              ? ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC
              : ClassFile.ACC_PRIVATE,
          code -> {
            MethodEmitter emitter = new MethodEmitter(plan, code);
            switch (next) {
              case ClassPlan.Method.Part part -> emitter.emitPart(part.serial());
              case ClassPlan.Method.Stage stage -> emitter.emitMethod(stage.node());
              case ClassPlan.Method.Value value -> emitter.emitValue(value);
              case ClassPlan.Method.Lanes lanes -> emitter.emitLanes(lanes);
            }
          });
    }
    if (plan.parts() > 0) {
      type.withMethodBody(
          "part",
          Calls.type(
              ConstantDescs.CD_void,
              ConstantDescs.CD_int,
              Calls.FRAME,
              ConstantDescs.CD_long,
              ConstantDescs.CD_long),
          ClassFile.ACC_PUBLIC,
          code -> dispatch(plan, code));
    }
  }

  private static void dispatch(ClassPlan plan, CodeBuilder code) {
    List<SwitchCase> cases = new ArrayList<>();
    Label none = code.newLabel();
    for (int i = 0; i < plan.parts(); i++) {
      cases.add(SwitchCase.of(i, code.newLabel()));
    }
    code.iload(code.parameterSlot(0));
    code.tableswitch(0, plan.parts() - 1, none, cases);
    for (SwitchCase one : cases) {
      code.labelBinding(one.target());
      code.aload(0).aload(code.parameterSlot(1));
      code.lload(code.parameterSlot(2)).lload(code.parameterSlot(3));
      code.invokevirtual(plan.self(), "part" + one.caseValue(), Calls.PART);
      code.return_();
    }
    code.labelBinding(none);
    code.return_();
  }
}
